/**
 * Scheduling as other programs do it: the algorithm of each, written anew and reduced to the question of these benchmarks:
 * for each quarter of an hour of a day, the number of people free for all of it. Data is prepared in the form that such a
 * program has it in, outside of the measured time.
 */
import { TIME_ZONES } from '#shared/vocabulary.ts';
import { type Crowd, DATE, MINUTES_PER_DAY, WEEKDAYS } from './crowd.ts';
import { CELL_MINUTES, CELLS, DAY_MS, type Windows } from './dated-crowd.ts';

/** One answer: the people free in each cell. */
export type Count = () => ArrayLike<number>;

const cellMs = (cell: number): number => DAY_MS + cell * CELL_MINUTES * 60_000;
const cellName = (cell: number): string => {
  const [hour, minute] = [Math.floor(cell / 4), (cell % 4) * CELL_MINUTES];
  return `${String(hour).padStart(2, '0')}${String(minute).padStart(2, '0')}-${DATE.split('-').toReversed().join('')}`;
};
const allCells = Array.from({ length: CELLS }, (_, cell) => cell);

/** The cells that each person is free for, which such programs store. Times that are no quarter hours do not fit in. */
function cellsOf({ first, start, end }: Windows): number[][] {
  return Array.from({ length: first.length - 1 }, (_, pilot) => {
    const cells: number[] = [];
    for (let window = first[pilot] ?? 0; window < (first[pilot + 1] ?? 0); window += 1) {
      const from = Math.max(0, Math.ceil((start[window] ?? 0) / CELL_MINUTES));
      const to = Math.min(CELLS, Math.floor((end[window] ?? 0) / CELL_MINUTES));
      for (let cell = from; cell < to; cell += 1) cells.push(cell);
    }
    return cells;
  });
}

/** As Crab Fit does it: for each cell, for each person, a search for the cell's name in the person's list of names. */
export function searchStrings(windows: Windows): Count {
  const names = allCells.map(cellName);
  const people = cellsOf(windows).map((cells, pilot) => ({
    name: `Pilot ${pilot}`,
    availability: cells.map((cell) => names[cell] ?? ''),
  }));
  return () =>
    names.map((cell) => people.flatMap(({ name, availability }) => (availability.includes(cell) ? [name] : [])).length);
}

/** As Timeful does it: each person's times as a set, and for each cell a set of the people who have it. */
export function mapOfSets(windows: Windows): Count {
  const times = allCells.map(cellMs);
  const responses = new Map(cellsOf(windows).map((cells, pilot) => [`p${pilot}`, new Set(cells.map(cellMs))]));
  return () => {
    const formatted = new Map(times.map((time) => [time, new Set<string>()]));
    for (const time of times) {
      for (const [person, available] of responses) {
        if (available.has(time)) formatted.get(time)?.add(person);
      }
    }
    return times.map((time) => formatted.get(time)?.size ?? 0);
  };
}

/** Data as it arrives over HTTP: equal short texts are then one object in memory, which makes comparing them fast. */
const received = <Data>(data: Data): Data => JSON.parse(JSON.stringify(data)) as Data;

type Score = { readonly yes: string[]; readonly ifNeedBe: string[] };

/**
 * As Rallly scores: for each option a reduction over all participants, which finds the participant's vote for that option.
 * Only votes of yes are stored here, which is fewer to search than in a poll where people also vote no.
 */
export function scoreOptions(windows: Windows): Count {
  const options = received(allCells.map((cell) => ({ id: `option-${cell}` })));
  const participants = cellsOf(windows).map((cells, pilot) =>
    received({ id: `p${pilot}`, votes: cells.map((cell) => ({ optionId: `option-${cell}`, type: 'yes' })) }),
  );
  return () =>
    options.map(({ id: optionId }) => {
      const score = participants.reduce<Score>(
        (sum, { id, votes }) => {
          const vote = votes.find((one) => one.optionId === optionId);
          if (vote?.type === 'yes') sum.yes.push(id);
          else if (vote?.type === 'ifNeedBe') sum.ifNeedBe.push(id);
          return sum;
        },
        { yes: [], ifNeedBe: [] },
      );
      return score.yes.length;
    });
}

