/** Search parameters of Create Mission. Kept small, because the entry chunk contains it. */
export interface MissionSearch {
  /** wall time `YYYY-MM-DDTHH:mm` in the viewer's zone, or an ISO instant */
  start?: string;
  /** like `start` */
  end?: string;
  /** `YYYY-MM-DD`: the default hours on that date */
  date?: string;
  /** id of a mission to copy */
  from?: string;
  /** id of a template that fills in the form */
  template?: string;
  /** seats by aircraft, as in `shared/seat-request.ts` */
  seats?: string;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d((:\d\d(\.\d{1,3})?)?Z)?$/;

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readMissionSearch({ start, end, date, from, template, seats }: Record<string, unknown>): MissionSearch {
  return {
    start: read(start, MOMENT),
    end: read(end, MOMENT),
    date: read(date, /^\d{4}-\d\d-\d\d$/),
    from: read(from, /^[\da-f-]{36}$/),
    template: read(template, /^[\da-z-]{8,36}$/),
    seats: read(seats, /x/),
  };
}

function read(value: unknown, form: RegExp): string | undefined {
  return typeof value === 'string' && form.test(value) ? value : undefined;
}
