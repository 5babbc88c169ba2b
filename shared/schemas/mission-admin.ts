/** Schemas of an admin's work on missions: dry run, edit, publish, cancel, assign and remove pilots, attendance, week plan. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { FLIGHT_SIZE_MAX, MISSION_SEATS_MAX, NOTES_MAX_LENGTH, WEEK_PLAN_MISSIONS_MAX } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, type FlightField, type MissionField } from '#shared/mission-fields.ts';
import {
  ATTENDANCES,
  MISSION_ROLES,
  ORDER_STATUS_REASONS,
  ORDER_STATUSES,
  PROFICIENCY_LEVELS,
  RSVPS,
  THEATERS,
  INELIGIBILITY_REASONS,
} from '#shared/vocabulary.ts';
import { dateTimeInput, flagInput, idInput, isoInstant, optionalText, timeZoneInput } from './common.ts';
import { aircraftSlotInput, createMissionInput, mission, missionNameInput } from './missions.ts';
import { orderChange } from './pilot.ts';

export const missionInput = z.object({ id: idInput, tz: timeZoneInput.optional() });

/** A mission with the request that it was built from, for editing and copying. */
export const missionDetail = mission
  .extend({
    /** Time zone in which the mission was entered; an edit's local times are in it by default. */
    ownTimeZone: z.string(),
    /** Version of the mission; an edit that names an older version is refused. */
    version: z.string(),
    aircraftSlots: z.array(
      z.object({
        aircraftId: z.number(),
        slotCount: z.number(),
        side: z.union([z.literal(0), z.literal(1)]),
        /** Role of the aircraft, as in the creation payload. */
        notes: z.enum(MISSION_ROLES),
        additionalNotes: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'MissionDetail' });
export type MissionDetailDto = z.infer<typeof missionDetail>;

const side = z.union([z.literal(0), z.literal(1)], { error: copy.sideFromList });

const flightFields = {
  aircraftId: z
    .int({ error: copy.unknownAircraft })
    .min(1, copy.unknownAircraft)
    .max(32_767, copy.unknownAircraft)
    .optional(),
  role: z.enum(MISSION_ROLES, { error: copy.roleFromList }).optional(),
  side: side.optional(),
  /** Number of seats; when it shrinks, the last seats and their pilots are removed. */
  sizeCap: z
    .int({ error: copy.flightSizeRange })
    .min(1, copy.flightSizeRange)
    .max(FLIGHT_SIZE_MAX, copy.flightSizeRange)
    .optional(),
  /** Radio frequency in MHz with three decimals, such as `251.000`. */
  radioFreq: z
    .string({ error: copy.radioInvalid })
    .regex(/^\d{2,3}\.\d{3}$/, copy.radioInvalid)
    .nullable()
    .optional(),
  notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }).optional(),
} satisfies Record<FlightField, z.ZodType>;

/** Changes of a flight; omitted fields stay unchanged. */
const flightEdit = z.object({ id: idInput, ...flightFields }).meta({ id: 'EditFlight' });

/** Changes of a mission; omitted fields stay unchanged. */
export const editMissionInput = z.object({
  id: idInput,
  /** Version of the mission that was edited; without it, the edit applies to the current version. */
  version: z.string().max(64).optional(),
  name: missionNameInput.optional(),
  theater: z.enum(THEATERS, { error: copy.theaterFromList }).optional(),
  /** Start and end as local times in `timeZone`, or else in the mission's own zone; give both or neither. */
  startLocal: dateTimeInput(copy.startRequired).optional(),
  endLocal: dateTimeInput(copy.endRequired).optional(),
  timeZone: timeZoneInput.optional(),
  ...eachField(MISSION_TEXT_KEYS, (key) => createMissionInput.shape[key].optional()),
  flights: z.array(flightEdit, { error: copy.invalidInput }).max(MISSION_SEATS_MAX, copy.invalidInput).optional(),
  removeFlightIds: z.array(idInput, { error: copy.invalidInput }).max(MISSION_SEATS_MAX, copy.invalidInput).optional(),
  /** Aircraft to add as new flights; if the mission is published, their seats are filled at once. */
  addAircraftSlots: z
    .array(aircraftSlotInput, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional(),
});
export type EditMissionInput = z.infer<typeof editMissionInput>;
/** A mission's own fields, except its times. */
export type MissionValues = Required<Pick<EditMissionInput, MissionField>>;

export const editedMission = z
  .object({
    mission: missionDetail,
    /** Number of orders that need an answer again. */
    askedAgain: z.number(),
    /** Number of pilots who were only notified. */
    told: z.number(),
    /** Number of pilots who lost their seat: the flight shrank, or they fly another mission at the new time. */
    freed: z.number(),
  })
  .meta({ id: 'EditedMission' });
export type EditedMissionDto = z.infer<typeof editedMission>;

export const missionIdInput = z.object({ id: idInput });
export const cancelledMission = z
  .object({ success: z.literal(true), ordersCancelled: z.number() })
  .meta({ id: 'CancelledMission' });
export const publishedMission = z
  .object({ issued: z.object({ orders: z.number(), openSeats: z.number() }) })
  .meta({ id: 'PublishedMission' });

const seatPlace = {
  id: idInput,
  flightId: idInput,
  seatIndex: z.preprocess(
    (value) => (typeof value === 'string' && /^\d$/.test(value) ? Number(value) : value),
    z
      .int({ error: copy.seatUnknown })
      .min(0, copy.seatUnknown)
      .max(FLIGHT_SIZE_MAX - 1, copy.seatUnknown),
  ),
};
export const seatInput = z.object(seatPlace);
/** The seat's holder as the admin saw it; if another pilot holds the seat by now, the call is refused (409). */
const holderId = idInput.optional();
export const removePilotInput = z.object({ ...seatPlace, holderId });
export const assignPilotInput = z.object({
  ...seatPlace,
  userId: idInput,
  /** The current holder, together with `replace`. */
  holderId,
  /** True to replace the current holder; otherwise a taken seat is refused (409) with the holder's name. */
  replace: flagInput.optional(),
});
/** The pilot's new order, and the warnings that the admin overrode, as sentences. */
export const assignedPilot = z
  .object({ orderId: z.string(), warnings: z.array(z.string()) })
  .meta({ id: 'AssignedPilot' });

/** Candidates for a seat: eligible pilots first, then the others with the reason why not. */
export const seatCandidates = z.array(
  z.object({
    userId: z.string(),
    userDisplayName: z.string(),
    level: z.enum(PROFICIENCY_LEVELS),
    /** Availability for the whole mission: for this aircraft, for any aircraft, or null for none. */
    fit: z.enum(['exact', 'any']).nullable(),
    /** Reason why the pilot is not eligible; null for an eligible pilot. */
    reason: z.enum(INELIGIBILITY_REASONS).nullable(),
    /** False for suspended pilots and those in another mission at that time; admins cannot override this. */
    isAssignable: z.boolean(),
    /** Answer of the pilot's current order in this mission; null without one. */
    rsvp: z.enum(RSVPS).nullable(),
    /** The seat that the pilot holds in this mission, such as `VIPER 1, seat 2`; null without one. */
    holds: z.string().nullable(),
    /** Warnings for the admin, as sentences. */
    warnings: z.array(z.string()),
  }),
);
export type SeatCandidateDto = z.infer<typeof seatCandidates>[number];

const missionOrder = z
  .object({
    id: z.string(),
    seq: z.number(),
    label: z.string(),
    userId: z.string(),
    userDisplayName: z.string(),
    flightId: z.string(),
    flightCallsign: z.string(),
    aircraftName: z.string(),
    seatIndex: z.number(),
    status: z.enum(ORDER_STATUSES),
    statusReason: z.enum(ORDER_STATUS_REASONS).nullable(),
    rsvp: z.enum(RSVPS),
    /** True when the seat is offered to several pilots at once: the first to accept gets it. */
    isOpenOffer: z.boolean(),
    /** True when the order holds its seat: pending or accepted. */
    holdsSeat: z.boolean(),
    /** True when the seat was given back less than 24 hours before the start. */
    isLate: z.boolean(),
    standbyPosition: z.number().nullable(),
    issuedAt: isoInstant,
    expiresAt: isoInstant,
    answeredAt: isoInstant.nullable(),
    confirmedAt: isoInstant.nullable(),
    reasons: z.array(z.string()),
    changes: z.array(orderChange),
    attendance: z.enum(ATTENDANCES).nullable(),
  })
  .meta({ id: 'MissionOrder' });
export type MissionOrderDto = z.infer<typeof missionOrder>;
/** Orders of a mission, newest first. */
export const missionOrders = z.array(missionOrder);

export const attendanceInput = z.object({
  id: idInput,
  attendance: z
    .array(
      z.object({
        orderId: idInput,
        /** Attendance of the pilot; null removes the mark. */
        attendance: z.enum(ATTENDANCES, { error: copy.attendanceFromList }).nullable(),
      }),
      { error: copy.invalidInput },
    )
    .min(1, copy.invalidInput)
    .max(MISSION_SEATS_MAX, copy.invalidInput),
});

/** The creation payload without name and notes, which do not affect seating. */
export const dryRunInput = createMissionInput
  .pick({ startLocal: true, endLocal: true, timeZone: true, aircraftSlots: true })
  .extend({
    theater: z.enum(THEATERS, { error: copy.theaterFromList }).optional(),
  })
  .meta({ id: 'DryRunMission' });
export type DryRunInput = z.infer<typeof dryRunInput>;

/** Drafts in the same week that compete for the same pilots and could be seated together, by start. */
export const rivalDrafts = z.array(
  z.object({ missionId: z.string(), missionName: z.string(), startUtc: isoInstant, sharedPilots: z.number() }),
);
export type RivalDraftDto = z.infer<typeof rivalDrafts>[number];

export const dryRun = z
  .object({
    /** Zone of the local times in `better`: the zone of the request, by default the admin's. */
    timeZone: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    seats: z.number(),
    filled: z.number(),
    /** Results per aircraft slot, in the order of the request. */
    slots: z.array(
      z.object({
        aircraftId: z.number(),
        aircraftName: z.string(),
        role: z.enum(MISSION_ROLES),
        side,
        totalSlots: z.number(),
        filled: z.number(),
        /** Pilots who would be asked, in the order of the seats. */
        pilots: z.array(z.object({ userId: z.string(), userDisplayName: z.string(), reasons: z.array(z.string()) })),
        /** Reason why the other seats stay open, as a sentence; null when all are filled. */
        whyOpen: z.string().nullable(),
      }),
    ),
    /** Number of pilots without a seat per reason, most frequent first. */
    unseated: z.array(z.object({ reason: z.enum(INELIGIBILITY_REASONS), pilots: z.number() })),
    /** Alternative times of the same length that would fill more seats, best first, at most three. */
    better: z.array(
      z.object({
        startLocal: z.string(),
        endLocal: z.string(),
        startUtc: isoInstant,
        endUtc: isoInstant,
        filled: z.number(),
      }),
    ),
    rivals: rivalDrafts,
  })
  .meta({ id: 'DryRun' });
export type DryRunDto = z.infer<typeof dryRun>;

/** Active pilots without a seat in a mission, and the current reason why; by reason, then name. */
export const ineligiblePilots = z.array(
  z.object({
    userId: z.string(),
    userDisplayName: z.string(),
    reason: z.enum(INELIGIBILITY_REASONS),
    /** Answer or end of the pilot's last order in this mission; null without one. */
    lastOrder: z.enum(['standby', 'declined', ...ORDER_STATUS_REASONS]).nullable(),
    /** The reason as a sentence for the admin. */
    sentence: z.string(),
  }),
);
export type IneligiblePilotDto = z.infer<typeof ineligiblePilots>[number];

const draftIds = z.array(idInput, { error: copy.invalidInput }).max(WEEK_PLAN_MISSIONS_MAX, copy.weekPlanTooMany);

/** Drafts to seat together, and optionally a mission that is not stored yet (`request`). */
export const weekPlanInput = z.object({ missionIds: draftIds, request: dryRunInput.optional() });
export type WeekPlanInput = z.infer<typeof weekPlanInput>;
export const publishWeekInput = z.object({ missionIds: draftIds.min(1, copy.weekPlanEmpty) });

const plannedMission = z
  .object({
    /** Id of the mission; null for the mission of `request`. */
    missionId: z.string().nullable(),
    missionName: z.string().nullable(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    seats: z.number(),
    /** Number of filled seats when all missions are seated together. */
    filled: z.number(),
    /** Number of filled seats when the missions are published one after the other, by start. */
    filledAlone: z.number(),
  })
  .meta({ id: 'PlannedMission' });
export const weekPlan = z
  .object({
    /** Missions by start. */
    missions: z.array(plannedMission),
    seats: z.number(),
    filled: z.number(),
    filledAlone: z.number(),
    /** True when the result is proven optimal; false when the search reached its limit. */
    isBest: z.boolean(),
  })
  .meta({ id: 'WeekPlan' });
export type WeekPlanDto = z.infer<typeof weekPlan>;

export const publishedWeek = z
  .object({
    missions: z.array(z.object({ id: z.string(), orders: z.number(), openSeats: z.number() })),
  })
  .meta({ id: 'PublishedWeek' });
export type PublishedWeekDto = z.infer<typeof publishedWeek>;
