/** Search parameters of Create Mission. Small: they are read in the entry chunk. */
export interface MissionSearch {
  /** wall time `YYYY-MM-DDTHH:mm` in the viewer's zone, or an ISO instant */
  start?: string;
  /** like `start` */
  end?: string;
  /** `YYYY-MM-DD`: the usual hours of that date */
  date?: string;
  /** id of a mission to make another one of */
  from?: string;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d((:\d\d(\.\d{1,3})?)?Z)?$/;

/** Anything that is no time counts as absent. The keys stay: the router lays them over what the address really says. */
export function readMissionSearch({ start, end, date, from }: Record<string, unknown>): MissionSearch {
  return {
    start: read(start, MOMENT),
    end: read(end, MOMENT),
    date: read(date, /^\d{4}-\d\d-\d\d$/),
    from: read(from, /^[\da-f-]{36}$/),
  };
}

function read(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