/** Minute of the week, and minute since the measured date began, at each cell in each zone. */
export function wallClocks(): { ofWeek: Uint16Array; ofDate: Int16Array } {
  const weekday = Temporal.PlainDate.from(DATE).dayOfWeek % WEEKDAYS;
  const midnights = TIME_ZONES.map(
    (zone) => (Temporal.PlainDate.from(DATE).toZonedDateTime(zone).epochMilliseconds - DAY_MS) / 60_000,
  );
  const ofDate = Int16Array.from(
    midnights.flatMap((midnight) => allCells.map((cell) => cell * CELL_MINUTES - midnight)),
  );
  const week = WEEKDAYS * MINUTES_PER_DAY;
  return { ofDate, ofWeek: Uint16Array.from(ofDate, (minute) => (minute + weekday * MINUTES_PER_DAY + week) % week) };
}

/**
 * A plain grid scan, our own: for each cell, for each person, the weekly slots in the person's zone and the exception. The
 * columns are typed and nothing is allocated. Times are quarter hours.
 */
export function scanGrid({ zone, firstSlot, weekday, start, length, overrides }: Crowd): Count {
  const { ofWeek, ofDate } = wallClocks();
  const week = WEEKDAYS * MINUTES_PER_DAY;
  const startOfWeek = Uint16Array.from(start, (minute, slot) => (weekday[slot] ?? 0) * MINUTES_PER_DAY + minute);
  /** by pilot; -1: none */
  const exceptionOf = new Int32Array(zone.length).fill(-1);
  overrides.pilot.forEach((pilot, index) => (exceptionOf[pilot] = index));

  const isExcepted = (exception: number, minute: number): boolean => {
    const since = minute - (overrides.day[exception] ?? 0) * MINUTES_PER_DAY - (overrides.start[exception] ?? 0);
    return since >= 0 && since + CELL_MINUTES <= (overrides.length[exception] ?? 0);
  };
  return () => {
    const counts = new Uint32Array(CELLS);
    for (let cell = 0; cell < CELLS; cell += 1) {
      let count = 0;
      for (let pilot = 0; pilot < zone.length; pilot += 1) {
        const clock = (zone[pilot] ?? 0) * CELLS + cell;
        const minute = ofWeek[clock] ?? 0;
        const last = firstSlot[pilot + 1] ?? 0;
        let isFree = false;
        for (let slot = firstSlot[pilot] ?? 0; slot < last && !isFree; slot += 1) {
          let since = minute - (startOfWeek[slot] ?? 0);
          if (since < 0) since += week;
          isFree = since + CELL_MINUTES <= (length[slot] ?? 0);
        }
        const exception = exceptionOf[pilot] ?? -1;
        if (exception >= 0 && isExcepted(exception, ofDate[clock] ?? 0)) isFree = overrides.isAway[exception] === 0;
        if (isFree) count += 1;
      }
      counts[cell] = count;
    }
    return counts;
  };
}

/** One read of all slots, four at a time, without looking at them: no program that reads the slots is faster. */
export function readOnce(packed: Uint32Array): () => number {
  const whole = packed.length - (packed.length % 4);
  return () => {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let slot = 0; slot < whole; slot += 4) {
      a ^= packed[slot] ?? 0;
      b ^= packed[slot + 1] ?? 0;
      c ^= packed[slot + 2] ?? 0;
      d ^= packed[slot + 3] ?? 0;
    }
    for (let slot = whole; slot < packed.length; slot += 1) a ^= packed[slot] ?? 0;
    return a ^ b ^ c ^ d;
  };
}
