/** Missions: create one from aircraft slots, seat it and issue its orders in one transaction; list a day's missions. */
import type { z } from 'zod';
import { emit } from '#server/signals/emit.ts';
import { newId, nextVersionAt } from '#server/schema/base.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import { AircraftSlot, Flight, Mission, Package } from '#server/schema/mission.ts';
import { unitOfWork, writeEntities } from '#server/schema/flushing.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { willingPilots } from '#server/orders/seating/rules/one-mission/seating.ts';
import { seatForIssue } from '#server/orders/seating/rules/one-mission/stable-seating.ts';
import { planMission, type PlanSlot } from '#server/planning/rules/mission-plan.ts';
import { detailPlan, NO_DETAILS, type PlanDetails } from '#server/planning/rules/plan-details.ts';
import { missionStatus } from '#server/planning/rules/mission-status.ts';
import type { Interval } from '#server/time/intervals.ts';
import { dayBounds, HOUR_MS, localDateTime } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { LISTED_MAX, MISSION_MAX_HOURS } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import type {
  CreatedMissionDto,
  CreateMissionInput,
  missionsByDate,
  missionsByDateInput,
} from '#shared/schemas/missions.ts';
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';
import { loadEligible } from '#server/orders/seating/candidates.ts';
import { once } from '#server/platform/idempotency.ts';
import { recordWilling } from '#server/accounts/pilots/fairness.ts';
import { requireGuilds, requireSlots, requireTimes } from '#server/planning/mission-request.ts';
import { readPlanDetails } from './mission-content.ts';
import { loadMissions } from './mission-view.ts';
import {
  isSeatRace,
  issueOrders,
  listFreeSeats,
  lockMission,
  scheduleMissionBackfill,
  expireOverdueOrders,
  type LockedMission,
} from '#server/orders/seats/orders.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { listTaken, lockPlanning } from '#server/planning/planning.ts';
import { attachFile, requireUpload, type StoredFile } from '#server/missions/mission-file/mission-files.ts';
import { assignUnits, wishOf } from '#server/missions/mission-file/rules/seat-units.ts';
import { lockUser } from '#server/accounts/users.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { StoredMissionStatus } from '#shared/vocabulary.ts';

const at = (instant: number) => new Date(instant);
const atOrNull = (instant: number | null) => (instant === null ? null : at(instant));

/** Store the mission with its aircraft slots, packages and flights. */
async function storeMission(
  transaction: Em,
  viewer: Viewer,
  input: CreateMissionInput,
  slots: readonly PlanSlot[],
  times: { startMs: number; endMs: number; timeZone: string },
  { isPractice, details }: { isPractice: boolean; details: PlanDetails },
) {
  const tx = unitOfWork(transaction);
  const request = {
    theater: input.theater,
    startMs: times.startMs,
    endMs: times.endMs,
    slots,
    ...(await listTaken(tx, times)),
  };
  const plan = detailPlan(planMission(request), details, request);
  const mission = tx.create(Mission, {
    id: newId(),
    name: input.name,
    theater: input.theater,
    status: input.publish === false ? 'draft' : 'scheduled',
    startsAt: at(times.startMs),
    endsAt: at(times.endMs),
    timeZone: times.timeZone,
    ...eachField(MISSION_TEXT_KEYS, (key) => input[key]),
    links: input.links ?? [],
    guildIds: await requireGuilds(tx, input.guildIds ?? null),
    secretSides: input.secretSides ?? null,
    isPractice,
    createdBy: tx.getReference(User, viewer.id),
  });
  const aircraft = await findAircraft(
    tx,
    slots.map((slot) => slot.aircraft.id),
  );
  const aircraftOf = (id: number) => {
    const found = aircraft.get(id);
    if (!found) throw new AppError('AIRCRAFT_NOT_FOUND');
    return found;
  };
  for (const [sortOrder, slot] of slots.entries()) {
    tx.create(AircraftSlot, {
      mission,
      sortOrder,
      aircraft: aircraftOf(slot.aircraft.id),
      slotCount: slot.slotCount,
      role: slot.role,
      side: slot.side,
      additionalNotes: slot.additionalNotes,
    });
  }
  for (const planned of plan.packages) {
    const missionPackage = tx.create(Package, {
      mission,
      callsign: planned.callsign,
      objective: planned.objective,
      ownObjective: planned.ownObjective,
      side: planned.side,
      launchAt: at(planned.launchMs),
      totAt: atOrNull(planned.totMs),
      notes: null,
      sortOrder: planned.sortOrder,
    });
    for (const flight of planned.flights) {
      tx.create(Flight, {
        mission,
        package: missionPackage,
        slotIndex: flight.slotIndex,
        callsign: flight.callsign,
        aircraft: aircraftOf(flight.aircraftId),
        role: flight.role,
        side: flight.side,
        launchAt: at(flight.launchMs),
        totAt: atOrNull(flight.totMs),
        launchMinutes: flight.launchMinutes,
        totMinutes: flight.totMinutes,
        radioFreq: flight.radioFreq,
        sizeCap: flight.sizeCap,
        notes: flight.notes,
        sortOrder: flight.sortOrder,
      });
    }
  }
  await writeEntities(tx);
  return { mission, plan };
}

