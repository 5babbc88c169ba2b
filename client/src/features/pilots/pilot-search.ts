/** Search parameters of a pilot's page. Kept small, because the entry chunk contains it. */
export interface PilotSearch {
  /** days of dated windows; 14 by default */
  days?: 7 | 14 | 30;
  /** tab shown on a phone; the first by default */
  tab?: string;
}

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readPilotSearch({ days, tab }: Record<string, unknown>): PilotSearch {
  return {
    days: ([7, 14, 30] as const).find((choice) => choice === days),
    tab: typeof tab === 'string' ? tab : undefined,
  };
}
