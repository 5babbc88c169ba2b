/** Search parameter of the week's view. Kept small, because the entry chunk contains it. */
export const WEEK_VIEWS = ['grid', 'list'] as const;
export type WeekView = (typeof WEEK_VIEWS)[number];

export interface WeekSearch {
  /** default: the grid */
  view?: WeekView;
}

/** An invalid view becomes undefined. The key is always returned, because the router merges it over the raw parameters. */
export function readWeekSearch({ view }: Record<string, unknown>): WeekSearch {
  return { view: WEEK_VIEWS.find((known) => known === view) };
}
