/** An admin's work on a mission after it was made: edit, publish, cancel, seats, attendance; and the dry run before. */
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
  UNSEATED_REASONS,
} from '#shared/vocabulary.ts';
import { dateTimeInput, flagInput, idInput, isoInstant, optionalText, timeZoneInput } from './common.ts';
import { aircraftSlotInput, createMissionInput, mission, missionNameInput } from './missions.ts';
import { orderChange } from './pilot.ts';

export const missionInput = z.object({ id: idInput, tz: timeZoneInput.optional() });

/** A mission with the request it was built from, so that it can be edited and duplicated. */
export const missionDetail = mission.extend({
  /** wall times below are in the mission's own zone, whatever zone the reader asked for */
  ownTimeZone: z.string(),
  /** names this state of the mission; an edit of an older one is refused */
  version: z.string(),
  aircraftSlots: z.array(
    z.object({
      aircraftId: z.number(),
      slotCount: z.number(),
      side: z.union([z.literal(0), z.literal(1)]),
      /** the role, as in the creation payload */
      notes: z.enum(MISSION_ROLES),
      additionalNotes: z.string().nullable(),
    }),
  ),
});
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
  /** fewer seats than before: the last ones are taken away, with the pilots on them */
  sizeCap: z
    .int({ error: copy.flightSizeRange })
    .min(1, copy.flightSizeRange)
    .max(FLIGHT_SIZE_MAX, copy.flightSizeRange)
    .optional(),
  /** MHz with three decimals, `251.000` */
  radioFreq: z
    .string({ error: copy.radioInvalid })
    .regex(/^\d{2,3}\.\d{3}$/, copy.radioInvalid)
    .nullable()
    .optional(),
  notes: optionalText(NOTES_MAX_LENGTH, { multiline: true }).optional(),
} satisfies Record<FlightField, z.ZodType>;

/** A flight as it is to be. What is left out stays as it is. */
const flightEdit = z.object({ id: idInput, ...flightFields });

