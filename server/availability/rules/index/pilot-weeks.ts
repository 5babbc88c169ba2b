/** The weeks of pilots by time zone, and where their times may differ from them: what all reads of the same pilots share. */
import { MINUTES_PER_DAY } from '#server/time/time.ts';
import { DAY_REACH } from './exceptional-days.ts';
import { restOfWeek, type WeekWindow } from './week-windows.ts';
import { createZoneClock, type ZoneClock } from './zone-clock.ts';
import { type WeekKind, ZoneWeek } from './zone-week.ts';

/** [from, to) in minutes since 1970-01-01 UTC. */
export type MinuteSpan = { readonly from: number; readonly to: number };

export type PilotTimes = {
  readonly timeZone: string;
  /** as `mergeWeek` returns them */
  readonly week: readonly WeekWindow[];
  /** where the pilot's time may differ from the week; may overlap */
  readonly exceptions: readonly MinuteSpan[];
};

/** The week with which a pilot was added, whatever it offers: the columns keep windows by their starts, not by pilot. */
export type WeekOf = (pilot: number) => readonly WeekWindow[];

type Zone = { readonly clock: ZoneClock; readonly week: ZoneWeek };

export interface PilotWeeks {
  readonly zones: readonly Zone[];
  add: (pilot: number, times: PilotTimes) => void;
  /** @returns false for a pilot who is not there */
  remove: (pilot: number) => boolean;
  size: () => number;
  /** The numbers of its pilots are below this. */
  bound: () => number;
  zoneOf: (pilot: number) => Zone | undefined;
  weekOf: (pilot: number, kind: WeekKind) => readonly WeekWindow[];
  isExceptional: (pilot: number, day: number) => boolean;
  /** The pilots for whom the week may not tell what a UTC day and the next one are. */
  listExceptional: (day: number) => number[];
  /** Have counters for a duration, and drop those that were not used for longest. */
  keepDuration: (kind: WeekKind, duration: number) => void;
  /** bytes of the typed columns, and of the counters */
  bytes: () => { columns: number; counters: number };
}

const DURATIONS_KEPT = 6;

/** @param weekOf asked for a pilot who is removed, or whose times may differ from the week */
export function createPilotWeeks(weekOf: WeekOf): PilotWeeks {
  const zonesByName = new Map<string, Zone>();
  const zones: Zone[] = [];
  const zoneOfPilot: (Zone | undefined)[] = [];
  /** the beginning and the end of each span, one after the other, because objects would take three times as much */
  const exceptions = new Map<number, readonly number[]>();
  /** least recently used first */
  const durations = { windows: new Set<number>(), gaps: new Set<number>() };
  let size = 0;

  function zoneNamed(timeZone: string): Zone {
    const known = zonesByName.get(timeZone);
    if (known) return known;
    const zone = { clock: createZoneClock(timeZone), week: new ZoneWeek() };
    for (const kind of ['windows', 'gaps'] as const) {
      for (const duration of durations[kind]) zone.week.keepDuration(kind, duration);
    }
    zonesByName.set(timeZone, zone);
    zones.push(zone);
    return zone;
  }

  function isExceptional(pilot: number, day: number): boolean {
    const spans = exceptions.get(pilot);
    if (spans === undefined) return false;
    const from = day * MINUTES_PER_DAY;
    for (let at = 0; at < spans.length; at += 2) {
      // ends that touch count: a window can begin or end with the day
      if ((spans[at + 1] ?? 0) >= from && (spans[at] ?? 0) <= from + DAY_REACH) return true;
    }
    return false;
  }

  return {
    zones,
    add(pilot, { timeZone, week, exceptions: spans }) {
      const zone = zoneNamed(timeZone);
      zone.week.add(pilot, week);
      zoneOfPilot[pilot] = zone;
      if (spans.length > 0)
        exceptions.set(
          pilot,
          spans.flatMap(({ from, to }) => [from, to]),
        );
      size += 1;
    },
    remove(pilot) {
      const zone = zoneOfPilot[pilot];
      if (!zone) return false;
      zone.week.remove(pilot, weekOf(pilot));
      zoneOfPilot[pilot] = undefined;
      exceptions.delete(pilot);
      size -= 1;
      return true;
    },
    size: () => size,
    bound: () => zoneOfPilot.length,
    zoneOf: (pilot) => zoneOfPilot[pilot],
    weekOf: (pilot, kind) => (kind === 'windows' ? weekOf(pilot) : restOfWeek(weekOf(pilot))),
    isExceptional,
    listExceptional(day) {
      const changing = new Set(zones.filter(({ clock }) => clock.minuteOfWeek(day) === null));
      const pilots: number[] = [];
      for (const [pilot, zone] of zoneOfPilot.entries()) {
        if (zone && (changing.has(zone) || isExceptional(pilot, day))) pilots.push(pilot);
      }
      return pilots;
    },
    keepDuration(kind, duration) {
      const kept = durations[kind];
      if (kept.delete(duration)) {
        kept.add(duration);
        return;
      }
      const [oldest] = kept;
      if (kept.size >= DURATIONS_KEPT && oldest !== undefined) {
        kept.delete(oldest);
        for (const { week } of zones) week.dropDuration(kind, oldest);
      }
      kept.add(duration);
      for (const { week } of zones) week.keepDuration(kind, duration);
    },
    bytes() {
      let [columns, counters] = [0, 0];
      for (const { week } of zones) {
        const bytes = week.bytes();
        columns += bytes.columns;
        counters += bytes.counters;
      }
      return { columns, counters };
    },
  };
}
