/** Search parameters of the webhooks page. Kept small, because the entry chunk contains it. */
export interface WebhooksSearch {
  /** id of the webhook whose deliveries are shown */
  log?: string;
  page?: number;
}

/** Invalid values become undefined. */
export function readWebhooksSearch({ log, page }: Record<string, unknown>): WebhooksSearch {
  return {
    log: typeof log === 'string' ? log : undefined,
    page: typeof page === 'number' && Number.isInteger(page) && page > 0 ? page : undefined,
  };
}
