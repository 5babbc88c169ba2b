/** Schemas of missions: creation, and missions of a date with packages, flights and assignments. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  AIRCRAFT_SLOT_COUNT,
  FLIGHT_SIZE_MAX,
  MISSION_NAME_MAX_LENGTH,
  BRIEFING_NOTES_MAX_LENGTH,
  MISSION_SEATS_MAX,
} from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { missionLinks, missionLinksInput } from './mission-links.ts';
import { MISSION_ROLES, MISSION_STATUSES, THEATERS } from '#shared/vocabulary.ts';
import {
  aircraftId,
  count,
  dateInput,
  dateTimeInput,
  idInput,
  isoInstant,
  localDate,
  localDateTime,
  optionalText,
  radioFrequency,
  rowId,
  safeText,
  seatIndex,
  side,
  timeZoneInput,
  zoneName,
} from './common.ts';

export const sideInput = z
  .union([z.literal(0), z.literal(1)], { error: copy.sideFromList })
  .meta({ description: 'Side: 0 is blue, 1 is red.', examples: [0] });
export const theaterInput = z
  .enum(THEATERS, { error: copy.theaterFromList })
  .meta({ description: 'Theater of the mission.', examples: ['Syria'] });

/** A request for a number of seats in one aircraft. `notes` carries the role, as the specification fixes it. */
export const aircraftSlotInput = z
  .object({
    aircraftId: z
      .int({ error: copy.unknownAircraft })
      .min(1, copy.unknownAircraft)
      .max(32_767, copy.unknownAircraft)
      .meta({ description: 'Id of the aircraft.', examples: [2] }),
    slotCount: z
      .int({ error: copy.slotCountRange })
      .min(AIRCRAFT_SLOT_COUNT.min, copy.slotCountRange)
      .max(AIRCRAFT_SLOT_COUNT.max, copy.slotCountRange)
      .meta({ description: 'Seats to fill. Flights of up to four are made from them.', examples: [4] }),
    side: sideInput,
    notes: z.enum(MISSION_ROLES, { error: copy.roleFromList }).meta({ description: 'The role.', examples: ['SEAD'] }),
    additionalNotes: optionalText(BRIEFING_NOTES_MAX_LENGTH, { multiline: true }).meta({
      description: 'Notes for the pilots of these flights, in Markdown without HTML.',
      examples: ['Bring four HARM'],
    }),
    fileGroupId: z
      .int({ error: copy.invalidInput })
      .optional()
      .meta({
        description: 'Number of the group in the mission file that these seats are, so that an export names its units.',
        examples: [3],
      }),
    fileStation: z
      .int({ error: copy.invalidInput })
      .min(1, copy.invalidInput)
      .max(2, copy.invalidInput)
      .optional()
      .meta({ description: '2 for the second crew stations of the group; 1 by default.', examples: [1] }),
  })
  .meta({ id: 'AircraftSlotInput', description: 'A number of seats in one type of aircraft.' });

export const missionNameInput = safeText(MISSION_NAME_MAX_LENGTH, {
  tooLong: copy.missionNameTooLong,
  missing: copy.missionNameRequired,
})
  .refine((name) => name.length > 0, copy.missionNameRequired)
  .meta({ description: 'Name of the mission.', minLength: 1, examples: ['Iron Anvil'] });

const GUILDS_MAX = 100;
const guildIdInput = safeText(100).meta({ examples: ['100200300400500600'] });
export const missionGuildsInput = z
  .array(guildIdInput, { error: copy.invalidInput })
  .max(GUILDS_MAX, copy.invalidInput)
  .nullable()
  .optional();

/** What an admin chose. */
export const secretSides = z
  .boolean()
  .nullable()
  .meta({ description: 'Whether the sides are secret from one another; null: while both sides have seats.' });
/** Whether the sides of a mission are secret from one another. */
export const secretSidesInput = z.boolean({ error: copy.trueOrFalse }).nullable().optional();

