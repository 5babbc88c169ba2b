/** Search parameters of the operations board. Kept small, because the entry chunk contains it. */
export interface BoardSearch {
  /** `YYYY-MM-DD`, one of the seven days; today by default */
  day?: string;
  /** the chart by default */
  online?: 'table';
  /** the grid by default */
  heat?: 'table';
  /** aircraft id; all availability by default */
  aircraft?: number;
  /** length of the recommended times; 180 by default */
  minutes?: number;
  /** seats that a recommended time has to fill, as in `shared/seat-request.ts`; none by default */
  seats?: string;
}

/** Invalid values become undefined. All keys are returned, because the router merges them over the raw parameters. */
export function readBoardSearch({ day, online, heat, aircraft, minutes, seats }: Record<string, unknown>): BoardSearch {
  return {
    day: typeof day === 'string' ? day : undefined,
    online: readTable(online),
    heat: readTable(heat),
    aircraft: typeof aircraft === 'number' ? aircraft : undefined,
    minutes: typeof minutes === 'number' ? minutes : undefined,
    seats: typeof seats === 'string' ? seats : undefined,
  };
}

function readTable(value: unknown): 'table' | undefined {
  return value === 'table' ? value : undefined;
}
