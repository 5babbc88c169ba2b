/** Changes of a seat board by an admin: all are applied, or none; or a dry run that says what they would do. */
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { boardChangedSentence, copy } from '#shared/copy.ts';
import type { AppliedSeatsDto, ApplySeatsInput, SeatChangeDto } from '#shared/schemas/seat-board.ts';
import { lockForWork } from '#server/orders/seats/mission-lock.ts';
import { seatWords } from '#server/orders/seats/rules/order-changes.ts';
import { isSeatRace } from '#server/orders/seats/orders.ts';
import type { BackfillOffer } from '#server/orders/rules/backfill.ts';
import { changedSince, loadBoardSeats, readEditTime, versionOfBoard } from '#server/orders/seating/seat-board.ts';
import { loadNames } from '#server/accounts/users.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { carryOut, preparePlacements, wordsOf, type Step } from './place-pilots.ts';

/** Ends the transaction of a dry run, with its answer. */
class DryRunOver extends Error {
  readonly answer: AppliedSeatsDto;
  constructor(answer: AppliedSeatsDto) {
    super('A dry run ends by undoing what it did');
    this.answer = answer;
  }
}

const present = ({ pilot, held, to, told, warnings, refusal }: Step): SeatChangeDto => ({
  userId: pilot.id,
  userDisplayName: pilot.name,
  from: held ? wordsOf(held) : null,
  to: to && wordsOf(to),
  told: refusal ? null : told,
  warnings: [...warnings],
  refusal: refusal && { code: refusal.code, message: refusal.message },
});

async function presentOffers(
  tx: Em,
  offers: readonly BackfillOffer[],
  seats: readonly { flightId: string; callsign: string }[],
) {
  const names = await loadNames(
    tx,
    offers.map(({ pilotId }) => pilotId),
  );
  const callsignOf = new Map(seats.map(({ flightId, callsign }) => [flightId, callsign]));
  return offers.map(({ pilotId, flightId, seatIndex, kind }) => ({
    userId: pilotId,
    userDisplayName: names.get(pilotId) ?? '',
    place: seatWords(callsignOf.get(flightId) ?? '', seatIndex),
    kind,
  }));
}

async function applyInside(
  tx: Em,
  viewer: Viewer,
  { id, version, changes, dryRun: isDry = false }: ApplySeatsInput,
  now: Date,
): Promise<AppliedSeatsDto> {
  const locked = await lockForWork(tx, id, now);
  if (locked.status === 'draft') throw new AppError('MISSION_IS_DRAFT');
  if (locked.status === 'launched') throw new AppError('MISSION_STARTED');
  const editedMs = await readEditTime(tx, id);
  const before = await loadBoardSeats(tx, id, now);
  const changed = version === undefined ? [] : changedSince(version, editedMs, before);
  if (changed === null) throw new AppError('CHANGED', copy.boardMissionChanged);
  if (changed.length > 0) throw new AppError('CHANGED', boardChangedSentence(changed));

  const placements = changes.map(({ userId, to, anyway = false }) => ({ userId, to, anyway }));
  const steps = await preparePlacements(tx, locked.mission, placements, now);
  const refusal = steps.find((step) => step.refusal !== null)?.refusal;
  if (refusal && !isDry) throw refusal;
  const { offers } = refusal ? { offers: [] } : await carryOut(tx, viewer, locked, steps, now, { isDry });
  const after = isDry ? before : await loadBoardSeats(tx, id, now);
  const shown = steps.map(present);
  const answer = {
    version: versionOfBoard(editedMs, after),
    isApplied: !isDry,
    changes: shown,
    notified: shown.filter(({ told }) => told !== null).length,
    backfill: await presentOffers(tx, offers, before),
  };
  if (isDry) throw new DryRunOver(answer);
  return answer;
}

/**
 * Apply changes of a seat board in one transaction, or see what they would do. A dry run makes the same changes and undoes
 * them, except that it issues no orders.
 * @throws AppError 404 for an unknown mission, flight or seat; 409 for a mission that is a draft, under way or over, for an
 *   older version, and for the first change that is not possible, which a dry run lists instead
 */
export async function applySeats(em: Em, viewer: Viewer, input: ApplySeatsInput, now: Date): Promise<AppliedSeatsDto> {
  try {
    return await transact(em, (tx) => applyInside(tx, viewer, input, now), isSeatRace);
  } catch (error) {
    if (error instanceof DryRunOver) return error.answer;
    throw error;
  }
}
