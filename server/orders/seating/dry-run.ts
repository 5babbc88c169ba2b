/** Dry run of a mission: its seating if it were issued now. Read-only, without locks. */
import type { Em } from '#server/schema/orm.ts';
import { betterRange, findBetterTimes } from '#server/orders/seating/rules/one-mission/alternative-times.ts';
import { seatForIssue } from '#server/orders/seating/rules/one-mission/stable-seating.ts';
import { listEligible } from '#server/orders/seating/rules/one-mission/competing-drafts.ts';
import { explainOpenSeats } from '#server/orders/seating/rules/one-mission/open-seat-reasons.ts';
import { previewSeats } from '#server/orders/seating/rules/one-mission/preview-seats.ts';
import type { SeatedPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { localDateTime, toIso } from '#server/time/time.ts';
import type { DryRunDto, DryRunInput } from '#shared/schemas/mission-plan.ts';
import { INELIGIBILITY_REASONS } from '#shared/vocabulary.ts';
import { addRecords, loadFacts, loadFactsAt } from './candidates.ts';
import { requireSlots, requireTimes } from '#server/planning/mission-request.ts';
import { findCompetingDrafts } from './competing-drafts.ts';
import { loadNames } from '#server/accounts/users.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/**
 * Seat the requested mission with the function that issuing uses, then look for times that fill more seats.
 * 400 for invalid times and aircraft, with the same sentences as on creation.
 */
export async function dryRunMission(em: Em, viewer: Viewer, input: DryRunInput, now: Date): Promise<DryRunDto> {
  const timeZone = input.timeZone ?? viewer.timeZone;
  const nowMs = now.getTime();
  const times = requireTimes(input, timeZone, now);
  const slots = await requireSlots(em, input.aircraftSlots);
  const aircraftIds = [...new Set(slots.map(({ aircraft }) => aircraft.id))];
  const { seats, slotOf } = previewSeats(slots, times);

  const { facts, absent } = await loadFactsAt(em, times, now);
  const eligible = [...listEligible({ ...times, aircraftIds }, facts, nowMs)];
  const pilots = await addRecords(em, facts, now, eligible);
  const { seated, ineligible } = seatForIssue({ seats, times, nowMs, pilots });
  const names = await loadNames(
    em,
    seated.map(({ pilotId }) => pilotId),
  );
  const seatedIn = Map.groupBy(seated, ({ flightId }) => slotOf.get(flightId));
  const presentPilot = ({ pilotId, reasons }: SeatedPilot) => ({
    userId: pilotId,
    userDisplayName: names.get(pilotId) ?? pilotId,
    reasons,
  });

  const better =
    seated.length === seats.length
      ? []
      : findBetterTimes({
          times,
          filled: seated.length,
          demand: aircraftIds.map((aircraftId) => ({
            aircraftId,
            seats: seats.filter((seat) => seat.aircraftId === aircraftId).length,
          })),
          pilots: await loadFacts(em, { range: betterRange(times, nowMs), now }),
          nowMs,
        });

  return {
    timeZone,
    startUtc: toIso(times.startMs),
    endUtc: toIso(times.endMs),
    seats: seats.length,
    filled: seated.length,
    slots: slots.map(({ aircraft, slotCount, role, side }, index) => {
      const holders = seatedIn.get(index) ?? [];
      const open = slotCount - holders.length;
      return {
        aircraftId: aircraft.id,
        aircraftName: aircraft.name,
        role,
        side,
        totalSlots: slotCount,
        filled: holders.length,
        pilots: holders.map(presentPilot),
        unlisted: holders.filter(({ isUnlisted }) => isUnlisted).length,
        whyOpen: open === 0 ? null : explainOpenSeats({ open, aircraft, mission: { id: '', ...times }, nowMs, pilots }),
      };
    }),
    unseated: INELIGIBILITY_REASONS.map((reason) => ({
      reason,
      pilots: ineligible.filter((pilot) => pilot.reason === reason).length + (reason === 'NOT_AVAILABLE' ? absent : 0),
    }))
      .filter((count) => count.pilots > 0)
      .sort((a, b) => b.pilots - a.pilots),
    rivals: await findCompetingDrafts(em, { ...times, aircraftIds }, pilots, now),
    better: better.map(({ startMs, endMs, filled }) => ({
      startLocal: localDateTime(startMs, timeZone),
      endLocal: localDateTime(endMs, timeZone),
      startUtc: toIso(startMs),
      endUtc: toIso(endMs),
      filled,
    })),
  };
}
