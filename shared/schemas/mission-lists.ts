/** Schemas of missions by date range: for admins all of them and their attendance, for pilots their own and the open ones. */
import { z } from '#shared/zod.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import { PLAN_VIEWS } from '#shared/secret-sides.ts';
import { missionLinks } from './mission-links.ts';
import { ATTENDANCES, MISSION_ROLES, MISSION_STATUSES, RSVPS } from '#shared/vocabulary.ts';
import {
  aircraftId,
  count,
  dateInput,
  idInput,
  isoInstant,
  localDateTime,
  radioFrequency,
  rowId,
  seatIndex,
  side,
  timeZoneInput,
  zoneName,
} from './common.ts';
import { mission } from './missions.ts';
import { holdsSeat } from './pilot.ts';

const from = dateInput.meta({ description: 'First date.' });
const to = dateInput.meta({ description: 'Last date, included.', examples: ['2026-11-28'] });

/** Missions that start on these dates of the time zone, both included: by default today and the 30 days after it. */
export const missionRangeInput = z.object({
  from: from.optional(),
  to: to.optional(),
  tz: timeZoneInput.optional().meta({ description: 'IANA time zone of the dates and of the local times.' }),
});
export type MissionRangeInput = z.infer<typeof missionRangeInput>;

/** Missions by start, with local times in `tz` (by default UTC). */
export const missionList = z.array(mission);

const missionName = z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] });
const theater = z.string().meta({ description: 'Theater of the mission.', examples: ['Syria'] });
const flightCallsign = z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] });
const aircraftName = z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] });
const role = z.enum(MISSION_ROLES).meta({ description: 'Role of the flight.' });
const launchUtc = isoInstant.nullable().meta({ description: 'Time of the launch; null while unknown.' });
const totUtc = isoInstant
  .nullable()
  .meta({ description: 'Time on target; null for a role without one, and without a seat.' });

const ownOrder = z
  .object({
    orderId: rowId.meta({ description: 'Id of the frag order.' }),
    rsvp: z.enum(RSVPS).meta({ description: "The pilot's answer." }),
    holdsSeat,
    flightId: rowId.meta({ description: 'Id of the flight.' }),
    flightCallsign,
    aircraftName,
    role: z.string().meta({ description: 'Role of the flight.', examples: ['SEAD'] }),
    side,
    seatIndex,
    standbyPosition: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Place in the standby queue; null when not on standby.' }),
  })
  .meta({ id: 'OwnOrder', description: "A pilot's own order for a mission." });

/** A mission as a pilot sees it: their own side with a seat, and what everybody may know without one. */
export const pilotMission = z
  .object({
    id: rowId.meta({ description: 'Id of the mission.' }),
    name: missionName,
    theater,
    status: z
      .enum(MISSION_STATUSES)
      .meta({ description: '`launched` while it is under way, `completed` after its end.' }),
    timeZone: zoneName,
    startLocal: localDateTime.meta({ description: 'Start in `timeZone`.' }),
    endLocal: localDateTime.meta({ description: 'End in `timeZone`.', examples: ['2026-11-21T22:00'] }),
    startUtc: isoInstant.meta({ description: 'Start.' }),
    endUtc: isoInstant.meta({ description: 'End.' }),
    openSeats: count.meta({
      description: "Seats that nobody holds; with a seat and secret sides, those of the pilot's side.",
      examples: [3],
    }),
    mine: ownOrder.nullable().meta({ description: 'Own order: pending, accepted or on standby. Null without one.' }),
  })
  .meta({ id: 'PilotMission', description: 'A mission as a pilot sees it.' });
export type PilotMissionDto = z.infer<typeof pilotMission>;
/** Missions by start, with local times in `tz` (by default the pilot's zone). */
export const pilotMissionList = z.array(pilotMission);

export const pilotMissionInput = z.object({
  id: idInput.meta({ description: 'Id of the mission.' }),
  tz: timeZoneInput.optional().meta({ description: "IANA time zone of the local times; the pilot's own by default." }),
});

