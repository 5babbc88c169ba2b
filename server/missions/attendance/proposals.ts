/** Proposed attendance, as admins read and decide it, and whose name in the game is whose. */
import type { z } from 'zod';
import { findUser, loadNames, requireAllStaying } from '#server/accounts/users.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { mergeIntervals } from '#server/time/intervals.ts';
import { MINUTE_MS, toIso } from '#server/time/time.ts';
import { selectMissions } from '#server/orders/seats/orders.ts';
import { copy } from '#shared/copy.ts';
import type {
  AttendanceReport,
  decideAttendanceInput,
  decidedAttendance,
  gameNameInput,
  SeenNameDto,
} from '#shared/schemas/attendance.ts';
import { recordAttendance } from './marks.ts';
import {
  assessSeats,
  findOwners,
  listHeldSeats,
  listPresences,
  lockFlown,
  proposeAgain,
  type StoredPresence,
} from './presences.ts';
import { wholeName } from './rules/game-names.ts';

const isPresent = <T>(value: T | null): value is T => value !== null;

/** The names that were seen in a mission, the longest aboard first. */
async function listSeenNames(em: Em, presences: readonly StoredPresence[]): Promise<SeenNameDto[]> {
  const owners = await findOwners(em, presences);
  const idsOf = (name: string): readonly string[] => {
    const owner = owners.get(name);
    if (owner?.kind === 'pilot') return [owner.pilotId];
    return owner?.kind === 'alike' ? owner.pilotIds : [];
  };
  const byName = [...Map.groupBy(presences, ({ name }) => name)];
  const callSigns = await loadNames(em, [...new Set(byName.flatMap(([name]) => idsOf(name)))]);
  const named = (userId: string) => ({ userId, userDisplayName: callSigns.get(userId) ?? '' });
  return byName
    .map(([name, times]): SeenNameDto => {
      const owner = owners.get(name);
      const ms = mergeIntervals(times).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      return {
        name,
        minutes: Math.floor(ms / MINUTE_MS),
        aircraft: [...new Set(times.map(({ aircraft }) => aircraft).filter(isPresent))].toSorted(),
        pilot: owner?.kind === 'pilot' ? named(owner.pilotId) : null,
        isProved: owner?.kind === 'pilot' && owner.isProved,
        couldBe: owner?.kind === 'alike' ? owner.pilotIds.map(named) : [],
      };
    })
    .toSorted((a, b) => b.minutes - a.minutes || (a.name < b.name ? -1 : 1));
}

/** The pilots seen in a mission, with the proposals. @throws AppError 404 */
export async function getAttendanceReport(em: Em, missionId: string): Promise<AttendanceReport> {
  const mission = await selectMissions(em).where('m.id', '=', missionId).executeTakeFirst();
  if (!mission) throw new AppError('MISSION_NOT_FOUND');
  const presences = await listPresences(em, missionId);
  const seats = await listHeldSeats(em, missionId);
  const assessed = assessSeats(mission, seats, presences);
  const proposals = await db(em)
    .selectFrom('attendance_proposal')
    .select(['order_id as orderId', 'state'])
    .where('mission_id', '=', missionId)
    .execute();
  const states = new Map(proposals.map(({ orderId, state }) => [orderId, state]));
  const [first] = presences;
  return {
    seenFromUtc: first === undefined ? null : toIso(first.startMs),
    seenToUtc: first === undefined ? null : toIso(Math.max(...presences.map(({ endMs }) => endMs))),
    orders: seats.map(({ side: _side, aircraftCode: _code, launchMs: _launch, ...seat }) => ({
      ...seat,
      verdict: assessed.get(seat.orderId)?.verdict ?? null,
      state: states.get(seat.orderId) ?? null,
      evidence: assessed.get(seat.orderId)?.evidence ?? null,
    })),
    names: await listSeenNames(em, presences),
  };
}

/**
 * Confirm proposals, which marks their pilots as attended, or dismiss them. Orders that have a mark keep it. A proposal whose
 * mark was removed again is open.
 * @throws AppError 404; 409 before the mission is over
 */
export async function decideAttendance(
  em: Em,
  viewer: Viewer,
  { id, decision, orderIds }: z.infer<typeof decideAttendanceInput>,
  now: Date,
): Promise<z.infer<typeof decidedAttendance>> {
  return transact(em, async (tx) => {
    const mission = await lockFlown(tx, id, now);
    const open = await db(tx)
      .selectFrom('attendance_proposal as a')
      .innerJoin('frag_order as o', 'o.id', 'a.order_id')
      .innerJoin('seat as s', 's.order_id', 'o.id')
      .select('a.order_id as orderId')
      .where('a.mission_id', '=', id)
      .where('o.attendance', 'is', null)
      .where('o.status', '=', 'issued')
      .where('o.rsvp', '=', 'accepted')
      // one that was dismissed has to be named
      .where(({ eb }) => (orderIds === undefined ? eb('a.state', '<>', 'dismissed') : isOneOf('a.order_id', orderIds)))
      .orderBy('o.seq')
      .execute();
    const decided = open.map(({ orderId }) => orderId);
    if (decided.length === 0) return { orderIds: [] };
    if (decision === 'confirmed') {
      const marks = decided.map((orderId) => ({ orderId, attendance: 'attended' as const }));
      await recordAttendance(tx, viewer, { id, attendance: marks }, now);
    } else {
      emit(tx, { type: 'attendance.dismissed', by: viewer, mission, proposals: decided.length });
    }
    await db(tx)
      .updateTable('attendance_proposal')
      .set({ state: decision, decided_by_id: viewer.id, decided_at: now })
      .where(isOneOf('order_id', decided))
      .execute();
    return { orderIds: decided };
  });
}

/**
 * Say whose name in the game a name is, for this mission and later ones; null for nobody that is known. The last word counts.
 * @throws AppError 404 for a name that the mission has not seen, and for an unknown pilot
 */
export async function setGameName(
  em: Em,
  viewer: Viewer,
  { id, name, userId }: z.infer<typeof gameNameInput>,
  now: Date,
): Promise<void> {
  // without a lock, which missions come before
  if (userId !== null) await requireAllStaying(em, [userId]);
  await transact(em, async (tx) => {
    const mission = await lockFlown(tx, id, now);
    const presences = await listPresences(tx, id);
    const key = wholeName(name);
    if (!presences.some((presence) => wholeName(presence.name) === key))
      throw new AppError('GAME_NAME_NOT_FOUND', copy.gameNameNotSeen);
    if (userId !== null) {
      await findUser(tx, userId);
      await requireAllStaying(tx, [userId]);
    }
    const before = await db(tx)
      .deleteFrom('game_identity')
      .where('name_key', '=', key)
      .returning('user_id as userId')
      .executeTakeFirst();
    if (userId !== null) {
      await db(tx)
        .insertInto('game_identity')
        .values({
          id: newId(),
          user_id: userId,
          name,
          name_key: key,
          proved_by: 'admin',
          created_by_id: viewer.id,
          created_at: now,
        })
        .execute();
    }
    await proposeAgain(tx, mission, now);
    const told = userId ?? before?.userId;
    if (told === undefined) return;
    const callSigns = await loadNames(tx, [told]);
    const type = userId === null ? 'game_name.removed' : 'game_name.set';
    emit(tx, { type, by: viewer, mission, pilot: callSigns.get(told) ?? '', userId: told });
  });
}
