/** Search parameter of the week's view. Small: it is read in the entry chunk. */
export const WEEK_VIEWS = ['grid', 'list'] as const;
export type WeekView = (typeof WEEK_VIEWS)[number];

export interface WeekSearch {
  /** absent: the grid where there is room and a mouse, else the list */
  view?: WeekView;
}

/** Anything that is no view counts as absent. The key stays: the router lays it over what the address really says. */
export function readWeekSearch({ view }: Record<string, unknown>): WeekSearch {
  return { view: WEEK_VIEWS.find((known) => known === view) };
}