const notes = z.string().nullable().meta({ description: 'Notes; null without any, and outside of the plan.' });

const planView = z.enum(PLAN_VIEWS).meta({
  description:
    'How much of the flight the reader sees: `plan` is everything, `roster` its seats and call signs, `counts` its open seats.',
});

const pilotFlight = z
  .object({
    id: rowId.meta({ description: 'Id of the flight.' }),
    callsign: flightCallsign,
    aircraftId,
    aircraftName,
    role,
    side,
    view: planView,
    launchUtc,
    totUtc,
    radioFreq: radioFrequency
      .nullable()
      .meta({ description: 'Radio frequency in MHz, and its modulation; null outside of the plan.' }),
    sizeCap: z
      .int()
      .min(1)
      .meta({ description: 'Seats of the flight.', examples: [4] }),
    openSlots: count.meta({ description: 'Seats that nobody holds.', examples: [1] }),
    notes,
    pilots: z.array(z.string().nullable()).nullable().meta({
      description: 'Call signs of accepted pilots by seat, null for a seat without one. Null for `counts`.',
    }),
  })
  .meta({ id: 'PilotFlight', description: 'A flight as a pilot sees it.' });

const pilotPackage = z
  .object({
    id: rowId.meta({ description: 'Id of the package.' }),
    callsign: z.string().meta({ description: 'Callsign of the package.', examples: ['Package A'] }),
    objective: z
      .string()
      .nullable()
      .meta({ description: 'What the package does, and where; null outside of the plan.' }),
    launchUtc,
    totUtc,
    notes,
    flights: z.array(pilotFlight).meta({ description: 'Flights in order.' }),
  })
  .meta({ id: 'PilotPackage', description: 'A package as a pilot sees it.' });

/**
 * One mission for a pilot: the packages of the pilot's side in full, with a seat or a place in the queue. What else there
 * is depends on whether the sides are secret, which `view` of each flight says. Admins read both sides in full.
 */
export const pilotMissionDetail = pilotMission
  .extend({
    ...eachField(MISSION_TEXT_KEYS, (key) =>
      z
        .string()
        .nullable()
        .meta({
          description: `${MISSION_TEXTS[key].words} of the mission; null without any, and for readers who see counts only.`,
        }),
    ),
    links: missionLinks.meta({ description: 'Links of the briefing; empty without any, and for readers of no plan.' }),
    packages: z.array(pilotPackage).meta({
      description:
        "Packages in order; with a seat and secret sides, those of the pilot's side. Admins read all of them in full.",
    }),
  })
  .meta({ id: 'PilotMissionDetail', description: 'A mission with packages and flights, as a pilot sees it.' });
export type PilotMissionDetailDto = z.infer<typeof pilotMissionDetail>;

/** Missions that start on these dates of `tz` (by default UTC), both included. */
export const attendanceRangeInput = missionRangeInput.extend({ from, to });

const attendanceEntry = z
  .object({
    missionId: rowId.meta({ description: 'Id of the mission.' }),
    missionName,
    theater,
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    startLocal: localDateTime.meta({ description: 'Start of the mission in `timeZone`.' }),
    timeZone: zoneName,
    flightCallsign,
    aircraftName,
    role,
    side,
    seatIndex,
    orderId: rowId.meta({ description: 'Id of the frag order.' }),
    userId: rowId.meta({ description: 'Id of the pilot.' }),
    userDisplayName: z.string().meta({ description: 'Call sign of the pilot.', examples: ['Afterglow'] }),
    attendance: z.enum(ATTENDANCES).nullable().meta({ description: 'Null while no admin has recorded it.' }),
  })
  .meta({ id: 'AttendanceEntry', description: 'A seat that a pilot held until the end of a mission.' });
/** Seats that pilots held until the end of missions that are over, by start and in board order: one entry per seat. */
export const attendanceList = z.array(attendanceEntry);
export type AttendanceDto = z.infer<typeof attendanceList>;
