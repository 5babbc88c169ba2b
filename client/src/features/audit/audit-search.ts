/** Search parameters of the audit log. Kept small, because the entry chunk contains it; the page validates the values. */
export interface AuditSearch {
  page?: number;
  action?: string;
  /** id of the admin who acted */
  actor?: string;
  /** id of the user, mission or guild */
  subject?: string;
  query?: string;
  /** first and last date in the reader's zone */
  from?: string;
  to?: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
/** The router parses digits in the address as a number. */
const wordsOf = (value: unknown): string | undefined => textOf(typeof value === 'number' ? `${value}` : value);

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readAuditSearch({
  page,
  action,
  actor,
  subject,
  query,
  from,
  to,
}: Record<string, unknown>): AuditSearch {
  return {
    page: typeof page === 'number' ? page : undefined,
    action: textOf(action),
    actor: textOf(actor),
    subject: textOf(subject),
    query: wordsOf(query),
    from: textOf(from),
    to: textOf(to),
  };
}