export const createMissionInput = z
  .object({
    name: missionNameInput,
    theater: theaterInput,
    startLocal: dateTimeInput(copy.startRequired).meta({ description: 'Start, as a local time in `timeZone`.' }),
    endLocal: dateTimeInput(copy.endRequired).meta({
      description:
        'End, as a local time in `timeZone`; at or before the start, it is on the next day. At most 24 hours.',
      examples: ['2026-11-21T22:00'],
    }),
    timeZone: timeZoneInput
      .optional()
      .meta({ description: "IANA time zone of the local times; the admin's own by default." }),
    ...eachField(MISSION_TEXT_KEYS, (key) =>
      optionalText(MISSION_TEXTS[key].maxLength, { multiline: true }).meta({
        description: `${MISSION_TEXTS[key].words} for the pilots of the mission, in Markdown without HTML.`,
        examples: ['Brief on channel 3'],
      }),
    ),
    links: missionLinksInput.meta({ description: 'Links for the pilots of the mission, at most 8.' }),
    aircraftSlots: z
      .array(aircraftSlotInput, { error: copy.aircraftSlotsRequired })
      .min(1, copy.aircraftSlotsRequired)
      .refine((slots) => slots.reduce((sum, { slotCount }) => sum + slotCount, 0) <= MISSION_SEATS_MAX, {
        message: copy.missionTooManySeats,
      })
      .meta({ description: 'Aircraft and seats, at most 256 seats together.' }),
    guildIds: missionGuildsInput.meta({
      description: 'Ids of the Discord servers that show the mission, at most 100; null for all, which is the default.',
    }),
    secretSides: secretSidesInput.meta({
      description:
        'Whether the sides are secret: pilots then see their own side only, and members without a seat no names. Null, the default: while both sides have seats.',
    }),
    templateId: idInput.optional().meta({
      description:
        'Id of a template whose callsigns, frequencies, launch and TOT, packages and objectives the mission takes, as far as its flights have the same aircraft, role and side.',
    }),
    missionFileId: idInput
      .optional()
      .meta({ description: 'Id of an uploaded mission file, which is then kept with the mission.' }),
    publish: z
      .boolean({ error: copy.trueOrFalse })
      .optional()
      .meta({ description: 'False to keep the mission as a draft.', default: true }),
  })
  .meta({ id: 'CreateMission', description: 'A mission to create.' });
export type CreateMissionInput = z.infer<typeof createMissionInput>;

export const issuedOrders = z
  .object({
    orders: count.meta({ description: 'Orders that were issued.', examples: [6] }),
    openSeats: count.meta({ description: 'Seats for which no pilot was found.', examples: [2] }),
  })
  .meta({ id: 'IssuedOrders', description: 'What became of the seats.' });

export const createdMission = z
  .object({
    mission: z
      .object({
        id: rowId.meta({ description: 'Id of the mission.' }),
        name: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
        theater: z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] }),
        status: z.enum(MISSION_STATUSES).meta({ description: 'Status of the mission.' }),
        startLocal: localDateTime.meta({ description: 'Start in `timeZone`.' }),
        endLocal: localDateTime.meta({ description: 'End in `timeZone`.', examples: ['2026-11-21T22:00'] }),
        timeZone: zoneName,
      })
      .meta({ description: 'The new mission.' }),
    slotsSummary: z
      .array(
        z.object({
          aircraftName: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
          aircraftCode: z.string().meta({ description: 'Short name of the aircraft.', examples: ['F-16C'] }),
          totalSlots: count.meta({ description: 'Seats.', examples: [4] }),
          flightsCreated: count.meta({ description: 'Flights that were made.', examples: [1] }),
          side,
        }),
      )
      .meta({ description: 'What was built for each aircraft of the request.' }),
    issued: issuedOrders,
  })
  .meta({ id: 'CreatedMission', description: 'A new mission.' });
export type CreatedMissionDto = z.infer<typeof createdMission>;

export const missionsByDateInput = z.object({
  date: dateInput.meta({ description: 'The date.' }),
  tz: timeZoneInput
    .optional()
    .meta({ description: 'Time zone of the date and of the answer; UTC by default.', default: 'UTC' }),
});

const assignment = z
  .object({
    flightId: rowId.meta({ description: 'Id of the flight.' }),
    seatIndex,
    userId: rowId.meta({ description: 'Id of the pilot.' }),
    userDisplayName: z.string().meta({ description: 'Call sign of the pilot.', examples: ['Afterglow'] }),
  })
  .meta({ id: 'Assignment', description: 'A pilot with an accepted seat.' });

