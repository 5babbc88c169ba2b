/** Search parameters of a pilot's page. Small: they are read in the entry chunk. */
export interface PilotSearch {
  /** days of dated windows; absent: the usual 14 */
  days?: 7 | 14 | 30;
  /** the part that a phone shows; absent: the first */
  tab?: string;
}

/** Anything else counts as absent. The keys stay: the router lays them over what the address really says. */
export function readPilotSearch({ days, tab }: Record<string, unknown>): PilotSearch {
  return {
    days: ([7, 14, 30] as const).find((choice) => choice === days),
    tab: typeof tab === 'string' ? tab : undefined,
  };
}
