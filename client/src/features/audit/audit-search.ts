/** Search parameters of the audit log. Small: they are read in the entry chunk, and checked by the page. */
export interface AuditSearch {
  page?: number;
  action?: string;
  /** id of the admin who did it */
  actor?: string;
  /** id of the user, mission or guild it was done to */
  subject?: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Anything else counts as absent. The keys stay: the router lays them over what the address really says. */
export function readAuditSearch({ page, action, actor, subject }: Record<string, unknown>): AuditSearch {
  return {
    page: typeof page === 'number' ? page : undefined,
    action: textOf(action),
    actor: textOf(actor),
    subject: textOf(subject),
  };
}
