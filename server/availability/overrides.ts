/** Dated exceptions (overrides) to the weekly availability: "away on Friday", "free on Saturday afternoon after all". */
import type { z } from 'zod';
import { Aircraft } from '#server/schema/aircraft.ts';
import { AvailabilityOverride } from '#server/schema/availability.ts';
import { newId } from '#server/schema/base.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import type { Interval } from '#server/time/intervals.ts';
import { addDays, localDate, localDateTime, MINUTE_MS } from '#server/time/time.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { ANY_AIRCRAFT_ID, OWNED_MAX } from '#shared/limits.ts';
import type { addOverrideInput, OverrideDto, removeOverrideInput } from '#shared/schemas/availability.ts';
import { emit } from '#server/signals/emit.ts';
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';
import { type KeyedCaller, onceFor } from '#server/platform/idempotency.ts';
import { refuseBeyondCap } from '#server/platform/ownership.ts';
import { findUser, lockUser } from '#server/accounts/users.ts';

/** From yesterday on: its overrides may run past midnight. */
const SHOWN_SINCE_DAYS = -1;

function present(override: AvailabilityOverride): OverrideDto {
  return {
    id: override.id,
    dateLocal: override.dateLocal,
    kind: override.kind,
    startLocal: override.startLocal,
    endLocal: override.endLocal,
    aircraftCodeId: override.aircraft?.id ?? ANY_AIRCRAFT_ID,
    notes: override.notes ?? null,
  };
}

/** Lock the pilot. @returns the pilot's current date; 404 for an unknown id */
async function lockPilotToday(tx: Em, userId: string, now: Date): Promise<string> {
  const { timeZone } = await lockUser(tx, userId);
  return localDate(now.getTime(), timeZone);
}

/** Overrides from yesterday on, by the pilot's own calendar, the earliest first. */
export async function listOverrides(em: Em, userId: string, now: Date): Promise<OverrideDto[]> {
  const { timeZone } = await findUser(em, userId);
  const since = addDays(localDate(now.getTime(), timeZone), SHOWN_SINCE_DAYS);
  const overrides = await em.find(
    AvailabilityOverride,
    { user: userId, dateLocal: { $gte: since } },
    { orderBy: { dateLocal: 'asc', startLocal: 'asc', id: 'asc' }, limit: OWNED_MAX.overrides },
  );
  return overrides.map(present);
}

/** Delete the oldest past overrides to make room for new ones: the list does not show them, so the pilot cannot. */
async function dropPast(tx: Em, userId: string, { today, adding }: { today: string; adding: number }): Promise<void> {
  const oldest = await db(tx)
    .selectFrom('availability_override')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('date_local', 'desc')
    .orderBy('id', 'desc')
    .offset(OWNED_MAX.overrides - adding)
    .execute();
  if (oldest.length === 0) return;
  await tx.nativeDelete(AvailabilityOverride, { id: { $in: oldest.map(({ id }) => id) }, dateLocal: { $lt: today } });
}

/**
 * Add the same override to each date from dateLocal to untilLocal. One that exists already is kept.
 * @param caller for a request with an Idempotency-Key
 * @returns the overrides of these dates, in order
 */
export async function addOverride(
  em: Em,
  input: z.infer<typeof addOverrideInput>,
  now: Date,
  caller?: KeyedCaller,
): Promise<OverrideDto[]> {
  return transact(em, async (tx) => {
    const today = await lockPilotToday(tx, input.id, now);
    return onceFor(tx, caller, 'override', input, () => addInside(tx, input, today));
  });
}

async function addInside(tx: Em, input: z.infer<typeof addOverrideInput>, today: string): Promise<OverrideDto[]> {
  if (input.dateLocal < today) throw new AppError('VALIDATION', copy.overrideInPast, { field: 'dateLocal' });
  const aircraftId =
    input.kind === 'unavailable' || input.aircraftCodeId === ANY_AIRCRAFT_ID ? null : input.aircraftCodeId;
  if (aircraftId !== null) await findAircraft(tx, [aircraftId], () => 'aircraftCodeId');

  const ahead = await tx.find(AvailabilityOverride, { user: input.id, dateLocal: { $gte: today } });
  const sameOn = (dateLocal: string) =>
    ahead.find(
      (one) =>
        one.dateLocal === dateLocal &&
        one.kind === input.kind &&
        one.startLocal === input.startLocal &&
        one.endLocal === input.endLocal &&
        (one.aircraft?.id ?? null) === aircraftId &&
        (one.notes ?? null) === input.notes,
    );
  const dates: string[] = [];
  const last = input.untilLocal ?? input.dateLocal;
  for (let dateLocal = input.dateLocal; dateLocal <= last; dateLocal = addDays(dateLocal, 1)) dates.push(dateLocal);
  const adding = dates.filter((dateLocal) => !sameOn(dateLocal)).length;
  if (adding > 0) {
    refuseBeyondCap('overrides', ahead.length, adding);
    await dropPast(tx, input.id, { today, adding });
  }
  const answer = dates.map(
    (dateLocal) =>
      sameOn(dateLocal) ??
      tx.create(AvailabilityOverride, {
        id: newId(),
        user: tx.getReference(User, input.id),
        dateLocal,
        kind: input.kind,
        startLocal: input.startLocal,
        endLocal: input.endLocal,
        aircraft: aircraftId === null ? null : tx.getReference(Aircraft, aircraftId),
        notes: input.notes,
      }),
  );
  emit(tx, { type: 'times.changed', userId: input.id });
  return answer.map(present);
}

/**
 * Add dated availability for any aircraft, to the whole minutes around each interval. Part of the caller's transaction.
 * @param intervals shorter than a day
 * @throws AppError 409 for too many exceptions
 */
export async function addAvailability(
  tx: Em,
  userId: string,
  intervals: readonly Interval[],
  now: Date,
): Promise<void> {
  const { timeZone } = await lockUser(tx, userId);
  for (const { startMs, endMs } of intervals) {
    const [start, end] = [startMs, Math.ceil(endMs / MINUTE_MS) * MINUTE_MS].map((ms) => localDateTime(ms, timeZone));
    const [dateLocal = '', startLocal = ''] = start?.split('T') ?? [];
    const [, endLocal = ''] = end?.split('T') ?? [];
    const input = {
      id: userId,
      dateLocal,
      kind: 'available',
      startLocal,
      endLocal,
      aircraftCodeId: ANY_AIRCRAFT_ID,
    } as const;
    await addInside(tx, { ...input, notes: null }, localDate(now.getTime(), timeZone));
  }
}

/** Remove an override of this pilot. Removing one that is gone already succeeds, for the sake of double clicks. */
export async function removeOverride(
  em: Em,
  { id, overrideId }: z.infer<typeof removeOverrideInput>,
): Promise<{ success: true }> {
  await transact(em, async (tx) => {
    await tx.nativeDelete(AvailabilityOverride, { id: overrideId, user: id });
    emit(tx, { type: 'times.changed', userId: id });
  });
  return { success: true };
}
