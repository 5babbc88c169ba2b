/** Schemas of planning missions: dry run, drafts that compete, pilots without a seat, week plan. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { WEEK_PLAN_MISSIONS_MAX } from '#shared/limits.ts';
import { INELIGIBILITY_REASONS, MISSION_ROLES, ORDER_STATUS_REASONS } from '#shared/vocabulary.ts';
import { aircraftId, count, idInput, isoInstant, localDateTime, rowId, side, zoneName } from './common.ts';
import { createMissionInput, theaterInput } from './missions.ts';

const pilotName = z.string().meta({ description: 'Call sign of the pilot.', examples: ['Afterglow'] });
const pilotId = rowId.meta({ description: 'Id of the pilot.' });

/** The creation payload without name and notes, which do not affect seating. */
export const dryRunInput = createMissionInput
  .pick({ startLocal: true, endLocal: true, timeZone: true, aircraftSlots: true })
  .extend({ theater: theaterInput.optional() })
  .meta({ id: 'DryRunMission', description: 'A mission to try.' });
export type DryRunInput = z.infer<typeof dryRunInput>;

const rivalDraft = z
  .object({
    missionId: rowId.meta({ description: 'Id of the draft.' }),
    missionName: z.string().meta({ description: 'Name of the draft.', examples: ['Iron Anvil'] }),
    startUtc: isoInstant.meta({ description: 'Start of the draft.' }),
    sharedPilots: count.meta({ description: 'Pilots whom both could seat.', examples: [5] }),
  })
  .meta({ id: 'RivalDraft', description: 'A draft that competes for the same pilots.' });
/** Drafts in the same week that compete for the same pilots and could be seated together, by start. */
export const rivalDrafts = z.array(rivalDraft);
export type RivalDraftDto = z.infer<typeof rivalDraft>;

const seats = count.meta({ description: 'Seats.', examples: [12] });
const startUtc = isoInstant.meta({ description: 'Start of the mission.' });
const endUtc = isoInstant.meta({ description: 'End of the mission.' });

export const dryRun = z
  .object({
    timeZone: zoneName.meta({
      description: "Zone of the local times in `better`: the zone of the request, by default the admin's.",
    }),
    startUtc,
    endUtc,
    seats,
    filled: count.meta({ description: 'Seats that would be filled.', examples: [10] }),
    slots: z
      .array(
        z.object({
          aircraftId,
          aircraftName: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
          role: z.enum(MISSION_ROLES).meta({ description: 'Role.' }),
          side,
          totalSlots: seats,
          filled: count.meta({ description: 'Seats that would be filled.', examples: [3] }),
          pilots: z
            .array(
              z.object({
                userId: pilotId,
                userDisplayName: pilotName,
                reasons: z.array(z.string()).meta({
                  description: 'Why this pilot, as sentences.',
                  examples: [['You are free from 1800Z to 2100Z.']],
                }),
              }),
            )
            .meta({ description: 'Pilots who would be asked, in the order of the seats.' }),
          unlisted: count.meta({
            description: 'Those of them who list no aircraft, so that they may not own this one.',
            examples: [1],
          }),
          whyOpen: z
            .string()
            .nullable()
            .meta({ description: 'Why the other seats stay open, as a sentence; null when all are filled.' }),
        }),
      )
      .meta({ description: 'Results per aircraft, in the order of the request.' }),
    unseated: z
      .array(
        z.object({
          reason: z.enum(INELIGIBILITY_REASONS).meta({ description: 'Why pilots have no seat.' }),
          pilots: count.meta({ description: 'Pilots with this reason.', examples: [6] }),
        }),
      )
      .meta({ description: 'Pilots without a seat per reason, the most frequent first.' }),
    better: z
      .array(
        z.object({
          startLocal: localDateTime.meta({ description: 'Start, in the time zone of the request.' }),
          endLocal: localDateTime.meta({
            description: 'End, in the time zone of the request.',
            examples: ['2026-11-21T22:00'],
          }),
          startUtc,
          endUtc,
          filled: count.meta({ description: 'Seats that would be filled.', examples: [12] }),
        }),
      )
      .meta({ description: 'Times of the same length that would fill more seats, the best first, at most three.' }),
    rivals: rivalDrafts.meta({ description: 'Drafts of the same week that compete for the same pilots.' }),
  })
  .meta({ id: 'DryRun', description: 'How a mission would be seated.' });
