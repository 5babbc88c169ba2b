/**
 * Seating candidates: pilots with what decides if they can hold a seat (presences, commitments, aircraft lists), and for a
 * seating also with what decides who comes first (fairness debt and reliability).
 */
import { db, isOneOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { overlapsRange } from '#server/schema/predicates.ts';
import { type EligibilityFacts, isEligible, type SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import { type Interval, mergeIntervals } from '#server/time/intervals.ts';
import { DAY_MS } from '#server/time/time.ts';
import { loadDebts, loadRecords, reliabilityIn } from '#server/accounts/pilots/fairness.ts';
import { loadNames } from '#server/accounts/users.ts';
import { selectHeldSeats, selectHeldSeatsFrom } from '#server/orders/seats/held-seats.ts';
import type { MissionRow } from '#server/orders/seats/orders.ts';
import {
  type ListedPresences,
  listLikelyPilots,
  loadPresences,
  loadPresencesAt,
} from '#server/availability/presences.ts';
import type { PilotPresences } from '#server/availability/rules/pilot-presences.ts';
import type { TimePart, TimeQuestion } from '#server/availability/rules/time-visit.ts';
import { rosterReaderOf } from '#server/availability/roster-reader.ts';
import { loadAircraftLists } from '#server/accounts/pilots/proficiencies.ts';

/** Pilots who are judged at a time: few enough not to delay other requests. */
const CHUNK = 1_000;
/** Missions this far apart never share a pilot's presence. */
const GAP_MS = 3 * DAY_MS;

type Asked = {
  /** half-open, epoch milliseconds; presences and commitments that touch it are loaded */
  range: Interval;
  /** seats in this mission do not count as commitments */
  exceptMissionId?: string | null;
  /** only these; undefined for every active pilot */
  pilotIds?: readonly string[] | undefined;
  /** by pilot; read unless the caller knows them */
  commitments?: ReadonlyMap<string, readonly Interval[]>;
  now: Date;
};

/** A practice mission asks nobody but its creator. @returns the pilots who may be asked; undefined for every active one */
async function listAsked(
  tx: Em,
  mission: MissionRow,
  pilotIds: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  const practice = await db(tx)
    .selectFrom('mission')
    .select('created_by_id as pilotId')
    .where('id', '=', mission.id)
    .where('is_practice', '=', true)
    .executeTakeFirst();
  return practice ? (pilotIds ?? [practice.pilotId]).filter((id) => id === practice.pilotId) : pilotIds;
}

/**
 * @param pilotIds only these; undefined for every active pilot, and for the creator of a practice mission
 * @returns the pilots by id, with their seats in *other* missions as commitments
 */
export async function loadCandidates(
  tx: Em,
  mission: MissionRow,
  now: Date,
  pilotIds?: readonly string[],
): Promise<EligibilityFacts[]> {
  const asked = await listAsked(tx, mission, pilotIds);
  return loadFacts(tx, { range: mission, exceptMissionId: mission.id, pilotIds: asked, now });
}

/**
 * The pilots who can take a seat of the mission, in any order: those who could not are left out before their track
 * records are read, because in a large community they are nearly all.
 * @param aircraftIds of its seats
 * @param pilotIds only these; undefined for every active pilot, and for the creator of a practice mission
 */
export async function loadEligible(
  tx: Em,
  mission: MissionRow,
  aircraftIds: readonly number[],
  now: Date,
  pilotIds?: readonly string[],
): Promise<SeatingPilot[]> {
  const asked = await listAsked(tx, mission, pilotIds);
  return loadEligibleForAny(tx, [{ ...mission, aircraftIds }], { exceptMissionId: mission.id, pilotIds: asked, now });
}

type Wanted = Interval & { readonly id: string; readonly aircraftIds: readonly number[] };

/** The pilots who can take a seat of at least one of the missions, with what the seating of all of them needs. */
export async function loadEligibleForAny(
  tx: Em,
  missions: readonly Wanted[],
  { exceptMissionId = null, pilotIds, now }: Omit<Asked, 'range'>,
): Promise<SeatingPilot[]> {
  const likely = new Set(pilotIds);
  if (!pilotIds)
    for (const mission of missions)
      for (const id of await listLikelyPilots(tx, mission, mission.aircraftIds)) likely.add(id);
  // the data of the long gaps between missions are not needed
  const padded = mergeIntervals(missions.map(({ startMs, endMs }) => ({ startMs, endMs: endMs + GAP_MS })));
  const ranges = padded.map(({ startMs, endMs }) => ({ startMs, endMs: endMs - GAP_MS }));
  const ids = [...likely];
  const eligible: EligibilityFacts[] = [];
  for (let at = 0; at < ids.length; at += CHUNK) {
    const pilots = new Map<string, EligibilityFacts>();
    for (const range of ranges) {
      const facts = await loadFacts(tx, { range, exceptMissionId, pilotIds: ids.slice(at, at + CHUNK), now });
      for (const pilot of facts) {
        const known = pilots.get(pilot.id);
        pilots.set(pilot.id, {
          ...pilot,
          presences: [...(known?.presences ?? []), ...pilot.presences],
          commitments: [...(known?.commitments ?? []), ...pilot.commitments],
        });
      }
    }
    const canFly = (pilot: EligibilityFacts): boolean =>
      missions.some((mission) => isEligible(pilot, mission, mission.aircraftIds, now.getTime()));
    eligible.push(...pilots.values().filter(canFly));
  }
  return addRecords(
    tx,
    eligible,
    now,
    eligible.map(({ id }) => id),
  );
}

/**
 * Load the facts by which pilots can or cannot hold seats of missions within a range.
 * @returns the pilots, by id
 */
export async function loadFacts(em: Em, asked: Asked): Promise<EligibilityFacts[]> {
  return withFacts(em, await loadPresences(em, asked.pilotIds, asked.range, asked.now), asked);
}

/** The facts of a pilot with the times that a leave takes away, for what would be if it ended. The leave stays among them. */
export async function throughLeave(
  em: Em,
  pilot: EligibilityFacts,
  range: Interval,
  now: Date,
): Promise<EligibilityFacts> {
  if (!pilot.leave) return pilot;
  const [own] = await loadPresences(em, [pilot.id], range, now, { throughLeave: true });
  return own ? { ...pilot, presences: own.presences } : pilot;
}

/**
 * Load the facts of the pilots who matter for a mission; in a large community most pilots do not.
 * @returns the pilots, and the number of active ones who are left out because they are not available
 */
export async function loadFactsAt(
  em: Em,
  mission: Interval,
  now: Date,
): Promise<{ facts: EligibilityFacts[]; absent: number }> {
  const { pilots, absent } = await loadPresencesAt(em, mission, now);
  return { facts: await withFacts(em, pilots, { range: mission, now }), absent };
}

/** A pilot with the name that admins see. */
export type NamedFacts = EligibilityFacts & { readonly name: string };

/**
 * Visit the active pilots. In a large community those who matter for the mission come first, so that a caller can stop early.
 * A practice mission asks nobody but its creator.
 * @param visit gets seats in *other* missions as commitments, and returns true to go on with the next part; without a roster
 *   everybody is visited, all as `first`
 */
export async function visitCandidates(
  em: Em,
  mission: MissionRow,
  now: Date,
  question: Omit<TimeQuestion, 'time'>,
  visit: (pilot: NamedFacts, part: TimePart) => boolean,
): Promise<void> {
  const reader = rosterReaderOf(em);
  const asked = await listAsked(em, mission, undefined);
  if (!reader || asked) {
    const found = await loadFacts(em, { range: mission, exceptMissionId: mission.id, pilotIds: asked, now });
    const active = found.filter((pilot) => pilot.active);
    const names = await loadNames(
      em,
      active.map(({ id }) => id),
    );
    for (const pilot of active) {
      const name = names.get(pilot.id) ?? pilot.id;
      if (question.isWanted?.(name) !== false) visit({ ...pilot, name }, 'first');
    }
    return;
  }
  const time = { startMs: mission.startMs, endMs: mission.endMs };
  const elsewhere = selectHeldSeats(em, now).where('s.mission_id', '<>', mission.id).where(overlapsRange('s', time));
  const commitmentsOf = Map.groupBy(await elsewhere.execute(), ({ pilotId }) => pilotId);
  const roster = await reader.read(em, time.startMs, now);
  roster.visitAt({ ...question, time }, (pilot, part) =>
    visit({ ...factsOf(pilot, commitmentsOf.get(pilot.id), pilot.levels), name: pilot.name }, part),
  );
}

const factsOf = (
  pilot: PilotPresences,
  commitments: readonly Interval[] | undefined,
  levels: EligibilityFacts['levels'],
): EligibilityFacts => ({
  id: pilot.id,
  active: pilot.isActive,
  presences: pilot.presences,
  leave: pilot.leave,
  commitments: commitments ?? [],
  state: pilot.status.effectiveState,
  levels,
});

type OfPilot = { pilotId: string; from: Date; until: Date; exceptMissionId: string | null; now: Date };

/** The seats of one pilot in other missions that overlap a range. */
const listCommitments = named('pilot_commitments', (source, { pilotId, from, until, exceptMissionId, now }: OfPilot) =>
  selectHeldSeatsFrom(source, now)
    .where('s.pilot_id', '=', pilotId)
    .where('s.mission_id', 'is distinct from', exceptMissionId)
    .where('s.starts_at', '<', until)
    .where('s.ends_at', '>', from),
);

/** The seats of pilots in other missions that overlap a range, by pilot. */
async function loadCommitments(em: Em, { range, exceptMissionId = null, pilotIds, now }: Asked) {
  const [only, ...others] = pilotIds ?? [];
  // a plan that was made for one pilot would be slow for thousands
  const seats =
    only !== undefined && others.length === 0
      ? await listCommitments(em, {
          pilotId: only,
          from: new Date(range.startMs),
          until: new Date(range.endMs),
          exceptMissionId,
          now,
        })
      : await selectHeldSeats(em, now)
          .where('s.mission_id', 'is distinct from', exceptMissionId)
          .where(overlapsRange('s', range))
          .where((eb) => (pilotIds === undefined ? eb.lit(true) : isOneOf('s.pilot_id', pilotIds)))
          .execute();
  return Map.groupBy(seats, ({ pilotId }) => pilotId);
}

async function withFacts(em: Em, pilots: readonly ListedPresences[], asked: Asked): Promise<EligibilityFacts[]> {
  const commitments = asked.commitments ?? (await loadCommitments(em, asked));
  const unknown = pilots.flatMap(({ id, levels }) => (levels ? [] : [id]));
  const listOf = await loadAircraftLists(em, unknown);
  return pilots.map((pilot) => factsOf(pilot, commitments.get(pilot.id), pilot.levels ?? listOf(pilot.id)));
}

/** @param eligible ids of the pilots who can take a seat: nobody else's debts and track record count for a seating */
export async function addRecords(
  em: Em,
  pilots: readonly EligibilityFacts[],
  now: Date,
  eligible: readonly string[],
): Promise<SeatingPilot[]> {
  const debts = await loadDebts(em, now, eligible);
  const records = await loadRecords(em, now, eligible);
  return pilots.map((pilot) => ({
    ...pilot,
    debt: debts.get(pilot.id) ?? 0,
    reliability: reliabilityIn(records, pilot.id),
  }));
}
