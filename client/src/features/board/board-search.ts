/** Search parameters of the operations board. Small: they are read in the entry chunk. */
export interface BoardSearch {
  /** `YYYY-MM-DD`, one of the seven days; else today */
  day?: string;
  /** absent: the chart */
  online?: 'table';
  /** absent: the grid */
  heat?: 'table';
  /** id; absent: windows for every aircraft */
  aircraft?: number;
}

/** Anything else counts as absent. The keys stay: the router lays them over what the address really says. */
export function readBoardSearch({ day, online, heat, aircraft }: Record<string, unknown>): BoardSearch {
  return {
    day: typeof day === 'string' ? day : undefined,
    online: readTable(online),
    heat: readTable(heat),
    aircraft: typeof aircraft === 'number' ? aircraft : undefined,
  };
}

function readTable(value: unknown): 'table' | undefined {
  return value === 'table' ? value : undefined;
}
