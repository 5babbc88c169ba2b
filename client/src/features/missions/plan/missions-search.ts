/** Search parameters of /missions. Kept small, because the entry chunk contains it. */
export interface MissionsSearch {
  /** the list by default */
  by?: 'month';
  /** `YYYY-MM-DD`, the chosen day of the month view; today by default */
  day?: string;
}

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readMissionsSearch({ by, day }: Record<string, unknown>): MissionsSearch {
  return {
    by: by === 'month' ? by : undefined,
    day: typeof day === 'string' && /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(day) ? day : undefined,
  };
}
