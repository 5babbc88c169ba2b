/** Search parameters of the audit log. Kept small, because the entry chunk contains it; the page validates the values. */
export interface AuditSearch {
  page?: number;
  action?: string;
  /** id of the admin who acted */
  actor?: string;
  /** id of the user, mission or guild */
  subject?: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readAuditSearch({ page, action, actor, subject }: Record<string, unknown>): AuditSearch {
  return {
    page: typeof page === 'number' ? page : undefined,
    action: textOf(action),
    actor: textOf(actor),
    subject: textOf(subject),
  };
}
