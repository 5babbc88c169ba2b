/** Schemas of an admin's work on missions: read, publish, cancel, assign and remove pilots, attendance. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX, LISTED_MAX, MISSION_SEATS_MAX } from '#shared/limits.ts';
import { NUDGES } from '#shared/board-needs.ts';
import {
  ATTENDANCES,
  REMINDER_CHANNELS,
  REMINDER_STATES,
  MISSION_ROLES,
  PROFICIENCY_LEVELS,
  RSVPS,
  INELIGIBILITY_REASONS,
} from '#shared/vocabulary.ts';
import {
  aircraftId,
  count,
  discordId,
  flagInput,
  idInput,
  isoInstant,
  rowId,
  safeText,
  seatIndex,
  side,
  timeZoneInput,
} from './common.ts';
import { issuedOrders, mission, secretSides } from './missions.ts';
import { fragOrder, holdsSeat, orderNumber } from './pilot.ts';

export const missionId = idInput.meta({ description: 'Id of the mission.' });
export const pilotName = z.string().meta({ description: 'Call sign of the pilot.', examples: ['Afterglow'] });
export const pilotId = rowId.meta({ description: 'Id of the pilot.' });

export const missionInput = z.object({
  id: missionId,
  tz: timeZoneInput.optional().meta({ description: "Time zone of the local times; the mission's own by default." }),
});

/** A mission with the request that it was built from, for editing and copying. */
export const missionDetail = mission
  .extend({
    ownTimeZone: z.string().meta({
      description: "Time zone in which the mission was entered; an edit's local times are in it by default.",
      examples: ['Europe/Berlin'],
    }),
    guildIds: z
      .array(discordId)
      .nullable()
      .meta({ description: 'Ids of the Discord servers that show the mission; null for all.' }),
    secretSides,
    version: z.string().meta({
      description: 'Version of the mission; an edit that names an older version is refused.',
      examples: ['2026-11-18T09:12:44.017Z'],
    }),
    aircraftSlots: z
      .array(
        z.object({
          aircraftId,
          slotCount: z
            .int()
            .min(1)
            .meta({ description: 'Seats.', examples: [4] }),
          side,
          notes: z.enum(MISSION_ROLES).meta({ description: 'The role.' }),
          additionalNotes: z
            .string()
            .nullable()
            .meta({ description: 'Notes for the pilots of these flights; null without any.' }),
        }),
      )
      .meta({ description: 'Aircraft and seats as they were requested.' }),
  })
  .meta({ id: 'MissionDetail', description: 'A mission with the request that it was built from.' });
export type MissionDetailDto = z.infer<typeof missionDetail>;

export const missionIdInput = z.object({ id: missionId });
export const cancelledMission = z
  .object({
    success: z.literal(true).meta({ description: 'Always true: a failure has its own status.' }),
    ordersCancelled: count.meta({ description: 'Orders that were cancelled.', examples: [7] }),
  })
  .meta({ id: 'CancelledMission', description: 'A cancelled mission.' });
export const publishedMission = z
  .object({ issued: issuedOrders })
  .meta({ id: 'PublishedMission', description: 'A published mission.' });

const seatPlace = {
  id: missionId,
  flightId: idInput.meta({ description: 'Id of the flight.' }),
  seatIndex: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d$/.test(value) ? Number(value) : value),
      z
        .int({ error: copy.seatUnknown })
        .min(0, copy.seatUnknown)
        .max(FLIGHT_SIZE_MAX - 1, copy.seatUnknown),
    )
    .meta({ description: 'Seat in the flight, from 0 (the lead).', examples: [0] }),
};
export const seatInput = z.object(seatPlace);
export const candidatesInput = z.object({
  ...seatPlace,
  query: safeText(200)
    .optional()
    .meta({ description: 'Only pilots whose call sign contains this text.', examples: ['after'] }),
});
const holderId = idInput.optional().meta({
  description:
    "The seat's holder as the admin saw it; if another pilot holds the seat by now, the call is refused (409).",
});
export const removePilotInput = z.object({ ...seatPlace, holderId });
export const assignPilotInput = z.object({
  ...seatPlace,
  userId: idInput.meta({ description: 'Id of the pilot.' }),
  holderId,
  replace: flagInput.optional().meta({
    description: 'True to replace the current holder; otherwise a taken seat is refused (409).',
    default: false,
  }),
});
export const assignedPilot = z
  .object({
    orderId: rowId.meta({ description: "Id of the pilot's new order." }),
    warnings: z.array(z.string()).meta({
      description: 'Warnings that the admin overrode, as sentences.',
      examples: [['Afterglow is not available from Nov 21 2000Z to Nov 21 2100Z.']],
    }),
  })
  .meta({ id: 'AssignedPilot', description: 'A pilot who was assigned to a seat.' });