/** A mission as it is to be. What is left out stays as it is. */
export const editMissionInput = z.object({
  id: idInput,
  /** of the state that was edited; left out, the edit applies to whatever stands */
  version: z.string().max(64).optional(),
  name: missionNameInput.optional(),
  theater: z.enum(THEATERS, { error: copy.theaterFromList }).optional(),
  /** wall times in `timeZone`, else in the mission's own zone; both or neither */
  startLocal: dateTimeInput(copy.startRequired).optional(),
  endLocal: dateTimeInput(copy.endRequired).optional(),
  timeZone: timeZoneInput.optional(),
  ...eachField(MISSION_TEXT_KEYS, (key) => createMissionInput.shape[key].optional()),
  flights: z.array(flightEdit, { error: copy.invalidInput }).max(MISSION_SEATS_MAX, copy.invalidInput).optional(),
  removeFlightIds: z.array(idInput, { error: copy.invalidInput }).max(MISSION_SEATS_MAX, copy.invalidInput).optional(),
  /** more aircraft: new flights, whose seats are filled at once when the mission is published */
  addAircraftSlots: z
    .array(aircraftSlotInput, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional(),
});
export type EditMissionInput = z.infer<typeof editMissionInput>;
/** A mission's own fields, apart from its times. */
export type MissionValues = Required<Pick<EditMissionInput, MissionField>>;

export const editedMission = z.object({
  mission: missionDetail,
  /** orders that wait for an answer again */
  askedAgain: z.number(),
  /** pilots who were only told */
  told: z.number(),
  /** seats that had to be given up: the flight shrank, or the pilot flies elsewhere at the new time */
  freed: z.number(),
});
export type EditedMissionDto = z.infer<typeof editedMission>;

export const missionIdInput = z.object({ id: idInput });
export const cancelledMission = z.object({ success: z.literal(true), ordersCancelled: z.number() });
export const publishedMission = z.object({ issued: z.object({ orders: z.number(), openSeats: z.number() }) });

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
/** Who is seen on the seat: when somebody else holds it by now, 409 names them, and nobody is taken off unseen. */
const holderId = idInput.optional();
export const removePilotInput = z.object({ ...seatPlace, holderId });
export const assignPilotInput = z.object({
  ...seatPlace,
  userId: idInput,
  /** with `replace` */
  holderId,
  /** somebody else holds the seat: take it from them; otherwise 409 names the holder */
  replace: flagInput.optional(),
});
/** The order that the pilot has now, and what the admin went against in so many words. */
export const assignedPilot = z.object({ orderId: z.string(), warnings: z.array(z.string()) });

/** Who could be put on a seat: pilots who fit first, then the others with what speaks against them. */
export const seatCandidates = z.array(
  z.object({
    userId: z.string(),
    userDisplayName: z.string(),
    level: z.enum(PROFICIENCY_LEVELS),
    /** windows for this very aircraft, for any, or none that cover the mission */
    fit: z.enum(['exact', 'any']).nullable(),
    /** null: nothing stands in the way */
    reason: z.enum(UNSEATED_REASONS).nullable(),
    /** false for who flies elsewhere at that time and for suspended accounts: nothing overrides that */
    isAssignable: z.boolean(),
    /** this mission's order of the pilot, if one is live */
    rsvp: z.enum(RSVPS).nullable(),
    /** the seat the pilot holds in this mission, `VIPER 1, seat 2` */
    holds: z.string().nullable(),
    /** sentences for the admin */
    warnings: z.array(z.string()),
  }),
);
export type SeatCandidateDto = z.infer<typeof seatCandidates>[number];

const missionOrder = z.object({
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
  /** offered to several at once; the first who accepts has it */
  isOpenOffer: z.boolean(),
  /** pending or accepted, on this very seat */
  holdsSeat: z.boolean(),
  /** given back less than 24 h before the start */
  isLate: z.boolean(),
  standbyPosition: z.number().nullable(),
  issuedAt: isoInstant,
  expiresAt: isoInstant,
  answeredAt: isoInstant.nullable(),
  confirmedAt: isoInstant.nullable(),
  reasons: z.array(z.string()),
  changes: z.array(orderChange),
  attendance: z.enum(ATTENDANCES).nullable(),
});
export type MissionOrderDto = z.infer<typeof missionOrder>;
/** Newest first; the client groups them by state. */
export const missionOrders = z.array(missionOrder);

export const attendanceInput = z.object({
  id: idInput,
  attendance: z
    .array(
      z.object({
        orderId: idInput,
        /** null takes a mark back */
        attendance: z.enum(ATTENDANCES, { error: copy.attendanceFromList }).nullable(),
      }),
      { error: copy.invalidInput },
    )
    .min(1, copy.invalidInput)
    .max(MISSION_SEATS_MAX, copy.invalidInput),
});

/** The creation payload; name, theater and notes do not matter to who could fly. */
export const dryRunInput = createMissionInput
  .pick({ startLocal: true, endLocal: true, timeZone: true, aircraftSlots: true })
  .extend({
    theater: z.enum(THEATERS, { error: copy.theaterFromList }).optional(),
  });
export type DryRunInput = z.infer<typeof dryRunInput>;

/** Drafts of the same week that could be flown by some of the same pilots: worth seating together; by start. */
export const rivalDrafts = z.array(
  z.object({ missionId: z.string(), missionName: z.string(), startUtc: isoInstant, sharedPilots: z.number() }),
);
export type RivalDraftDto = z.infer<typeof rivalDrafts>[number];

export const dryRun = z.object({
  startUtc: isoInstant,
  endUtc: isoInstant,
  seats: z.number(),
  filled: z.number(),
  /** in the order of the request */
  slots: z.array(
    z.object({
      aircraftId: z.number(),
      aircraftName: z.string(),
      role: z.enum(MISSION_ROLES),
      side,
      totalSlots: z.number(),
      filled: z.number(),
      /** who would be asked, in the order of the seats */
      pilots: z.array(z.object({ userId: z.string(), userDisplayName: z.string(), reasons: z.array(z.string()) })),
      /** why the others stay open, a sentence; null when all are filled */
      whyOpen: z.string().nullable(),
    }),
  ),
  /** pilots who get no seat, by what stands in the way, the most frequent first */
  unseated: z.array(z.object({ reason: z.enum(UNSEATED_REASONS), pilots: z.number() })),
  /** times of the same length that would fill more of these seats, best first, at most three */
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
});
export type DryRunDto = z.infer<typeof dryRun>;

/** Everybody active who holds no seat of a mission, and why not, as things stand now; by reason, then name. */
export const unseatedPilots = z.array(
  z.object({
    userId: z.string(),
    userDisplayName: z.string(),
    reason: z.enum(UNSEATED_REASONS),
    /** this mission's last order of the pilot: how it ended or was answered; null when there was none */
    lastOrder: z.enum(['standby', 'declined', ...ORDER_STATUS_REASONS]).nullable(),
    /** to the admin */
    sentence: z.string(),
  }),
);
export type UnseatedPilotDto = z.infer<typeof unseatedPilots>[number];

const draftIds = z.array(idInput, { error: copy.invalidInput }).max(WEEK_PLAN_MISSIONS_MAX, copy.weekPlanTooMany);

/** Drafts, and with them perhaps a mission that is not stored yet. */
export const weekPlanInput = z.object({ missionIds: draftIds, request: dryRunInput.optional() });
export type WeekPlanInput = z.infer<typeof weekPlanInput>;
export const publishWeekInput = z.object({ missionIds: draftIds.min(1, copy.weekPlanEmpty) });

const plannedMission = z.object({
  /** null: the mission of the request */
  missionId: z.string().nullable(),
  missionName: z.string().nullable(),
  startUtc: isoInstant,
  endUtc: isoInstant,
  seats: z.number(),
  /** seats that fill when all of them are seated together */
  filled: z.number(),
  /** seats that would fill when they are issued one after the other, by start */
  filledAlone: z.number(),
});
export const weekPlan = z.object({
  /** by start */
  missions: z.array(plannedMission),
  seats: z.number(),
  filled: z.number(),
  filledAlone: z.number(),
  /** no way of seating them fills more; false when the search was cut short */
  isBest: z.boolean(),
});
export type WeekPlanDto = z.infer<typeof weekPlan>;

export const publishedWeek = z.object({
  missions: z.array(z.object({ id: z.string(), orders: z.number(), openSeats: z.number() })),
});
export type PublishedWeekDto = z.infer<typeof publishedWeek>;
