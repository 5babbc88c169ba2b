/**
 * Reads the roster from PostgreSQL and keeps it true: before each answer it asks which pilots have changed since the last
 * one, and reads only those again. PostgreSQL is the truth, so any process can have a roster, and none answers stale.
 */
import { ago, db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, nameForAdmins } from '#server/schema/predicates.ts';
import type { Override, WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { createRoster, type HeldSeat, type Roster, type RosterPilot } from '#server/availability/rules/roster.ts';
import { addDays, DAY_MS, HOUR_MS, localDate } from '#server/time/time.ts';
import type { ProficiencyLevel } from '#shared/vocabulary.ts';
import { readRosterChanges } from './roster.queries.ts';

/** Pilots whose rows are read at a time: few enough for the time limit of statements on a busy machine. */
const CHUNK = 500;
/** Overrides and seats that end earlier before the range are not read. */
const MARGIN_DAYS = 4;
/** A roster that is kept answers for ranges from here on. */
const KEPT_PAST_MS = 2 * DAY_MS;
/** Changes are kept for a day (`maintenance.ts`): a roster that has not asked for half of that is read anew. */
const CHANGES_KEPT_HOURS = 24;
const FORGOTTEN_MS = (CHANGES_KEPT_HOURS / 2) * HOUR_MS;

export interface RosterReader {
  /**
   * The roster with everything that was committed before the call, at an instant.
   * @param from the beginning of the range that will be asked for
   * @returns to be used before the next `await`: another call may move it on
   */
  read: (em: Em, from: number, now: Date) => Promise<Roster>;
}

/** Where reads over all pilots come from: the community's rows, and its roster. */
export type RosterSource = { readonly em: Em; readonly rosters: RosterReader };

/** Gives out one object for equal values, because many pilots have the same slots and lists. */
function createPool<Value>(keyOf: (value: Value) => string): (value: Value) => Value {
  const known = new Map<string, Value>();
  return (value) => {
    const key = keyOf(value);
    const held = known.get(key);
    if (held !== undefined) return held;
    known.set(key, value);
    return value;
  };
}

type Pools = {
  readonly slot: (slot: WeeklySlot) => WeeklySlot;
  readonly levels: (levels: ReadonlyMap<number, ProficiencyLevel>) => ReadonlyMap<number, ProficiencyLevel>;
};

const createPools = (): Pools => ({
  slot: createPool((slot: WeeklySlot) => JSON.stringify(slot)),
  levels: createPool((levels: ReadonlyMap<number, ProficiencyLevel>) =>
    JSON.stringify([...levels].sort(([a], [b]) => a - b)),
  ),
});

/** @param fromMs overrides and seats from here on */
async function readPilots(em: Em, ids: readonly string[], fromMs: number, pools: Pools): Promise<RosterPilot[]> {
  const pilots = await db(em)
    .selectFrom('app_user as u')
    .leftJoin('pilot_status as s', 's.user_id', 'u.id')
    .leftJoin('leave as l', 'l.user_id', 'u.id')
    .select(({ ref, cast }) => [
      'u.id',
      nameForAdmins('u').as('name'),
      'u.time_zone as timeZone',
      isActivePilot('u').as('isActive'),
      's.state',
      's.minutes',
      ms(ref('s.expires_at')).as('expiresMs'),
      cast<string | null>('l.first_date', 'text').as('firstDate'),
      cast<string | null>('l.last_date', 'text').as('lastDate'),
    ])
    .where(isOneOf('u.id', ids))
    .execute();
  const slots = await db(em)
    .selectFrom('availability_slot as s')
    .innerJoin('availability_template as t', 't.id', 's.template_id')
    .select([
      't.user_id as userId',
      's.weekday',
      's.start_local as startLocal',
      's.end_local as endLocal',
      's.aircraft_id as aircraftId',
      's.notes',
    ])
    .where(({ ref }) => ref('t.is_active'))
    .where(isOneOf('t.user_id', ids))
    .execute();
  const overrides = await db(em)
    .selectFrom('availability_override as o')
    .select(({ cast }) => [
      'o.user_id as userId',
      cast<string>('o.date_local', 'text').as('dateLocal'),
      'o.kind',
      'o.start_local as startLocal',
      'o.end_local as endLocal',
      'o.aircraft_id as aircraftId',
      'o.notes',
    ])
    .where(isOneOf('o.user_id', ids))
    .where('o.date_local', '>=', addDays(localDate(fromMs, 'UTC'), -MARGIN_DAYS))
    .execute();
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
  const slotsOf = Map.groupBy(slots, ({ userId }) => userId);
  const overridesOf = Map.groupBy(overrides, ({ userId }) => userId);
  const seatsOf = Map.groupBy(seats, ({ userId }) => userId);
  const levelsOf = Map.groupBy(levels, ({ userId }) => userId);
  return pilots.map(({ id, name, timeZone, isActive, state, minutes, expiresMs, firstDate, lastDate }) => ({
    id,
    name,
    timeZone,
    isActive,
    status: { state: state ?? 'available', minutes, expiresAtMs: expiresMs },
    leaveDates: firstDate === null || lastDate === null ? null : { firstDate, lastDate },
    slots: (slotsOf.get(id) ?? []).map(({ weekday, startLocal, endLocal, aircraftId, notes }) =>
      pools.slot({ weekday, startLocal, endLocal, aircraftId, notes }),
    ),
    overrides: (overridesOf.get(id) ?? []).map(
      ({ dateLocal, kind, startLocal, endLocal, aircraftId, notes }): Override => ({
        dateLocal,
        kind,
        startLocal,
        endLocal,
        aircraftId,
        notes,
      }),
    ),
    seats: (seatsOf.get(id) ?? []).map(({ startMs, endMs, rsvp, expiresMs: expiry }): HeldSeat => ({
      startMs,
      endMs,
      expiresAtMs: rsvp === 'pending' ? expiry : null,
    })),
    levels: pools.levels(new Map((levelsOf.get(id) ?? []).map(({ aircraftId, level }) => [aircraftId, level]))),
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

/** Drop changes that every roster has seen, or will be read anew for. */
export async function dropOldRosterChanges(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('roster_change')
    .where('changed_at', '<', ago(`${CHANGES_KEPT_HOURS} hours`))
    .execute();
}

/** A reader that keeps one roster. Calls that arrive while it catches up share the next time that it does. */
export function createRosterReader(): RosterReader {
  type Kept = { roster: Roster; snapshot: string; fromMs: number; askedMs: number; pools: Pools };
  let kept: Kept | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Roster> | null = null;

  async function catchUp(em: Em, nowMs: number): Promise<Roster> {
    try {
      if (kept && Math.abs(nowMs - kept.askedMs) > FORGOTTEN_MS) kept = null;
      if (!kept) {
        const fromMs = nowMs - KEPT_PAST_MS;
        const pools = createPools();
        // what changes while the roster is read is not in the snapshot, and so is read again
        const { snapshot } = await readRosterChanges(em, null);
        const roster = await readAll(em, fromMs, pools);
        kept = { roster, snapshot, fromMs, askedMs: nowMs, pools };
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

  return {
    async read(em, from, now) {
      const nowMs = now.getTime();
      const isPast = from < nowMs - KEPT_PAST_MS + DAY_MS;
      const roster = isPast ? await readAll(em, from, createPools()) : await readKept(em, nowMs);
      roster.advance(nowMs);
      return roster;
    },
  };
}