export type DryRunDto = z.infer<typeof dryRun>;

const ineligiblePilot = z
  .object({
    userId: pilotId,
    userDisplayName: pilotName,
    reason: z.enum(INELIGIBILITY_REASONS).meta({ description: 'Why the pilot has no seat.' }),
    isNearMiss: z.boolean().meta({
      description: 'True for a pilot who misses only a short part of the mission, and is eligible otherwise.',
    }),
    lastOrder: z
      .enum(['standby', 'declined', ...ORDER_STATUS_REASONS])
      .nullable()
      .meta({ description: "Answer or end of the pilot's last order in this mission; null without one." }),
    sentence: z.string().meta({
      description: 'The reason as a sentence for the admin.',
      examples: ['Afterglow is not available from Nov 21 2000Z to Nov 21 2100Z.'],
    }),
  })
  .meta({ id: 'UnseatedPilot', description: 'A pilot without a seat in a mission.' });
/** Active pilots without a seat in a mission, and the current reason why: near misses first, then by reason and name. */
export const ineligiblePilots = z.array(ineligiblePilot);
export type IneligiblePilotDto = z.infer<typeof ineligiblePilot>;

const draftIds = z.array(idInput, { error: copy.invalidInput }).max(WEEK_PLAN_MISSIONS_MAX, copy.weekPlanTooMany);

/** Drafts to seat together, and optionally a mission that is not stored yet (`request`). */
export const weekPlanInput = z.object({
  missionIds: draftIds.meta({ description: 'Ids of the drafts.' }),
  request: dryRunInput.optional().meta({ description: 'A mission that is not stored yet.' }),
});
export type WeekPlanInput = z.infer<typeof weekPlanInput>;
export const publishWeekInput = z.object({
  missionIds: draftIds.min(1, copy.weekPlanEmpty).meta({ description: 'Ids of the drafts.' }),
});

const filled = count.meta({ description: 'Filled seats when all missions are seated together.', examples: [10] });
const filledAlone = count.meta({
  description: 'Filled seats when the missions are published one after the other, by start.',
  examples: [8],
});
const plannedMission = z
  .object({
    missionId: rowId.nullable().meta({ description: 'Id of the mission; null for the mission of `request`.' }),
    missionName: z.string().nullable().meta({ description: 'Name of the mission; null for the mission of `request`.' }),
    startUtc,
    endUtc,
    seats,
    filled,
    filledAlone,
  })
  .meta({ id: 'PlannedMission', description: 'A mission of a week plan.' });
export const weekPlan = z
  .object({
    missions: z.array(plannedMission).meta({ description: 'Missions by start.' }),
    seats,
    filled,
    filledAlone,
    isBest: z
      .boolean()
      .meta({ description: 'True when the result is proven optimal; false when the search reached its limit.' }),
  })
  .meta({ id: 'WeekPlan', description: 'How drafts would be seated together.' });
export type WeekPlanDto = z.infer<typeof weekPlan>;

export const publishedWeek = z
  .object({
    missions: z
      .array(
        z.object({
          id: rowId.meta({ description: 'Id of the mission.' }),
          orders: count.meta({ description: 'Orders that were issued.', examples: [6] }),
          openSeats: count.meta({ description: 'Seats for which no pilot was found.', examples: [2] }),
        }),
      )
      .meta({ description: 'The published missions, by start.' }),
  })
  .meta({ id: 'PublishedWeek', description: 'Drafts that were published together.' });
export type PublishedWeekDto = z.infer<typeof publishedWeek>;