const seatCandidate = z
  .object({
    userId: pilotId,
    userDisplayName: pilotName,
    level: z.enum(PROFICIENCY_LEVELS).meta({ description: "The pilot's level in the aircraft." }),
    fit: z.enum(['exact', 'any', 'unlisted']).nullable().meta({
      description:
        'Free for the whole mission: for this aircraft; for any aircraft, with this one on their list (`any`) or without a list (`unlisted`); or null for not free.',
    }),
    reason: z
      .enum(INELIGIBILITY_REASONS)
      .nullable()
      .meta({ description: 'Why the pilot is not eligible; null for an eligible pilot.' }),
    isAssignable: z.boolean().meta({
      description: 'False for suspended pilots and those in another mission at that time; admins cannot override this.',
    }),
    rsvp: z
      .enum(RSVPS)
      .nullable()
      .meta({ description: "Answer of the pilot's current order in this mission; null without one." }),
    holds: z
      .string()
      .nullable()
      .meta({
        description: 'The seat that the pilot holds in this mission; null without one.',
        examples: ['VIPER 1, seat 2'],
      }),
    warnings: z.array(z.string()).meta({
      description: 'Warnings for the admin, as sentences.',
      examples: [['Afterglow is not available from Nov 21 2000Z to Nov 21 2100Z.']],
    }),
  })
  .meta({ id: 'SeatCandidate', description: 'A pilot who could be assigned to a seat.' });
/** Candidates for a seat: eligible pilots first, then the others with the reason why not. */
export const seatCandidates = z.array(seatCandidate).max(LISTED_MAX.candidates);
export type SeatCandidateDto = z.infer<typeof seatCandidate>;

const orderReminder = z
  .object({
    leadMinutes: z.int().meta({ description: 'Minutes before the start.', examples: [1440] }),
    remindedAt: isoInstant.meta({ description: 'Time at which it was handed over.' }),
    deliveries: z
      .array(
        z.object({
          channel: z.enum(REMINDER_CHANNELS).meta({ description: 'Where it goes.', examples: ['discord'] }),
          state: z.enum(REMINDER_STATES).meta({
            description: '`waiting` is tried again, `dropped` was no longer wanted or true when it was its turn.',
          }),
          reason: z
            .string()
            .nullable()
            .meta({ description: 'Why it did not arrive, or not yet; null without a failure.' }),
        }),
      )
      .meta({ description: 'One for each channel; none if the pilot has no channel.' }),
    problem: z.string().nullable().meta({ description: 'Why there is no channel; null if there is one.' }),
  })
  .meta({ id: 'OrderReminder', description: 'A reminder of the mission, as admins see it.' });
export type OrderReminderDto = z.infer<typeof orderReminder>;

/** What admins and pilots read of an order is described once. */
const order = fragOrder.shape;

const missionOrder = z
  .object({
    id: rowId.meta({ description: 'Id of the order.' }),
    ...orderNumber,
    userId: pilotId,
    userDisplayName: pilotName,
    flightId: rowId.meta({ description: 'Id of the flight.' }),
    flightCallsign: order.flightCallsign,
    aircraftName: order.aircraftName,
    seatIndex,
    status: order.status,
    statusReason: order.statusReason,
    rsvp: order.rsvp,
    isOpenOffer: z
      .boolean()
      .meta({ description: 'True when the seat is offered to several pilots at once: the first to accept gets it.' }),
    holdsSeat,
    isLate: z.boolean().meta({ description: 'True when the seat was given back less than 24 hours before the start.' }),
    standbyPosition: order.standbyPosition,
    issuedAt: order.issuedAt,
    expiresAt: order.expiresAt,
    answeredAt: isoInstant.nullable().meta({ description: 'Time of the answer; null without one.' }),
    confirmedAt: order.confirmedAt,
    reasons: order.reasons,
    changes: order.changes,
    attendance: z.enum(ATTENDANCES).nullable().meta({ description: 'Attendance; null before it is marked.' }),
    reminders: z.array(orderReminder).meta({ description: 'Reminders of the present start, the first one first.' }),
  })
  .meta({ id: 'MissionOrder', description: 'A frag order as admins see it.' });
export type MissionOrderDto = z.infer<typeof missionOrder>;
/** Orders of a mission, newest first. */
export const missionOrders = z.array(missionOrder);

export const attendanceInput = z.object({
  id: missionId,
  attendance: z
    .array(
      z.object({
        orderId: idInput.meta({ description: 'Id of the order.' }),
        attendance: z
          .enum(ATTENDANCES, { error: copy.attendanceFromList })
          .nullable()
          .meta({ description: 'Attendance of the pilot; null removes the mark.', examples: ['attended'] }),
      }),
      { error: copy.invalidInput },
    )
    .min(1, copy.invalidInput)
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .meta({ description: 'One mark per order.' }),
});

export const nudgeInput = z.object({
  id: missionId,
  about: z
    .enum(NUDGES, { error: copy.nudgeFromList })
    .meta({ description: 'Pilots without an answer, or without a confirmation on the day before the start.' }),
});
export const nudgedPilots = z
  .object({ nudged: count.meta({ description: 'Pilots who were asked again.', examples: [3] }) })
  .meta({ id: 'NudgedPilots', description: 'How many pilots were asked again.' });
