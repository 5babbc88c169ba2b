/**
 * Oracle of the board: computes its figures minute by minute from the rules alone, without code of the product and with
 * Intl for the calendar. Deliberately simple and slow.
 */
import type { Community, CommunityPilot, CommunitySlot } from './community.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Margin around the requested range, so that windows that extend beyond it are complete. */
const MARGIN_MS = 4 * DAY_MS;
const DO_NOT_DISTURB_MS = DAY_MS;
const LONGEST_MINUTES = 360;

const clocks = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

/** Wall time of an instant, as if it were UTC. Clock changes are on quarter hours. */
function wallMs(ms: number, zone: string): number {
  const quarter = Math.floor(ms / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, ofZone);
  let offset = ofZone.get(quarter);
  if (offset === undefined) {
    const clock =
      clocks.get(zone) ??
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
      });
    clocks.set(zone, clock);
    const shown = Object.fromEntries(clock.formatToParts(quarter).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = shown;
    offset = Date.UTC(year, month - 1, day, hour, minute) - quarter;
    ofZone.set(quarter, offset);
  }
  return ms + offset;
}

/** The first instant of a wall time; a skipped time moves on by the length of the gap. */
function instantOf(wall: number, zone: string): number {
  const guesses = [-DAY_MS, DAY_MS].map((away) => wall - (wallMs(wall + away, zone) - (wall + away)));
  const right = guesses.filter((ms) => wallMs(ms, zone) === wall);
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses);
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateText = (wall: number): string => new Date(wall).toISOString().slice(0, 10);
const timeText = (wall: number): string => new Date(wall).toISOString().slice(11, 16);

/** A window of wall times that begins on a date (midnight as if UTC). */
function windowOf(day: number, { startLocal, endLocal }: Omit<CommunitySlot, 'weekday'>, zone: string) {
  const startMinute = minutesOf(startLocal);
  const endMinute = minutesOf(endLocal) <= startMinute ? minutesOf(endLocal) + 1_440 : minutesOf(endLocal);
  const startMs = instantOf(day + startMinute * MINUTE_MS, zone);
  const endMs = instantOf(day + endMinute * MINUTE_MS, zone);
  // a slot within the skipped hour keeps its length, so none is lost
  return { startMs, endMs: endMs > startMs ? endMs : startMs + (endMinute - startMinute) * MINUTE_MS };
}

export type OracleTime = {
  startUtc: string;
  endUtc: string;
  startLocal: string;
  endLocal: string;
  ids: string[];
  names: string[];
};

export type Oracle = {
  recommend: (ask: { date: string; tz: string; minDuration: number; limit: number }) => {
    total: number;
    times: OracleTime[];
  };
  /** times of exactly `minutes` that fill most of the seats; `most`: at any minute of that day, tried one by one */
  fill: (ask: {
    date: string;
    tz: string;
    minutes: number;
    limit: number;
    seats: readonly { aircraftId: number; seats: number }[];
  }) => { most: number; times: { startUtc: string; endUtc: string; filled: number; ids: string[] }[] };
  online: (ask: { fromMs: number; toMs: number; bucket: number }) => {
    startUtc: string;
    expected: number;
    partial: number;
    committed: number;
  }[];
  /** active pilots without another seat who can fly the aircraft throughout; they list none */
  fly: (ask: { startMs: number; endMs: number; aircraftId: number }) => string[];
  heat: (ask: { startDate: string; tz: string; aircraftId: number }) => {
    dateLocal: string;
    hours: { startUtc: string; startLocal: string; pilots: number }[];
  }[];
};

/**
 * The most seats that can be filled, found by trying every choice of every pilot.
 * @param choices for each pilot the kinds of seats that fit
 * @param seats free seats of each kind
 */
