/** Assigning and removing one pilot by an admin, who can override level and availability but not overlapping missions. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { seatHeldSentence } from '#shared/copy.ts';
import type { assignedPilot, assignPilotInput, removePilotInput } from '#shared/schemas/mission-admin.ts';
import { lockForWork } from '#server/orders/seats/mission-lock.ts';
import { isSeatRace } from '#server/orders/seats/orders.ts';
import { findSeat } from '#server/orders/seating/seat-candidates.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { carryOut, findHolder, preparePlacements } from './place-pilots.ts';

/** True if the holder is the pilot whom the admin saw on the seat, or if the request names no holder. */
const isSeen = ({ id }: { id: string }, holderId: string | undefined) => holderId === undefined || holderId === id;

async function assignInside(
  tx: Em,
  viewer: Viewer,
  { replace = false, ...input }: z.infer<typeof assignPilotInput>,
  now: Date,
): Promise<z.infer<typeof assignedPilot>> {
  const locked = await lockForWork(tx, input.id, now);
  if (locked.status === 'draft') throw new AppError('MISSION_IS_DRAFT');
  if (locked.status === 'launched') throw new AppError('MISSION_STARTED');
  const seat = await findSeat(tx, input);
  const present = await findHolder(tx, seat);
  const holder = present?.id === input.userId ? null : present;
  const placement = { userId: input.userId, to: seat, anyway: true };
  const leaves = holder && replace && isSeen(holder, input.holderId) ? [{ userId: holder.id, to: null }] : [];
  const steps = await preparePlacements(
    tx,
    locked.mission,
    [placement, ...leaves.map((one) => ({ ...one, anyway: true }))],
    now,
  );
  const [step] = steps;
  if (!step) throw new Error('A placement has no step');
  if (step.refusal?.code === 'SEAT_TAKEN' && holder) throw new AppError('SEAT_TAKEN', seatHeldSentence(holder.name));
  if (step.refusal) throw step.refusal;
  const { orderIds } = await carryOut(tx, viewer, locked, step.told === null ? [step] : steps, now);
  const orderId = orderIds.get(step);
  if (orderId === undefined) throw new Error('An assignment made no order');
  return { orderId, warnings: [...step.warnings] };
}

/**
 * Assign a pilot to a seat: with a new pending order, or by moving the order that holds the pilot's seat. With `replace`
 * the current holder loses the seat.
 * @returns warnings about what the admin has overridden, as sentences
 * @throws AppError 404 for an unknown mission, flight, seat or user; 409 when the seat is taken, when the pilot is
 *   suspended, flies elsewhere or is on leave at that time, and when the mission is a draft, under way or over
 */
export function assignPilot(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof assignPilotInput>,
  now: Date,
): Promise<z.infer<typeof assignedPilot>> {
  return transact(em, (tx) => assignInside(tx, viewer, input, now), isSeatRace);
}

/**
 * Remove a pilot from a seat and backfill it. The pilot is notified, and not asked again for this mission.
 * @throws AppError 404 for an unknown mission, flight or seat; 409 when the seat is free or held by somebody else, and
 *   when the mission has started
 */
export async function removePilot(
  em: Em,
  viewer: Viewer,
  input: z.infer<typeof removePilotInput>,
  now: Date,
): Promise<void> {
  const work = async (tx: Em) => {
    const locked = await lockForWork(tx, input.id, now);
    if (locked.status === 'launched') throw new AppError('MISSION_STARTED');
    const holder = await findHolder(tx, await findSeat(tx, input));
    if (!holder) throw new AppError('SEAT_EMPTY');
    if (!isSeen(holder, input.holderId)) throw new AppError('SEAT_TAKEN', seatHeldSentence(holder.name));
    const placement = { userId: holder.id, to: null, anyway: true };
    const steps = await preparePlacements(tx, locked.mission, [placement], now);
    await carryOut(tx, viewer, locked, steps, now);
  };
  await transact(em, work, isSeatRace);
}
