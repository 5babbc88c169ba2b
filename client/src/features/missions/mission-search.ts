/** What a link to Create Mission may bring along. Small: it is read in the entry chunk. */
export interface MissionSearch {
  /** wall time `YYYY-MM-DDTHH:mm` in the viewer's zone, or an ISO instant */
  start?: string;
  /** like `start` */
  end?: string;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?Z|Z)?$/;

/** Anything that is no time is left out, without a crash. */
export function readMissionSearch(search: Record<string, unknown>): MissionSearch {
  const { start, end } = search;
  return {
    ...(typeof start === 'string' && MOMENT.test(start) && { start }),
    ...(typeof end === 'string' && MOMENT.test(end) && { end }),
  };
}