function mostSeated(choices: readonly (readonly number[])[], seats: readonly number[]): number {
  const known = new Map<string, number>();
  const best = (pilot: number, left: readonly number[]): number => {
    if (pilot === choices.length || left.every((count) => count === 0)) return 0;
    const key = `${pilot} ${left.join()}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const taken = (choices[pilot] ?? [])
      .filter((kind) => (left[kind] ?? 0) > 0)
      .map((kind) => 1 + best(pilot + 1, left.with(kind, (left[kind] ?? 0) - 1)));
    const most = Math.max(best(pilot + 1, left), ...taken);
    known.set(key, most);
    return most;
  };
  return best(0, seats);
}

/** @param range range of the requests; results are correct up to a few hours beyond it */
export function createOracle(
  { pilots, missions }: Community,
  nowMs: number,
  range: { fromMs: number; toMs: number },
): Oracle {
  const originMs = range.fromMs - MARGIN_MS;
  const minutes = (range.toMs + MARGIN_MS - originMs) / MINUTE_MS;
  const msAt = (minute: number): number => originMs + minute * MINUTE_MS;
  const minuteAt = (ms: number): number => Math.round((ms - originMs) / MINUTE_MS);
  const active = pilots.filter((pilot) => pilot.active);
  const iso = (minute: number): string => new Date(msAt(minute)).toISOString();
  const isoLocal = (minute: number, zone: string): string =>
    new Date(wallMs(msAt(minute), zone)).toISOString().slice(0, 16);

  function paint(line: Uint8Array, value: 0 | 1, { startMs, endMs }: { startMs: number; endMs: number }): void {
    for (let minute = minuteAt(startMs); minute < minuteAt(endMs); minute += 1) {
      if (minute >= 0 && minute < minutes) line[minute] = value;
    }
  }

  const known = new Map<string, Uint8Array>();

  /** 1 for every minute at which the pilot is available; with an aircraft, for it or for any. */
  function presence(pilot: CommunityPilot, aircraftId = 0): Uint8Array {
    const key = `${pilot.id} ${aircraftId}`;
    const line = known.get(key) ?? drawPresence(pilot, aircraftId);
    known.set(key, line);
    return line;
  }

  function drawPresence(pilot: CommunityPilot, aircraftId: number): Uint8Array {
    const line = new Uint8Array(minutes);
    const suits = (one: { aircraftId: number | null }) =>
      aircraftId === 0 || one.aircraftId === null || one.aircraftId === aircraftId;
    const firstDay = Math.floor(originMs / DAY_MS) * DAY_MS - 2 * DAY_MS;
    for (let day = firstDay; day < msAt(minutes) + 2 * DAY_MS; day += DAY_MS) {
      for (const slot of pilot.slots) {
        const isThatDay = new Date(day).getUTCDay() === slot.weekday;
        if (isThatDay && suits(slot)) paint(line, 1, windowOf(day, slot, pilot.zone));
      }
    }
    for (const time of pilot.busy) paint(line, 0, time);
    for (const kind of ['unavailable', 'available'] as const) {
      for (const one of pilot.overrides.filter((override) => override.kind === kind)) {
        const window = windowOf(dayOf(one.dateLocal), one, pilot.zone);
        if (kind === 'unavailable') paint(line, 0, window);
        else if (suits(one)) paint(line, 1, window);
      }
    }
    if (pilot.minutesLeft !== null) {
      paint(line, 1, { startMs: nowMs, endMs: nowMs + pilot.minutesLeft * MINUTE_MS });
    }
    if (pilot.leave !== null) {
      const startMs = instantOf(dayOf(pilot.leave.firstDate), pilot.zone);
      paint(line, 0, { startMs, endMs: instantOf(dayOf(pilot.leave.lastDate) + DAY_MS, pilot.zone) });
    }
    return line;
  }

  function free(pilot: CommunityPilot, aircraftId = 0): Uint8Array {
    const line = presence(pilot, aircraftId).slice();
    for (const mission of missions) {
      if (mission.seats.some(({ pilotId, kind }) => pilotId === pilot.id && kind !== 'expired'))
        paint(line, 0, mission);
    }
    return line;
  }

  /** True if the pilot accepts any missions that start at that minute. */
  const answers = (pilot: CommunityPilot, minute: number): boolean =>
    pilot.state !== 'dnd' || msAt(minute) - nowMs > DO_NOT_DISTURB_MS;

  function isAll(line: Uint8Array, from: number, to: number): boolean {
    for (let minute = from; minute < to; minute += 1) if (line[minute] !== 1) return false;
    return true;
  }
  function isSome(line: Uint8Array, from: number, to: number): boolean {
    for (let minute = from; minute < to; minute += 1) if (line[minute] === 1) return true;
    return false;
  }
  const flown = missions.map((mission) => {
    const line = new Uint8Array(minutes);
    paint(line, 1, mission);
    return { ...mission, line };
  });

  /** The minutes of a local date. */
  function minutesOfDate(date: string, zone: string): number[] {
    const found: number[] = [];
    const day = dayOf(date);
    const near = minuteAt(day);
    for (let minute = near - 1_440; minute < near + 2 * 1_440; minute += 1) {
      const wall = wallMs(msAt(minute), zone);
      if (wall >= day && wall < day + DAY_MS) found.push(minute);
    }
    return found;
  }

  return {
    recommend({ date, tz, minDuration, limit }) {
      const day = minutesOfDate(date, tz);
      const crowd = active.map((pilot) => ({ pilot, line: free(pilot) }));
      const starts = new Set(day.filter((_, index) => index % 15 === 0));
      for (const { line } of crowd) {
        for (let minute = 1; minute < minutes; minute += 1) {
          if (line[minute] === 1 && line[minute - 1] === 0) starts.add(minute);
          if (line[minute] === 0 && line[minute - 1] === 1) starts.add(minute - minDuration);
        }
      }
      const ofDay = new Set(day);
      const candidates = [...starts]
        .filter((start) => ofDay.has(start) && msAt(start) >= nowMs)
        .map((start) => {
          const present = crowd.filter(
            ({ pilot, line }) => answers(pilot, start) && isAll(line, start, start + minDuration),
          );
          let end = start + minDuration;
          while (end - start < LONGEST_MINUTES && present.every(({ line }) => line[end] === 1)) end += 1;
          const beside = flown.filter(({ status, line }) => status === 'scheduled' && isSome(line, start, end)).length;
          return { start, end, present: present.map(({ pilot }) => pilot), beside };
        })
        .filter(({ present }) => present.length > 0);
      candidates.sort(
        (a, b) =>
          b.present.length - a.present.length ||
          b.end - b.start - (a.end - a.start) ||
          a.beside - b.beside ||
          a.start - b.start,
      );
      const kept: typeof candidates = [];
      for (const one of candidates) {
        const isRepeated = kept.some((better) => {
          let shared = 0;
          for (let minute = one.start; minute < one.end; minute += 1) {
            if (minute >= better.start && minute < better.end) shared += 1;
          }
          return shared >= (one.end - one.start) / 2 && one.present.every((pilot) => better.present.includes(pilot));
        });
        if (!isRepeated) kept.push(one);
      }
      return {
        total: crowd.filter(({ pilot, line }) =>
          day.some(
            (minute) => line[minute] === 1 && (pilot.state !== 'dnd' || msAt(minute) >= nowMs + DO_NOT_DISTURB_MS),
          ),
        ).length,
        times: kept.slice(0, limit).map(({ start, end, present }) => {
          const people = present.toSorted((a, b) =>
            a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1,
          );
          return {
            startUtc: iso(start),
            endUtc: iso(end),
            startLocal: isoLocal(start, tz),
            endLocal: isoLocal(end, tz),
            ids: people.map(({ id }) => id),
            names: people.map(({ name }) => name),
          };
        }),
      };
    },

    fill({ date, tz, minutes: length, limit, seats }) {
      const day = minutesOfDate(date, tz);
      const crowd = active.map((pilot) => ({
        pilot,
        line: free(pilot),
        lines: seats.map(({ aircraftId }) => free(pilot, aircraftId)),
      }));
      const fillAt = (start: number): number => {
        const choices = crowd
          .filter(({ pilot }) => answers(pilot, start))
          .map(({ lines }) => lines.flatMap((line, index) => (isAll(line, start, start + length) ? [index] : [])));
        return mostSeated(
          choices.filter((fits) => fits.length > 0),
          seats.map((one) => one.seats),
        );
      };
      const starts = new Set(day.filter((_, index) => index % 15 === 0));
      for (const line of crowd.flatMap(({ lines }) => lines)) {
        for (let minute = 1; minute < minutes; minute += 1) {
          if (line[minute] === 1 && line[minute - 1] === 0) starts.add(minute);
          if (line[minute] === 0 && line[minute - 1] === 1) starts.add(minute - length);
        }
      }
      const ahead = day.filter((start) => msAt(start) >= nowMs);
      const candidates = ahead
        .filter((start) => starts.has(start))
        .map((start) => ({
          start,
          filled: fillAt(start),
          present: crowd
            .filter(({ pilot, line }) => answers(pilot, start) && isAll(line, start, start + length))
            .map(({ pilot }) => pilot.id),
          beside: flown.filter(({ status, line }) => status === 'scheduled' && isSome(line, start, start + length))
            .length,
        }))
        .filter(({ filled }) => filled > 0)
        .sort(
          (a, b) =>
            b.filled - a.filled || b.present.length - a.present.length || a.beside - b.beside || a.start - b.start,
        );
      const kept: typeof candidates = [];
      for (const one of candidates) {
        if (kept.every(({ start }) => Math.abs(start - one.start) > length / 2)) kept.push(one);
      }
      return {
        most: Math.max(0, ...ahead.map(fillAt)),
        times: kept.slice(0, limit).map(({ start, filled, present }) => ({
          startUtc: iso(start),
          endUtc: iso(start + length),
          filled,
          ids: present.toSorted(),
        })),
      };
    },

    online({ fromMs, toMs, bucket }) {
      const lines = active.map((pilot) => presence(pilot));
      const activeIds = new Set(active.map(({ id }) => id));
      const points = [];
      for (let from = minuteAt(fromMs); from < minuteAt(toMs); from += bucket) {
        const to = from + bucket;
        const expected = lines.filter((line) => isAll(line, from, to)).length;
        points.push({
          startUtc: iso(from),
          expected,
          partial: lines.filter((line) => isSome(line, from, to)).length - expected,
          committed: flown
            .filter(({ line }) => isSome(line, from, to))
            .flatMap(({ seats }) => seats)
            .filter(({ pilotId, kind }) => kind === 'accepted' && activeIds.has(pilotId)).length,
        });
      }
      return points;
    },

    fly({ startMs, endMs, aircraftId }) {
      const [from, to] = [minuteAt(startMs), minuteAt(endMs)];
      return active.filter((one) => answers(one, from) && isAll(free(one, aircraftId), from, to)).map(({ id }) => id);
    },

    heat({ startDate, tz, aircraftId }) {
      const crowd = active.map((pilot) => ({ pilot, line: free(pilot, aircraftId) }));
      return [0, 1, 2, 3, 4, 5, 6].map((days) => {
        const dateLocal = dateText(dayOf(startDate) + days * DAY_MS);
        const day = minutesOfDate(dateLocal, tz);
        // an hour begins at each full hour of the wall time: twice if it is repeated, never if it is skipped
        const starts = day.filter((minute) => wallMs(msAt(minute), tz) % (60 * MINUTE_MS) === 0);
        return {
          dateLocal,
          hours: starts.map((start) => ({
            startUtc: iso(start),
            startLocal: timeText(wallMs(msAt(start), tz)),
            pilots: crowd.filter(({ pilot, line }) => answers(pilot, start) && isAll(line, start, start + 60)).length,
          })),
        };
      });
    },
  };
}
