/**
 * Visits the pilots of a roster in groups: present at a time, partly present, on leave, absent. For short lists from a large
 * community: the index says who is present, and presences are read only for pilots who are visited.
 */
import { firstOverlap, type Interval, overlaps } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import type { NameOrder } from './name-order.ts';
import type { RosterPresences } from './roster.ts';
import type { PackedPilot, RosterPilot } from './roster-pilot.ts';

/** Groups of pilots in the order of a visit. `first`: pilots with a seat at that time, and those the caller names. */
export type TimePart = 'first' | 'present' | 'partly' | 'onLeave' | 'absent';

export type TimeQuestion = {
  /** of a mission: whole minutes, at most a day */
  readonly time: Interval;
  /** ids of pilots who are visited first, whatever their times */
  readonly first?: Iterable<string>;
  /** present at one of these, but not throughout, is `partly`; without any, it is `absent` */
  readonly instants?: readonly number[];
  /** only pilots whose names it accepts */
  readonly isWanted?: (name: string) => boolean;
  /** a whole number from 0: within a part, pilots with a lower one come first; `absent` pilots are too many to be ranked */
  readonly rankOf?: (levels: RosterPilot['levels']) => number;
};

export type VisitOf = (pilot: RosterPresences, part: TimePart) => boolean;

/** The parts of a roster that a visit reads. */
type Visited = {
  readonly bound: () => number;
  readonly find: (id: string) => number | undefined;
  readonly entryOf: (handle: number) => PackedPilot;
  /** pilots with a leave or seats, at any time */
  readonly busy: Iterable<number>;
  readonly visitPresent: (time: Interval, visit: (handle: number) => void) => void;
  readonly names: NameOrder;
  readonly readIn: (time: Interval) => (handle: number) => RosterPresences;
};

/**
 * Visit the active pilots part by part, in each by rank and name.
 * @param visit returns true to go on with the next part
 */
export function visitAt(
  { bound, find, entryOf, busy, visitPresent, names, readIn }: Visited,
  { time, first = [], instants = [], isWanted = () => true, rankOf }: TimeQuestion,
  visit: VisitOf,
): void {
  const isListed = new Uint8Array(bound());
  const handlesOf: Record<Exclude<TimePart, 'absent'>, number[]> = { first: [], present: [], partly: [], onLeave: [] };
  const list = (handle: number, part: keyof typeof handlesOf): void => {
    if (isListed[handle] === 1) return;
    isListed[handle] = 1;
    handlesOf[part].push(handle);
  };
  for (const id of first) {
    const handle = find(id);
    if (handle !== undefined) list(handle, 'first');
  }
  for (const handle of busy) {
    const { leave, seats } = entryOf(handle).rare;
    if (firstOverlap(seats, time)) list(handle, 'first');
    else if (leave && overlaps(leave, time)) list(handle, 'onLeave');
  }
  visitPresent(time, (handle) => list(handle, 'present'));
  for (const startMs of instants)
    visitPresent({ startMs, endMs: startMs + MINUTE_MS }, (handle) => list(handle, 'partly'));

  const isAsked = (handle: number): boolean => {
    const { isActive, name } = entryOf(handle);
    return isActive && isWanted(name);
  };
  const read = readIn(time);
  const visitAll = (handles: Iterable<number>, part: TimePart): void => {
    for (const handle of handles) if (isAsked(handle) && visit(read(handle), part)) return;
  };
  const places = names.places();
  const placeOf = (handle: number): number => places[handle] ?? 0;
  for (const part of ['first', 'present', 'partly', 'onLeave'] as const) {
    const handles = handlesOf[part].sort((one, other) => placeOf(one) - placeOf(other));
    const ranks: number[][] = rankOf ? [] : [handles];
    if (rankOf) for (const handle of handles) (ranks[rankOf(entryOf(handle).levels)] ??= []).push(handle);
    visitAll(ranks.flat(), part);
  }
  const absent = names.handles.values().filter((handle) => isListed[handle] === 0);
  visitAll(absent, 'absent');
}
