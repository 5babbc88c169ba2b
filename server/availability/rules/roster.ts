/**
 * The roster: everything that says when the pilots of a community can fly, in memory, with the availability indexes over
 * it. It is told of changes and of the time; where the facts come from is `server/availability/roster-reader.ts`.
 */
import { leaveTime } from '#server/accounts/rules/leave.ts';
import { type Interval, mergeIntervals, overlaps } from '#server/time/intervals.ts';
import { DAY_MS, MINUTE_MS, MINUTES_PER_DAY } from '#server/time/time.ts';
import { busyDuring } from './busy-minutes.ts';
import { startsAfter } from './do-not-disturb.ts';
import { createExpansion, type Expansion, overrideTime, type Presence } from './dated-windows.ts';
import {
  type AvailabilityIndex,
  type AvailabilityReads,
  createAbsenceCounts,
  createAvailabilityIndex,
  createReads,
  type RealWindows,
} from './index/availability-index.ts';
import { DAY_REACH } from './index/exceptional-days.ts';
import type { MinuteSpan, WeekOf } from './index/pilot-weeks.ts';
import { mergeWeek, OFFERS_MAX, UNKNOWN_OFFER } from './index/week-windows.ts';
import { createNameOrder, type NameOrder } from './name-order.ts';
import { createPilotNumbers } from './pilot-numbers.ts';
import { freeWindows, type PilotPresences, presencesOf, timesOf } from './pilot-presences.ts';
import { type TimeQuestion, visitAt, type VisitOf } from './time-visit.ts';
import { createPilotPacking, type HeldSeat, type PackedPilot, type RosterPilot } from './roster-pilot.ts';

/** An aircraft that a pilot could fly at some time; null for any aircraft of the list. */
export type Offer = { readonly aircraftId: number | null; readonly levels: RosterPilot['levels'] };
const NO_LEVELS: RosterPilot['levels'] = new Map();

/** Pilots who are asked alike: those in Do Not Disturb only for times that start after an instant. */
export type FreeLayer = { readonly index: AvailabilityIndex; readonly startsAfterMs: number };

/** Pilots by the times at which they are present, and away. */
export type Presences = {
  readonly present: AvailabilityReads;
  readonly absent: Pick<AvailabilityReads, 'touch' | 'addCounts'>;
};

export type NamedPilot = Pick<RosterPilot, 'id' | 'name'>;

/** With the seats that the pilot holds. */
export type RosterPresences = PilotPresences & Pick<RosterPilot, 'name' | 'seats' | 'levels'>;

/** The pilots present throughout a time and those whose leave overlaps it, by id, and the number of all other active ones. */
export type PresencesAt = { readonly pilots: RosterPresences[]; readonly absent: number };

export interface Roster {
  /** Add or replace a pilot. */
  put: (pilot: RosterPilot) => void;
  drop: (id: string) => void;
  /** The time of the next answers: statuses and pending orders end with it. */
  advance: (nowMs: number) => void;
  size: () => number;
  /** The numbers of its pilots are below this. */
  bound: () => number;
  /** Active pilots by their free time: without their held seats. */
  free: () => readonly FreeLayer[];
  /** Active pilots by their presence, and by their absence. */
  presence: () => Presences;
  get: (id: string) => RosterPilot | undefined;
  named: (handle: number) => NamedPilot;
  levelsOf: (handle: number) => RosterPilot['levels'];
  /** The pilots' numbers by name, then by id. */
  byName: () => readonly number[];
  /** @param offer as the indexes give it; not the unknown one */
  offer: (offer: number) => Offer;
  /** The pilot's presences that touch a time of at most a day. */
  presencesDuring: (handle: number, time: Interval) => readonly Presence[];
  /** What the active pilots were at the last `advance`, by id. @param range to which the presences are limited */
  presences: (range: Interval) => RosterPresences[];
  /** Of them, those who matter for a mission. @param time of the mission: whole minutes, at most a day */
  presencesAt: (time: Interval) => PresencesAt;
  /** As `visitAt` in `time-visit.ts`. */
  visitAt: (question: TimeQuestion, visit: VisitOf) => void;
  /** bytes of the indexes */
  bytes: () => number;
}

const EXPANSIONS_KEPT = 64;
/** Minutes of a month, by which the expansions for busy times begin and end. */
const BUSY_SPAN = 30 * MINUTES_PER_DAY;
const toMinutes = ({ startMs, endMs }: Interval): MinuteSpan => ({
  from: Math.floor(startMs / MINUTE_MS),
  to: Math.ceil(endMs / MINUTE_MS),
});
const toMs = ({ from, to }: MinuteSpan): Interval => ({ startMs: from * MINUTE_MS, endMs: to * MINUTE_MS });

