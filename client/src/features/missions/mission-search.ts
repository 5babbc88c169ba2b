/** What a link to Create Mission may bring along. Small: it is read in the entry chunk. */
export interface MissionSearch {
  /** wall time `YYYY-MM-DDTHH:mm` in the viewer's zone, or an ISO instant */
  start?: string;
  /** like `start` */
  end?: string;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?Z|Z)?$/;

/** Anything that is no time counts as absent. The keys stay: the router lays them over what the address really says. */
export function readMissionSearch({ start, end }: Record<string, unknown>): MissionSearch {
  return { start: readMoment(start), end: readMoment(end) };
}

function readMoment(value: unknown): string | undefined {
  return typeof value === 'string' && MOMENT.test(value) ? value : undefined;
}