async function findUpload(tx: Em, viewer: Viewer, { missionFileId }: CreateMissionInput): Promise<StoredFile | null> {
  return missionFileId === undefined ? null : requireUpload(tx, viewer, missionFileId);
}

/** Slots whose flights have the callsigns and frequencies of the mission file, as far as these are free. */
function withWishes(slots: PlanSlot[], { aircraftSlots }: CreateMissionInput, file: StoredFile | null): PlanSlot[] {
  if (file === null) return slots;
  return slots.map((slot, index) => {
    const wished = wishOf(aircraftSlots[index] ?? {}, file.found.groups);
    return wished === undefined ? slot : { ...slot, wished };
  });
}

/** The units of the seats of a new mission. */
async function unitsOf(tx: Em, missionId: string, { aircraftSlots }: CreateMissionInput, file: StoredFile) {
  const flights = await db(tx)
    .selectFrom('flight')
    .select(['id', 'slot_index as slotIndex', 'size_cap as sizeCap'])
    .where('mission_id', '=', missionId)
    .orderBy('slot_index')
    .orderBy('sort_order')
    .execute();
  return assignUnits(aircraftSlots, flights, file.found.groups);
}

/** Set the stored status, which also changes the version; the caller has locked the missions. */
export async function setMissionStatus(
  tx: Em,
  ids: readonly string[],
  status: StoredMissionStatus,
  now: Date,
): Promise<void> {
  const missions = await db(tx)
    .selectFrom('mission')
    .select(({ ref }) => ['id', ms(ref('updated_at')).as('updatedMs')])
    .where(isOneOf('id', ids))
    .execute();
  for (const { id, updatedMs } of missions) {
    const version = { updatedAt: nextVersionAt(new Date(updatedMs), now) };
    await tx.nativeUpdate(Mission, { id }, { status, ...version, ...(status === 'scheduled' && { startSetAt: now }) });
  }
}

/** Seat the mission and issue an order for each seat that gets a pilot. */
export async function issueMission(
  tx: Em,
  mission: LockedMission,
  now: Date,
): Promise<{ orders: number; openSeats: number }> {
  const seats = await listFreeSeats(tx, mission.id);
  const aircraftIds = [...new Set(seats.map(({ aircraftId }) => aircraftId))];
  const seating = seatForIssue({
    seats: seats.map((seat) => ({ ...seat, flightSize: seat.sizeCap })),
    times: mission,
    nowMs: now.getTime(),
    pilots: await loadEligible(tx, mission, aircraftIds, now),
  });
  const { seated, open } = seating;
  await recordWilling(tx, mission.id, willingPilots(seating));
  // overdue orders in other missions must not block pilots whom the seating counted as free
  await expireOverdueOrders(tx, now, { pilotIds: seated.map(({ pilotId }) => pilotId) });
  await issueOrders(tx, mission, seated, now);
  await scheduleMissionBackfill(tx, mission.id);
  return { orders: seated.length, openSeats: open.length };
}

/** Issue the first seat of a practice mission to its creator, free or not: nobody else is asked. */
async function issuePractice(tx: Em, viewer: Viewer, mission: LockedMission, now: Date) {
  const [seat, ...open] = await listFreeSeats(tx, mission.id);
  if (!seat) return { orders: 0, openSeats: 0 };
  await issueOrders(tx, mission, [{ ...seat, pilotId: viewer.id, reasons: [copy.practiceReason] }], now);
  await scheduleMissionBackfill(tx, mission.id);
  return { orders: 1, openSeats: open.length };
}