const launch = isoInstant.nullable().meta({ description: 'Time of the launch; null while unknown.' });
const tot = isoInstant.nullable().meta({ description: 'Time on target; null for a role without one.' });
const times = {
  launchUtc: launch,
  launch: launch.meta({ description: 'The same as `launchUtc`.' }),
  totUtc: tot,
  tot: tot.meta({ description: 'The same as `totUtc`.' }),
};
const ownMinutes = z.int().nullable();
const sortOrder = z
  .int()
  .min(0)
  .meta({ description: 'Place in the list.', examples: [0] });

const flight = z
  .object({
    id: rowId.meta({ description: 'Id of the flight.' }),
    callsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
    aircraftId,
    aircraftName: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
    role: z.enum(MISSION_ROLES).meta({ description: 'Role of the flight.' }),
    side,
    ...times,
    launchMinutes: ownMinutes.meta({
      description:
        'Minutes from the start of the mission to the launch that an admin set; null for the usual time of the role.',
    }),
    totMinutes: ownMinutes.meta({
      description: 'The same for the time on target.',
    }),
    radioFreq: radioFrequency.nullable(),
    sizeCap: z
      .int()
      .min(1)
      .max(FLIGHT_SIZE_MAX)
      .meta({ description: 'Seats of the flight.', examples: [4] }),
    notes: z
      .string()
      .nullable()
      .meta({ description: 'Notes of the flight, in Markdown; null without any.', examples: ['Bring four HARM'] }),
    sortOrder,
    acceptedCount: count.meta({ description: 'Accepted seats.', examples: [3] }),
    pendingCount: count.meta({ description: 'Seats that wait for an answer.', examples: [1] }),
    openSlots: count.meta({ description: 'Seats that nobody holds.', examples: [0] }),
    assignments: z.array(assignment).meta({ description: 'Pilots with an accepted seat, by seat.' }),
  })
  .meta({ id: 'Flight', description: 'Up to four aircraft that fly together.' });
export type FlightDto = z.infer<typeof flight>;

const missionPackage = z
  .object({
    id: rowId.meta({ description: 'Id of the package.' }),
    callsign: z.string().meta({ description: 'Callsign of the package.', examples: ['ALPHA'] }),
    objective: z.string().meta({ description: 'What the package does, and where.', examples: ['SEAD/Strike, Syria'] }),
    ownObjective: z
      .string()
      .nullable()
      .meta({
        description: 'The objective that an admin set; null when it names the roles of the flights and the theater.',
        examples: ['Bridge at DT 45 12'],
      }),
    ...times,
    notes: z.string().nullable().meta({ description: 'Notes of the package; null without any.' }),
    sortOrder,
    flights: z.array(flight).meta({ description: 'Flights in order.' }),
  })
  .meta({ id: 'Package', description: 'Flights with one objective.' });

export const mission = z
  .object({
    id: rowId.meta({ description: 'Id of the mission.' }),
    name: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    theater: z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] }),
    status: z.enum(MISSION_STATUSES).meta({
      description: '`launched` while it is under way, `completed` after its end; both follow from the clock.',
    }),
    timeZone: zoneName,
    startLocal: localDateTime.meta({ description: 'Start in `timeZone`.' }),
    endLocal: localDateTime.meta({ description: 'End in `timeZone`.', examples: ['2026-11-21T22:00'] }),
    startUtc: isoInstant.meta({ description: 'Start.' }),
    endUtc: isoInstant.meta({ description: 'End.' }),
    isPractice: z.boolean().meta({
      description: 'True for a practice mission: it asks only its creator, counts nowhere and can be removed.',
    }),
    createdByName: z.string().meta({ description: 'Name of the admin who created it.', examples: ['Marshal'] }),
    ...eachField(MISSION_TEXT_KEYS, (key) =>
      z
        .string()
        .nullable()
        .meta({ description: `${MISSION_TEXTS[key].words} of the mission, in Markdown; null without any.` }),
    ),
    links: missionLinks,
    packages: z.array(missionPackage).meta({ description: 'Packages in order.' }),
  })
  .meta({ id: 'Mission', description: 'A mission with its packages and flights.' });
export type MissionDto = z.infer<typeof mission>;

export const missionsByDate = z
  .object({
    date: localDate.meta({ description: 'The date.' }),
    timeZone: zoneName,
    totalMissions: count.meta({ description: 'Missions of the date.', examples: [2] }),
    missions: z.array(mission).meta({ description: 'Missions by start.' }),
  })
  .meta({ id: 'MissionsByDate', description: 'The missions of a date.' });
