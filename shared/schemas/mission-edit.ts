/** Schemas of an admin's edit of a mission, its packages and its flights, and of what the edit means for its pilots. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import {
  BRIEFING_NOTES_MAX_LENGTH,
  CALLSIGN_MAX_LENGTH,
  FLIGHT_SIZE_MAX,
  MISSION_SEATS_MAX,
  OBJECTIVE_MAX_LENGTH,
  PLAN_MINUTES_MAX,
} from '#shared/limits.ts';
import {
  eachField,
  MISSION_TEXT_KEYS,
  type FlightField,
  type MissionField,
  type PackageField,
} from '#shared/mission-fields.ts';
import { missionLinksInput, type MissionLink } from './mission-links.ts';
import { MISSION_ROLES, RSVPS, INELIGIBILITY_REASONS } from '#shared/vocabulary.ts';
import { count, dateTimeInput, idInput, optionalText, rowId, safeText, seatIndex, timeZoneInput } from './common.ts';
import {
  aircraftSlotInput,
  createMissionInput,
  missionGuildsInput,
  secretSidesInput,
  missionNameInput,
  sideInput,
  theaterInput,
} from './missions.ts';
import { missionId, pilotName, pilotId, missionDetail } from './mission-admin.ts';

const CALLSIGN_SENTENCE = `Please enter a callsign of up to ${CALLSIGN_MAX_LENGTH} characters`;

const callsignInput = safeText(CALLSIGN_MAX_LENGTH, { tooLong: CALLSIGN_SENTENCE, missing: CALLSIGN_SENTENCE })
  .refine((callsign) => callsign !== '', CALLSIGN_SENTENCE)
  .optional();
const planMinutes = z
  .int({ error: copy.minutesAfterStart })
  .min(0, copy.minutesAfterStart)
  .max(PLAN_MINUTES_MAX, copy.minutesAfterStart)
  .nullable()
  .optional();

const flightFields = {
  callsign: callsignInput.meta({
    description: 'Callsign of the flight, which no other flight has at that time.',
    examples: ['Viper 1'],
  }),
  aircraftId: z
    .int({ error: copy.unknownAircraft })
    .min(1, copy.unknownAircraft)
    .max(32_767, copy.unknownAircraft)
    .optional()
    .meta({ description: 'Id of the aircraft.', examples: [2] }),
  role: z.enum(MISSION_ROLES, { error: copy.roleFromList }).optional().meta({ description: 'Role of the flight.' }),
  side: sideInput.optional(),
  sizeCap: z
    .int({ error: copy.flightSizeRange })
    .min(1, copy.flightSizeRange)
    .max(FLIGHT_SIZE_MAX, copy.flightSizeRange)
    .optional()
    .meta({ description: 'Seats. When it shrinks, the last seats and their pilots are removed.', examples: [4] }),
  launchMinutes: planMinutes.meta({
    description: 'Launch, in minutes after the start of the mission; null for the usual time of the role.',
    examples: [35],
  }),
  totMinutes: planMinutes.meta({
    description: 'Time on target, in minutes after the start of the mission; null for the usual time of the role.',
    examples: [65],
  }),
  radioFreq: z
    .string({ error: copy.radioInvalid })
    .regex(/^\d{2,3}\.\d{3}$/, copy.radioInvalid)
    .nullable()
    .optional()
    .meta({ description: 'Radio frequency in MHz; null for none.', examples: ['251.000'] }),
  notes: optionalText(BRIEFING_NOTES_MAX_LENGTH, { multiline: true })
    .optional()
    .meta({
      description: 'Notes for the pilots of the flight, in Markdown without HTML.',
      examples: ['Bring four HARM'],
    }),
} satisfies Record<FlightField, z.ZodType>;

const flightEdit = z
  .object({ id: idInput.meta({ description: 'Id of the flight.' }), ...flightFields })
  .meta({ id: 'EditFlight', description: 'Changes of a flight; omitted fields stay unchanged.' });

const packageFields = {
  callsign: callsignInput.meta({
    description: 'Callsign of the package, which no other package of the mission has.',
    examples: ['ALPHA'],
  }),
  objective: optionalText(OBJECTIVE_MAX_LENGTH)
    .optional()
    .meta({
      description: 'What the package does, and where; null for the roles of its flights and the theater.',
      examples: ['Bridge at DT 45 12'],
    }),
} satisfies Record<PackageField, z.ZodType>;

const packageEdit = z
  .object({ id: idInput.meta({ description: 'Id of the package.' }), ...packageFields })
  .meta({ id: 'EditPackage', description: 'Changes of a package; omitted fields stay unchanged.' });

/** Changes of a mission; omitted fields stay unchanged. */
export const editMissionInput = z.object({
  id: missionId,
  version: z
    .string()
    .max(64)
    .optional()
    .meta({
      description: 'Version of the mission that was edited; without it, the edit applies to the current version.',
      examples: ['2026-11-18T09:12:44.017Z'],
    }),
  name: missionNameInput.optional(),
  theater: theaterInput.optional(),
  startLocal: dateTimeInput(copy.startRequired)
    .optional()
    .meta({ description: 'Start, as a local time in `timeZone`. Give both start and end, or neither.' }),
  endLocal: dateTimeInput(copy.endRequired)
    .optional()
    .meta({
      description: 'End, as a local time in `timeZone`. Give both start and end, or neither.',
      examples: ['2026-11-21T22:00'],
    }),
  timeZone: timeZoneInput
    .optional()
    .meta({ description: "IANA time zone of the local times; the mission's own by default." }),
  ...eachField(MISSION_TEXT_KEYS, (key) => createMissionInput.shape[key].optional()),
  links: missionLinksInput.meta({ description: 'All links of the mission, at most 8; they replace those before.' }),
  guildIds: missionGuildsInput.meta({
    description: 'Ids of the Discord servers that show the mission, at most 100; null for all.',
  }),
  secretSides: secretSidesInput.meta({
    description: 'Whether the sides are secret; null: while both sides have seats.',
  }),
  flights: z
    .array(flightEdit, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({ description: 'Flights to change.' }),
  packages: z
    .array(packageEdit, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({ description: 'Packages to change.' }),
  removeFlightIds: z
    .array(idInput, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({ description: 'Flights to remove.' }),
  addAircraftSlots: z
    .array(aircraftSlotInput, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({
      description: 'Aircraft to add as new flights. If the mission is published, their seats are filled at once.',
    }),
  keepPilotIds: z
    .array(idInput, { error: copy.invalidInput })
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({
      description:
        'Pilots who keep their seat although the edited mission does not fit them; the others of the preview lose theirs. A pilot who flies elsewhere at that time loses it in any case.',
    }),
});
export type EditMissionInput = z.infer<typeof editMissionInput>;
/** A mission's own fields, except its times. */
export type MissionValues = Required<Pick<EditMissionInput, MissionField>> & { links: MissionLink[] };

export const editedMission = z
  .object({
    mission: missionDetail.meta({ description: 'The mission after the edit.' }),
    askedAgain: count.meta({ description: 'Orders that need an answer again.', examples: [4] }),
    told: count.meta({ description: 'Pilots who were only notified.', examples: [0] }),
    freed: count.meta({
      description: 'Pilots who lost their seat: the flight shrank, or they no longer fit.',
      examples: [0],
    }),
  })
  .meta({ id: 'EditedMission', description: 'An edited mission, and what the edit meant for its pilots.' });
export type EditedMissionDto = z.infer<typeof editedMission>;

export const misfit = z
  .object({
    orderId: rowId.meta({ description: 'Id of the order that the edit would withdraw.' }),
    userId: pilotId,
    userDisplayName: pilotName,
    flightCallsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
    seatIndex,
    rsvp: z.enum(RSVPS).meta({ description: "The pilot's answer so far." }),
    reason: z.enum(INELIGIBILITY_REASONS).meta({ description: 'Why the pilot no longer fits.' }),
    sentence: z.string().meta({
      description: 'The same as a sentence, with times in Zulu.',
      examples: ['Afterglow is not available from 2100Z to 2200Z.'],
    }),
    isKeepable: z.boolean().meta({
      description:
        'False for suspended pilots and those in another mission at that time; `keepPilotIds` cannot keep them.',
    }),
  })
  .meta({ id: 'Misfit', description: 'A pilot whose seat an edited mission would no longer fit.' });
export type MisfitDto = z.infer<typeof misfit>;
export const editPreview = z
  .object({ misfits: z.array(misfit).meta({ description: 'Pilots who would lose their seat.' }) })
  .meta({ id: 'EditPreview', description: 'What an edit would mean for the pilots of a mission.' });
export type EditPreviewDto = z.infer<typeof editPreview>;
