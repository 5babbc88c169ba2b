/** Schemas of missions: creation, and missions of a date with packages, flights and assignments. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { AIRCRAFT_SLOT_COUNT, MISSION_NAME_MAX_LENGTH, MISSION_SEATS_MAX, NOTES_MAX_LENGTH } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { MISSION_ROLES, MISSION_STATUSES, THEATERS } from '#shared/vocabulary.ts';
import { dateInput, dateTimeInput, isoInstant, optionalText, safeText, timeZoneInput } from './common.ts';

const side = z.union([z.literal(0), z.literal(1)], { error: copy.sideFromList });

/** A request for a number of seats in one aircraft. `notes` carries the role, as the specification fixes it. */
export const aircraftSlotInput = z
  .object({
    aircraftId: z.int({ error: copy.unknownAircraft }).min(1, copy.unknownAircraft).max(32_767, copy.unknownAircraft),
    slotCount: z
      .int({ error: copy.slotCountRange })
      .min(AIRCRAFT_SLOT_COUNT.min, copy.slotCountRange)
      .max(AIRCRAFT_SLOT_COUNT.max, copy.slotCountRange),
    side,
    notes: z.enum(MISSION_ROLES, { error: copy.roleFromList }),
    additionalNotes: optionalText(NOTES_MAX_LENGTH, { multiline: true }),
  })
  .meta({ id: 'AircraftSlotInput' });

export const missionNameInput = safeText(MISSION_NAME_MAX_LENGTH, {
  tooLong: copy.missionNameTooLong,
  missing: copy.missionNameRequired,
}).refine((name) => name.length > 0, copy.missionNameRequired);

export const createMissionInput = z.object({
  name: missionNameInput,
  theater: z.enum(THEATERS, { error: copy.theaterFromList }),
  startLocal: dateTimeInput(copy.startRequired),
  endLocal: dateTimeInput(copy.endRequired),
  timeZone: timeZoneInput.optional(),
  ...eachField(MISSION_TEXT_KEYS, (key) => optionalText(MISSION_TEXTS[key].maxLength, { multiline: true })),
  aircraftSlots: z
    .array(aircraftSlotInput, { error: copy.aircraftSlotsRequired })
    .min(1, copy.aircraftSlotsRequired)
    .refine((slots) => slots.reduce((sum, { slotCount }) => sum + slotCount, 0) <= MISSION_SEATS_MAX, {
      message: copy.missionTooManySeats,
    }),
  publish: z.boolean({ error: copy.trueOrFalse }).optional(),
});
export type CreateMissionInput = z.infer<typeof createMissionInput>;

export const createdMission = z
  .object({
    mission: z.object({
      id: z.string(),
      name: z.string(),
      theater: z.string(),
      status: z.enum(MISSION_STATUSES),
      startLocal: z.string(),
      endLocal: z.string(),
      timeZone: z.string(),
    }),
    slotsSummary: z.array(
      z.object({
        aircraftName: z.string(),
        aircraftCode: z.string(),
        totalSlots: z.number(),
        flightsCreated: z.number(),
        side,
      }),
    ),
    issued: z.object({ orders: z.number(), openSeats: z.number() }),
  })
  .meta({ id: 'CreatedMission' });
export type CreatedMissionDto = z.infer<typeof createdMission>;

export const missionsByDateInput = z.object({ date: dateInput, tz: timeZoneInput.optional() });

const assignment = z
  .object({
    flightId: z.string(),
    seatIndex: z.number(),
    userId: z.string(),
    userDisplayName: z.string(),
  })
  .meta({ id: 'Assignment' });

const times = {
  launchUtc: isoInstant.nullable(),
  launch: isoInstant.nullable(),
  totUtc: isoInstant.nullable(),
  tot: isoInstant.nullable(),
};

const flight = z
  .object({
    id: z.string(),
    callsign: z.string(),
    aircraftId: z.number(),
    aircraftName: z.string(),
    role: z.enum(MISSION_ROLES),
    side,
    ...times,
    radioFreq: z.string().nullable(),
    sizeCap: z.number(),
    notes: z.string().nullable(),
    sortOrder: z.number(),
    acceptedCount: z.number(),
    pendingCount: z.number(),
    openSlots: z.number(),
    /** Pilots with an accepted seat. */
    assignments: z.array(assignment),
  })
  .meta({ id: 'Flight' });
export type FlightDto = z.infer<typeof flight>;

const missionPackage = z
  .object({
    id: z.string(),
    callsign: z.string(),
    objective: z.string(),
    ...times,
    notes: z.string().nullable(),
    sortOrder: z.number(),
    flights: z.array(flight),
  })
  .meta({ id: 'Package' });

export const mission = z
  .object({
    id: z.string(),
    name: z.string(),
    theater: z.string(),
    status: z.enum(MISSION_STATUSES),
    timeZone: z.string(),
    startLocal: z.string(),
    endLocal: z.string(),
    startUtc: isoInstant,
    endUtc: isoInstant,
    createdByName: z.string(),
    ...eachField(MISSION_TEXT_KEYS, () => z.string().nullable()),
    packages: z.array(missionPackage),
  })
  .meta({ id: 'Mission' });
export type MissionDto = z.infer<typeof mission>;

export const missionsByDate = z
  .object({
    date: z.string(),
    timeZone: z.string(),
    totalMissions: z.number(),
    missions: z.array(mission),
  })
  .meta({ id: 'MissionsByDate' });
