/**
 * Reads the roster from PostgreSQL and keeps it true: before each answer it asks which pilots have changed since the last
 * one, and reads only those again. PostgreSQL is the truth, so any process can have a roster, and none answers stale.
 */
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import type { WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { AircraftLevels, packLevels } from '#server/availability/rules/aircraft-levels.ts';
import { createRoster, type Roster } from '#server/availability/rules/roster.ts';
import {
  type HeldSeat,
  type RosterPilot,
  rosterSlot,
  type RosterSlot,
} from '#server/availability/rules/roster-pilot.ts';
import { addDays, DAY_MS, HOUR_MS, localDate } from '#server/time/time.ts';
import type { StoredStatus } from '#shared/pilot-status.ts';
import { busyRange, selectOverrides, selectPilots, selectSlots, toPilots } from './pilot-rows.ts';
import { CHANGES_KEPT_HOURS, readRosterChanges, readSnapshot } from './roster-changes.ts';

/** Pilots whose rows are read at a time: few enough for the time limit of statements on a busy machine. */
const CHUNK = 500;
/** Pilots that a check compares: it takes milliseconds, and the pilots of a large community a day. */
const CHECKED = 100;
/** Overrides, busy times and seats that end earlier before the range are not read. */
const MARGIN_DAYS = 4;
/** A roster that is kept answers for ranges from here on. */
const KEPT_PAST_MS = 2 * DAY_MS;
/** Long before the changes since its last answer are dropped, a roster is read again. */
const FORGOTTEN_MS = (CHANGES_KEPT_HOURS / 2) * HOUR_MS;

export interface RosterReader {
  /**
   * The roster with everything that was committed before the call, at an instant.
   * @param from the beginning of the range that will be asked for
   * @returns to be used before the next `await`: another call may move it on
   */
  read: (em: Em, from: number, now: Date) => Promise<Roster>;
  /**
   * Read some pilots again and compare them with the kept roster; each call takes the next ones. A roster that differs is
   * dropped, and read again for the next answer.
   * @returns null without a kept roster
   */
  check: (em: Em) => Promise<RosterCheck | null>;
}

export type RosterCheck = {
  readonly checked: number;
  /** pilots whose latest changes the roster had not read yet */
  readonly behind: number;
  readonly different: readonly string[];
};

/** Where reads over all pilots come from: the community's rows, and its roster. */
export type RosterSource = { readonly em: Em; readonly rosters: RosterReader };

/** Gives out one object for equal values, because many pilots have the same slots and lists. */
function createPool<Value, Shared>(
  keyOf: (value: Value) => string,
  make: (value: Value) => Shared,
): (value: Value) => Shared {
  const known = new Map<string, Shared>();
  return (value) => {
    const key = keyOf(value);
    const shared = known.get(key) ?? make(value);
    known.set(key, shared);
    return shared;
  };
}

type Pools = {
  readonly text: (text: string) => string;
  readonly status: (status: StoredStatus) => StoredStatus;
  readonly slot: (slot: WeeklySlot) => RosterSlot;
  readonly levels: (packed: string) => AircraftLevels;
};

const NONE: readonly never[] = [];

const createTextPool = () =>
  createPool(
    (text: string) => text,
    (text) => text,
  );

const createPools = (text = createTextPool()): Pools => ({
  text,
  status: createPool(
    ({ state, minutes, expiresAtMs }: StoredStatus) => `${state} ${minutes} ${expiresAtMs}`,
    (status) => status,
  ),
  slot: createPool(
    ({ weekday, startLocal, endLocal, aircraftId, notes }: WeeklySlot) =>
      `${weekday} ${startLocal} ${endLocal} ${aircraftId} ${notes === null ? '' : `noted ${notes}`}`,
    (slot) => rosterSlot({ ...slot, startLocal: text(slot.startLocal), endLocal: text(slot.endLocal) }),
  ),
  levels: createPool(
    (packed: string) => packed,
    (packed) => new AircraftLevels(packed),
  ),
});

/** @param fromMs overrides, busy times and seats from here on */
async function readPilots(em: Em, ids: readonly string[], fromMs: number, pools: Pools): Promise<RosterPilot[]> {
  const ofPilots = isOneOf('u.id', ids);
  const from = addDays(localDate(fromMs, 'UTC'), -MARGIN_DAYS);
  const pilots = toPilots({
    pilots: await selectPilots(db(em), ofPilots, busyRange({ startMs: fromMs - MARGIN_DAYS * DAY_MS })).execute(),
    slots: await selectSlots(db(em), ofPilots).execute(),
    overrides: await selectOverrides(db(em), ofPilots, { from }).execute(),
  });
  const seats = await db(em)
    .selectFrom('seat as s')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .select(({ ref }) => [
      's.pilot_id as userId',
      ms(ref('s.starts_at')).as('startMs'),
      ms(ref('s.ends_at')).as('endMs'),
      'o.rsvp',
      ms(ref('o.expires_at')).as('expiresMs'),
    ])
    .where(isOneOf('s.pilot_id', ids))
    .where('s.ends_at', '>=', new Date(fromMs - MARGIN_DAYS * DAY_MS))
    .execute();
  const levels = await db(em)
    .selectFrom('proficiency')
    .select(['user_id as userId', 'aircraft_id as aircraftId', 'level'])
    .where(isOneOf('user_id', ids))
    .execute();
  const seatsOf = Map.groupBy(seats, ({ userId }) => userId);
  const levelsOf = Map.groupBy(levels, ({ userId }) => userId);
  return pilots.map((pilot) => ({
    ...pilot,
    timeZone: pools.text(pilot.timeZone),
    status: pools.status(pilot.status),
    overrides: pilot.overrides.map(({ dateLocal, kind, startLocal, endLocal, aircraftId, notes }) => ({
      dateLocal: pools.text(dateLocal),
      // a constant instead of a text of its own
      kind: kind === 'available' ? 'available' : 'unavailable',
      startLocal: pools.text(startLocal),
      endLocal: pools.text(endLocal),
      aircraftId,
      notes,
    })),
    slots: pilot.slots.map(({ weekday, startLocal, endLocal, aircraftId, notes }) =>
      pools.slot({ weekday, startLocal, endLocal, aircraftId, notes }),
    ),
    seats:
      seatsOf.get(pilot.id)?.map(({ startMs, endMs, rsvp, expiresMs }): HeldSeat => ({
        startMs,
        endMs,
        expiresAtMs: rsvp === 'pending' ? expiresMs : null,
      })) ?? NONE,
    levels: pools.levels(
      packLevels((levelsOf.get(pilot.id) ?? []).map(({ aircraftId, level }) => [aircraftId, level])),
    ),
  }));
}

async function putAll(em: Em, roster: Roster, ids: readonly string[], fromMs: number, pools: Pools): Promise<void> {
  for (let at = 0; at < ids.length; at += CHUNK) {
    const chunk = ids.slice(at, at + CHUNK);
    const pilots = await readPilots(em, chunk, fromMs, pools);
    const found = new Set(pilots.map(({ id }) => id));
    for (const id of chunk) if (!found.has(id)) roster.drop(id);
    for (const pilot of pilots) roster.put(pilot);
  }
}

async function readAll(em: Em, fromMs: number, pools: Pools): Promise<Roster> {
  const roster = createRoster();
  const rows = await db(em).selectFrom('app_user').select('id').orderBy('id').execute();
  await putAll(
    em,
    roster,
    rows.map(({ id }) => id),
    fromMs,
    pools,
  );
  return roster;
}

/** Rosters for the reads that go through `em`, which otherwise read every pilot's rows. */
const readers = new WeakMap<Em, RosterReader>();

export function readThroughRoster(em: Em, reader: RosterReader): void {
  readers.set(em, reader);
}

/** @returns null unless the reads of `em` go through a roster */
export const rosterReaderOf = (em: Em): RosterReader | null => readers.get(em) ?? null;

/** Everything about a pilot, whatever the order of its rows. */
function asText(pilot: RosterPilot | undefined): string {
  if (!pilot) return 'nobody';
  const { slots, overrides, seats, levels, leave: _leave, ...facts } = pilot;
  const lists = [slots, overrides.map(({ time: _time, ...override }) => override), seats, levels.entries().toArray()];
  return JSON.stringify([facts, ...lists.map((list) => list.map((one) => JSON.stringify(one)).sort())]);
}

/**
 * A reader that keeps one roster. Calls that arrive while it catches up share the next time that it does.
 * @param onWhole called when every pilot has been read
 */
export function createRosterReader({ onWhole }: { onWhole?: () => void } = {}): RosterReader {
  type Kept = { roster: Roster; snapshot: string; fromMs: number; askedMs: number; pools: Pools };
  let kept: Kept | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Roster> | null = null;
  /** the last pilot that was compared */
  let checkedId: string | null = null;

  async function catchUp(em: Em, nowMs: number): Promise<Roster> {
    try {
      if (kept && Math.abs(nowMs - kept.askedMs) > FORGOTTEN_MS) kept = null;
      if (!kept) {
        const fromMs = nowMs - KEPT_PAST_MS;
        const pools = createPools();
        // changes made while the roster is read are not in the snapshot, so they are read again
        const snapshot = await readSnapshot(em);
        const roster = await readAll(em, fromMs, pools);
        kept = { roster, snapshot, fromMs, askedMs: nowMs, pools };
        onWhole?.();
      }
      const { snapshot, userIds } = await readRosterChanges(em, kept.snapshot);
      await putAll(em, kept.roster, userIds, kept.fromMs, kept.pools);
      kept = { ...kept, snapshot, askedMs: nowMs };
      return kept.roster;
    } catch (error) {
      // the database may have lost what this roster has seen: after a failover, for example
      kept = null;
      throw error;
    }
  }

  function readKept(em: Em, nowMs: number): Promise<Roster> {
    if (next) return next;
    const made = running.then(() => {
      next = null;
      return catchUp(em, nowMs);
    });
    next = made;
    running = made.catch(() => undefined);
    return made;
  }

  async function check(em: Em): Promise<RosterCheck | null> {
    if (!kept) return null;
    const rows = await db(em)
      .selectFrom('app_user')
      .select('id')
      .where((eb) => (checkedId === null ? eb.lit(true) : eb('id', '>', checkedId)))
      .orderBy('id')
      .limit(CHECKED)
      .execute();
    const ids = rows.map(({ id }) => id);
    checkedId = ids.length < CHECKED ? null : (ids.at(-1) ?? null);
    const pilots = new Map((await readPilots(em, ids, kept.fromMs, createPools())).map((pilot) => [pilot.id, pilot]));
    // asked after the rows: what they know and the roster does not is among these changes
    const changed = new Set((await readRosterChanges(em, kept.snapshot)).userIds);
    const { roster } = kept;
    const different = ids.filter((id) => !changed.has(id) && asText(pilots.get(id)) !== asText(roster.get(id)));
    if (different.length > 0) kept = null;
    return { checked: ids.length, behind: changed.size, different };
  }

  return {
    check(em) {
      const made = running.then(() => check(em));
      running = made.catch(() => undefined);
      return made;
    },
    async read(em, from, now) {
      const nowMs = now.getTime();
      const isPast = from < nowMs - KEPT_PAST_MS + DAY_MS;
      const roster = isPast ? await readAll(em, from, createPools()) : await readKept(em, nowMs);
      roster.advance(nowMs);
      return roster;
    },
  };
}