export function createRoster(): Roster {
  const numbers = createPilotNumbers();
  const packing = createPilotPacking();
  const entries: (PackedPilot | undefined)[] = [];
  const expansions = new Map<string, Expansion>();
  /** pilots whose windows change by themselves, and when they next do */
  const timed = new Map<number, number>();
  /** pilots who have a leave or seats */
  const taken = new Set<number>();
  const offers: Offer[] = [];
  const offersBy = new Map<string, number>();
  const offersOfLists = new WeakMap<RosterPilot['levels'], number>();
  let order: NameOrder | null = null;
  let nextChangeMs = Infinity;
  let nowMs = 0;

  const entryOf = (handle: number): PackedPilot => {
    const entry = entries[handle];
    if (!entry) throw new RangeError(`No pilot has the number ${handle}.`);
    return entry;
  };
  const nameOf = (handle: number): string => entryOf(handle).name;

  function makeOffer(key: string, offer: Offer): number {
    const known = offersBy.get(key);
    if (known !== undefined) return known;
    const made = offers.length + 1;
    if (made >= OFFERS_MAX) return UNKNOWN_OFFER;
    offers.push(offer);
    offersBy.set(key, made);
    return made;
  }

  /** Lists with the same aircraft, and slots for the same aircraft, are one offer. */
  function numberOfOffer(aircraftId: number | null, levels: RosterPilot['levels']): number {
    if (aircraftId !== null) return makeOffer(`aircraft ${aircraftId}`, { aircraftId, levels: NO_LEVELS });
    const known = offersOfLists.get(levels);
    if (known !== undefined) return known;
    const listed = [...levels.keys()].sort((a, b) => a - b).join(' ');
    const made = makeOffer(`any of ${listed}`, { aircraftId, levels });
    offersOfLists.set(levels, made);
    return made;
  }

  function expansionFor(span: MinuteSpan): Expansion {
    const key = `${span.from} ${span.to}`;
    const known = expansions.get(key);
    if (known) return known;
    const { startMs, endMs } = toMs(span);
    const made = createExpansion(startMs, endMs);
    const [oldest] = expansions.keys();
    if (expansions.size >= EXPANSIONS_KEPT && oldest !== undefined) expansions.delete(oldest);
    expansions.set(key, made);
    return made;
  }

  const heldSeats = ({ seats }: Pick<RosterPilot, 'seats'>): readonly HeldSeat[] =>
    seats.filter(({ expiresAtMs }) => expiresAtMs === null || expiresAtMs > nowMs);

  const isNear = ({ startMs, endMs }: Interval, span: MinuteSpan): boolean =>
    startMs <= span.to * MINUTE_MS && endMs >= span.from * MINUTE_MS;

  /** Presences of a pilot in a span that the indexes ask for. */
  const presentIn = (handle: number, span: MinuteSpan): Presence[] => {
    const entry = entryOf(handle);
    const { timeZone, status, rare } = entry;
    const times = timesOf({ timeZone, status, ...rare, slots: packing.slotsOf(entry) }, expansionFor(span), nowMs);
    return times.filter((presence) => isNear(presence, span));
  };

  const freeIn: RealWindows = (handle, span) => {
    const { rare, levels } = entryOf(handle);
    const presences = presentIn(handle, span);
    return freeWindows(presences, heldSeats(rare))
      .filter((window) => isNear(window, span))
      .map((window) => {
        const [first, ...rest] = presences.filter((presence) => overlaps(presence, window));
        const isOne = first && rest.every(({ aircraftId }) => aircraftId === first.aircraftId);
        return { ...toMinutes(window), ...(isOne && { offer: numberOfOffer(first.aircraftId, levels) }) };
      });
  };
  const weekOf: WeekOf = (handle) => mergeWeek(packing.slotsOf(entryOf(handle)));
  const indexes = {
    asked: createAvailabilityIndex(freeIn, weekOf),
    quiet: createAvailabilityIndex(freeIn, weekOf),
  };

  const presentWindows: RealWindows = (handle, span) => freeWindows(presentIn(handle, span), []).map(toMinutes);
  const absentWindows: RealWindows = (handle, span) => {
    const merged = mergeIntervals(presentIn(handle, span).map(toMinutes).map(toMs)).map(toMinutes);
    const gaps: MinuteSpan[] = [];
    // an absence that began before the span, or lasts beyond it, does so by the minute
    let from = span.from - 1;
    for (const window of merged) {
      if (window.from > from) gaps.push({ from, to: window.from });
      from = Math.max(from, window.to);
    }
    if (from < span.to + 1) gaps.push({ from, to: span.to + 1 });
    return gaps;
  };

  // presence is read from the same weeks as free time: only the exceptions of a day have other windows
  const weeks = [indexes.asked.weeks, indexes.quiet.weeks];
  const presenceReads: Presences = {
    present: createReads(weeks, presentWindows),
    absent: createAbsenceCounts(weeks, absentWindows),
  };

  /** The busy times that take anything away: most are at hours at which the week has nothing. */
  function busyOverWeek({ busy, slots, timeZone }: RosterPilot): Interval[] {
    if (busy.length === 0 || slots.length === 0) return [];
    // months, so that pilots share the calendars of their zones
    const from = Math.floor((busy[0] ?? 0) / BUSY_SPAN) * BUSY_SPAN;
    const to = Math.ceil((busy.at(-1) ?? 0) / BUSY_SPAN) * BUSY_SPAN;
    const presences = mergeIntervals(expansionFor({ from, to })(slots, timeZone));
    return presences.flatMap((presence) => busyDuring(busy, presence));
  }

  /** Where a pilot's presence may differ from the week. */
  function listExceptions(pilot: RosterPilot): MinuteSpan[] {
    const spans = pilot.overrides.map((override) => toMinutes(overrideTime(override, pilot.timeZone)));
    spans.push(...busyOverWeek(pilot).map(toMinutes));
    if (pilot.leave) spans.push(toMinutes(pilot.leave));
    const { state, expiresAtMs } = pilot.status;
    if (state === 'now' && expiresAtMs !== null) {
      // the presence begins now, whenever that is
      spans.push({ from: Math.floor((expiresAtMs - DAY_MS) / MINUTE_MS), to: Math.ceil(expiresAtMs / MINUTE_MS) });
    }
    // a list that has grown would keep room for many more
    return spans.slice();
  }

  /** When the pilot's windows next change by themselves: with the minute, or as an order or a status expires. */
  function nextChangeOf({ status, seats }: Pick<RosterPilot, 'status' | 'seats'>): number {
    const expiries = seats.map(({ expiresAtMs }) => expiresAtMs ?? Infinity).filter((ms) => ms > nowMs);
    const isLooking = status.state === 'now' && status.expiresAtMs !== null && status.expiresAtMs > nowMs;
    if (isLooking) expiries.push((Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS, status.expiresAtMs ?? Infinity);
    return Math.min(Infinity, ...expiries);
  }

  const isTimed = ({ status, seats }: RosterPilot): boolean =>
    status.state === 'now' || seats.some(({ expiresAtMs }) => expiresAtMs !== null);

  function touch(handle: number): void {
    indexes.asked.touch(handle);
    indexes.quiet.touch(handle);
    presenceReads.present.touch(handle);
    presenceReads.absent.touch(handle);
  }

  function forget(handle: number): void {
    indexes.asked.remove(handle);
    indexes.quiet.remove(handle);
    timed.delete(handle);
    taken.delete(handle);
    touch(handle);
  }

  /** Visit the active pilots who are present throughout a time. */
  function visitPresent(time: Interval, visit: (handle: number) => void): void {
    const { from, to } = toMinutes(time);
    presenceReads.present.visitFree(from, to, (handle) => {
      visit(handle);
      return false;
    });
  }

  function presencesIn(handle: number, expand: Expansion): RosterPresences {
    // not another copy of each of thousands
    const pilot = Object.assign(packing.unpack(entryOf(handle)), { id: numbers.idOf(handle) });
    const { name, levels } = pilot;
    return { ...presencesOf(pilot, expand, nowMs), name, levels, seats: heldSeats(pilot) };
  }

  /** Those of the pilots who are active. */
  function listPresences(handles: Iterable<number>, range: Interval): RosterPresences[] {
    const expand = createExpansion(range.startMs, range.endMs, { sharesSlots: true });
    const listed: RosterPresences[] = [];
    for (const handle of handles) if (entryOf(handle).isActive) listed.push(presencesIn(handle, expand));
    return listed;
  }

  function byName(): NameOrder {
    order ??= createNameOrder([...numbers.byId()], nameOf, numbers.idOf);
    return order;
  }

  return {
    put(pilot) {
      const handle = numbers.add(pilot.id);
      const known = entries[handle];
      const isRenamed = known !== undefined && known.name !== pilot.name;
      if (isRenamed) order?.remove(handle);
      forget(handle);
      const { timeZone, leaveDates, slots, levels, seats, isActive, status } = pilot;
      const dated = pilot.overrides.map((override) => ({ ...override, time: overrideTime(override, timeZone) }));
      // most pilots have none, and share an empty list
      const overrides = dated.length === 0 ? pilot.overrides : dated;
      const leave = leaveDates && leaveTime(leaveDates, timeZone);
      const whole = { ...pilot, overrides, leave };
      entries[handle] = packing.pack(whole);
      if (known === undefined || isRenamed) order?.add(handle);
      if (leave !== null || seats.length > 0) taken.add(handle);
      if (isTimed(pilot)) {
        const changesMs = nextChangeOf(pilot);
        timed.set(handle, changesMs);
        nextChangeMs = Math.min(nextChangeMs, changesMs);
      }
      if (!isActive) return;
      const dates = listExceptions(whole);
      const exceptions = seats.length === 0 ? dates : dates.concat(seats.map(toMinutes));
      const index = status.state === 'dnd' ? indexes.quiet : indexes.asked;
      const week = mergeWeek(
        slots.map(({ start, length, aircraftId }) => ({
          start,
          length,
          offer: numberOfOffer(aircraftId, levels),
        })),
      );
      index.add(handle, { timeZone, week, exceptions });
    },
    drop(id) {
      const handle = numbers.find(id);
      if (handle === undefined) return;
      order?.remove(handle);
      forget(handle);
      numbers.drop(id);
      entries[handle] = undefined;
    },
    advance(ms) {
      const isBack = ms < nowMs;
      nowMs = ms;
      if (!isBack && ms < nextChangeMs) return;
      nextChangeMs = Infinity;
      for (const [handle, changesMs] of timed) {
        let next = changesMs;
        if (isBack || changesMs <= ms) {
          touch(handle);
          const { status, rare } = entryOf(handle);
          next = nextChangeOf({ status, seats: rare.seats });
          timed.set(handle, next);
        }
        nextChangeMs = Math.min(nextChangeMs, next);
      }
    },
    size: numbers.size,
    bound: numbers.bound,
    free: () => [
      { index: indexes.asked, startsAfterMs: -Infinity },
      { index: indexes.quiet, startsAfterMs: startsAfter('dnd', nowMs) },
    ],
    presence: () => presenceReads,
    get(id) {
      const handle = numbers.find(id);
      return handle === undefined ? undefined : { id, ...packing.unpack(entryOf(handle)) };
    },
    named: (handle) => ({ id: numbers.idOf(handle), name: nameOf(handle) }),
    levelsOf: (handle) => entryOf(handle).levels,
    byName: () => byName().handles,
    offer(number) {
      const offer = offers[number - 1];
      if (!offer) throw new RangeError(`No offer has the number ${number}.`);
      return offer;
    },
    presencesDuring(handle, time) {
      // the span that the indexes ask for on that day, whose calendar is known
      const from = Math.floor(time.startMs / DAY_MS) * MINUTES_PER_DAY;
      const span = { from: from - 1, to: from + DAY_REACH + 1 };
      return presentIn(handle, span).filter((presence) => overlaps(presence, time));
    },
    presences: (range) => listPresences(numbers.byId(), range),
    presencesAt(time) {
      const there = new Set<number>();
      visitPresent(time, (handle) => there.add(handle));
      const asked: number[] = [];
      let absent = 0;
      for (const handle of numbers.byId()) {
        const { isActive, rare } = entryOf(handle);
        if (there.has(handle) || (isActive && rare.leave && overlaps(rare.leave, time))) asked.push(handle);
        else if (isActive) absent += 1;
      }
      return { pilots: listPresences(asked, time), absent };
    },
    visitAt: (question, visit) =>
      visitAt(
        {
          bound: numbers.bound,
          find: numbers.find,
          entryOf,
          busy: taken,
          visitPresent,
          names: byName(),
          readIn({ startMs, endMs }) {
            const expand = createExpansion(startMs, endMs, { sharesSlots: true });
            return (handle) => presencesIn(handle, expand);
          },
        },
        question,
        visit,
      ),
    bytes: () =>
      [indexes.asked, indexes.quiet].reduce((sum, index) => {
        const { columns, counters } = index.bytes();
        return sum + columns + counters;
      }, 0),
  };
}