/** 409 if the admin has too many missions or drafts ahead. Drafts count as missions, so publishing needs no check. */
async function requireMissionRoom(tx: Em, viewer: Viewer, isDraft: boolean, now: Date): Promise<void> {
  const since = at(now.getTime() - MISSION_MAX_HOURS * HOUR_MS);
  const ahead = db(tx)
    .selectFrom('mission')
    .where('created_by_id', '=', viewer.id)
    .where('starts_at', '>', since)
    .where('ends_at', '>', now);
  await requireRoom('missions', ahead.where('status', 'in', ['draft', 'scheduled']));
  if (!isDraft) return;
  await requireRoom('drafts', ahead.where('status', '=', 'draft'));
}

/**
 * Create a mission; unless it is a draft, issue its frag orders at once. Repeating an Idempotency-Key repeats the answer.
 * 400 for invalid times and aircraft, 409 for too many missions.
 * @param isPractice asks its creator only, and counts nowhere
 * @param bySeries instants, flights and packages of a series, in place of the input's wall times and template
 */
export async function createMission(
  em: Em,
  viewer: Viewer,
  input: CreateMissionInput,
  idempotencyKey: string | null,
  now: Date,
  { isPractice = false, bySeries }: { isPractice?: boolean; bySeries?: { times: Interval; details: PlanDetails } } = {},
): Promise<CreatedMissionDto> {
  const timeZone = input.timeZone ?? viewer.timeZone;
  const work = async (tx: Em) => {
    await lockUser(tx, viewer.id);
    return once(tx, viewer.id, idempotencyKey, input, now, async () => {
      const times = bySeries?.times ?? requireTimes(input, timeZone, now);
      const file = await findUpload(tx, viewer, input);
      const slots = withWishes(await requireSlots(tx, input.aircraftSlots), input, file);
      await requireMissionRoom(tx, viewer, input.publish === false, now);
      const { templateId } = input;
      const details =
        bySeries?.details ?? (templateId === undefined ? NO_DETAILS : await readPlanDetails(tx, templateId));
      await lockPlanning(tx);
      const { mission, plan } = await storeMission(
        tx,
        viewer,
        input,
        slots,
        { ...times, timeZone },
        { isPractice, details },
      );
      emit(tx, { type: 'mission.created', by: viewer, mission });
      if (file) await attachFile(tx, viewer, mission, file, await unitsOf(tx, mission.id, input, file));
      if (mission.status === 'scheduled') {
        const hasBegun = times.startMs <= now.getTime();
        emit(tx, { type: 'mission.opened', missionIds: [mission.id], hasBegun, isPractice, week: null });
      }
      const seats = slots.reduce((sum, { slotCount }) => sum + slotCount, 0);
      const locked = mission.status === 'draft' ? null : await lockMission(tx, mission.id);
      const issue = isPractice ? (mine: LockedMission) => issuePractice(tx, viewer, mine, now) : null;
      const issued = locked
        ? await (issue?.(locked) ?? issueMission(tx, locked, now))
        : { orders: 0, openSeats: seats };
      const flights = plan.packages.flatMap((planned) => planned.flights);
      return {
        mission: {
          id: mission.id,
          name: mission.name,
          theater: mission.theater,
          status: missionStatus(mission.status, times.startMs, times.endMs, now.getTime()),
          startLocal: localDateTime(times.startMs, timeZone),
          endLocal: localDateTime(times.endMs, timeZone),
          timeZone,
        },
        slotsSummary: slots.map((slot, index) => ({
          aircraftName: slot.aircraft.name,
          aircraftCode: slot.aircraft.code,
          totalSlots: slot.slotCount,
          flightsCreated: flights.filter((flight) => flight.slotIndex === index).length,
          side: slot.side,
        })),
        issued,
      };
    });
  };
  // The retry sees a pilot who was seated by another mission at the same time, once that one has committed.
  return transact(em, work, isSeatRace);
}

/**
 * Missions of any status that start on that date in `tz`, by start. Only the first ones are listed; `totalMissions` counts
 * them all.
 */
export async function listMissionsByDate(
  em: Em,
  { date, tz = 'UTC' }: z.infer<typeof missionsByDateInput>,
  now: Date,
): Promise<z.infer<typeof missionsByDate>> {
  const { missions, total } = await loadMissions(em, dayBounds(date, tz), tz, now);
  return { date, timeZone: tz, totalMissions: total, missions: missions.slice(0, LISTED_MAX.missions) };
}
