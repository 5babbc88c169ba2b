/** Changes of a pilot's own data in the transaction that takes a seat or stands by, and offers that make room for it. */
import { endLeave } from '#server/accounts/leave.ts';
import { addAvailability } from '#server/availability/overrides.ts';
import { setStatus } from '#server/availability/status.ts';
import { setProficiency } from '#server/accounts/pilots/proficiencies.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { Em } from '#server/schema/orm.ts';
import { loadCandidates, throughLeave } from '#server/orders/seating/candidates.ts';
import { findRemedy, type Remedy } from '#server/orders/seating/rules/fly-anyway.ts';
import { selectHeldSeats } from '#server/orders/seats/held-seats.ts';
import { lockMission, type LockedMission } from '#server/orders/seats/orders.ts';
import type { SeatFixesInput } from '#shared/schemas/seats.ts';
import { SEAT_FIXES, type SeatFix } from '#shared/vocabulary.ts';
import { answerInside } from './answer.ts';

type Doing = (tx: Em, viewer: Viewer, remedy: Remedy, aircraftId: number, now: Date) => Promise<unknown>;

const DOING: Record<SeatFix, Doing> = {
  addAvailability: (tx, { id }, { missing }, _aircraftId, now) => addAvailability(tx, id, missing, now),
  addAircraft: (tx, viewer, _remedy, aircraftId, now) =>
    setProficiency(tx, viewer, { id: viewer.id, aircraftId, level: 'basic' }, now),
  endLeave: (tx, viewer, _remedy, _aircraftId, now) => endLeave(tx, viewer, { id: viewer.id }, now),
  endDoNotDisturb: (tx, { id }, _remedy, _aircraftId, now) => setStatus(tx, { id, state: 'available' }, now),
};

/**
 * Make the first of these aircraft fit that the allowed changes are enough for. Changes that are not needed, or would not be
 * enough, are not made; the caller then refuses with the reason.
 * @param aircraftIds those that the pilot could fly, in the order of preference
 */
export async function applyFixes(
  tx: Em,
  viewer: Viewer,
  mission: LockedMission,
  { aircraftIds, allowed, now }: { aircraftIds: readonly number[]; allowed: SeatFixesInput; now: Date },
): Promise<void> {
  // most calls change nothing, and others wait for the mission's lock meanwhile
  if (!SEAT_FIXES.some((fix) => allowed[fix] === true)) return;
  const [facts] = await loadCandidates(tx, mission, now, [viewer.id]);
  if (!facts) return;
  const pilot = await throughLeave(tx, facts, mission, now);
  for (const aircraftId of aircraftIds) {
    const remedy = findRemedy(pilot, mission, aircraftId, now.getTime());
    if (!remedy || !remedy.fixes.every((fix) => allowed[fix] === true)) continue;
    for (const fix of remedy.fixes) await DOING[fix](tx, viewer, remedy, aircraftId, now);
    return;
  }
}

/**
 * Lock a mission together with those in which the pilot has a pending offer at its time: in the order of their ids, or two
 * pilots could wait for each other.
 * @returns the offers
 */
export async function lockWithOffers(tx: Em, viewer: Viewer, missionId: string, now: Date) {
  const offers = await selectHeldSeats(tx, now)
    .innerJoin('mission as m', (join) => join.on('m.id', '=', missionId))
    .select(['o.id as orderId', 's.mission_id as missionId'])
    .where('s.pilot_id', '=', viewer.id)
    .where('s.mission_id', '<>', missionId)
    .where('o.rsvp', '=', 'pending')
    .whereRef('s.starts_at', '<', 'm.ends_at')
    .whereRef('s.ends_at', '>', 'm.starts_at')
    .execute();
  if (offers.length === 0) return offers;
  for (const id of [missionId, ...offers.map((offer) => offer.missionId)].toSorted()) await lockMission(tx, id);
  return offers;
}

/** Decline offers, whose seats go to the next pilots. One that has ended meanwhile is left as it is. */
export async function withdrawOffers(
  tx: Em,
  viewer: Viewer,
  offers: Awaited<ReturnType<typeof lockWithOffers>>,
  now: Date,
): Promise<void> {
  for (const { orderId, missionId } of offers)
    await answerInside(tx, viewer, missionId, { id: orderId, response: 'declined' }, now);
}
