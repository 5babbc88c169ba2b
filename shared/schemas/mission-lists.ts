/** Schemas of missions by date range: for admins all of them and their attendance, for pilots their own and the open ones. */
import { z } from '#shared/zod.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { ATTENDANCES, MISSION_ROLES, MISSION_STATUSES, RSVPS } from '#shared/vocabulary.ts';
import { dateInput, idInput, isoInstant, timeZoneInput } from './common.ts';
import { mission } from './missions.ts';

/** Missions that start on these dates of the time zone, both included: by default today and the 30 days after it. */
export const missionRangeInput = z.object({
  from: dateInput.optional(),
  to: dateInput.optional(),
  tz: timeZoneInput.optional(),
});
export type MissionRangeInput = z.infer<typeof missionRangeInput>;

/** Missions by start, with local times in `tz` (by default UTC). */
export const missionList = z.array(mission);

const side = z.union([z.literal(0), z.literal(1)]);

/** A mission as a pilot sees it: their own side with a seat, and what everybody may know without one. */
export const pilotMission = z
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
    /** Seats that nobody holds; with a seat, those of the pilot's side. */
    openSeats: z.number(),
    /** The pilot's own order: pending, accepted or on standby. Null without one. */
    mine: z
      .object({
        orderId: z.string(),
        rsvp: z.enum(RSVPS),
        /** True when the order holds its seat: accepted, or pending and not offered to others too. */
        holdsSeat: z.boolean(),
        flightId: z.string(),
        flightCallsign: z.string(),
        aircraftName: z.string(),
        role: z.string(),
        side,
        seatIndex: z.number(),
        standbyPosition: z.number().nullable(),
      })
      .nullable(),
  })
  .meta({
    id: 'PilotMission',
    description: 'A mission as a pilot sees it: their own side with a seat, and what everybody may know without one.',
  });
export type PilotMissionDto = z.infer<typeof pilotMission>;
/** Missions by start, with local times in `tz` (by default the pilot's zone). */
export const pilotMissionList = z.array(pilotMission);

/** `tz` is the zone of the local times, by default the pilot's. */
export const pilotMissionInput = z.object({ id: idInput, tz: timeZoneInput.optional() });

/**
 * One mission for a pilot. With a seat: the packages of the pilot's side in full, and nothing of the other side. Without
 * one: the flights and their open seats; texts, objectives, times on target, frequencies and crews are null.
 */
export const pilotMissionDetail = pilotMission
  .extend({
    ...eachField(MISSION_TEXT_KEYS, () => z.string().nullable()),
    packages: z.array(
      z.object({
        id: z.string(),
        callsign: z.string(),
        objective: z.string().nullable(),
        launchUtc: isoInstant.nullable(),
        totUtc: isoInstant.nullable(),
        notes: z.string().nullable(),
        flights: z.array(
          z.object({
            id: z.string(),
            callsign: z.string(),
            aircraftId: z.number(),
            aircraftName: z.string(),
            role: z.enum(MISSION_ROLES),
            side,
            launchUtc: isoInstant.nullable(),
            totUtc: isoInstant.nullable(),
            radioFreq: z.string().nullable(),
            sizeCap: z.number(),
            openSlots: z.number(),
            notes: z.string().nullable(),
            /** Call signs of the accepted pilots by seat index; null for a seat without one. */
            pilots: z.array(z.string().nullable()).nullable(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'PilotMissionDetail', description: 'One mission for a pilot, with packages and flights.' });
export type PilotMissionDetailDto = z.infer<typeof pilotMissionDetail>;

/** Missions that start on these dates of `tz` (by default UTC), both included. */
export const attendanceRangeInput = missionRangeInput.extend({ from: dateInput, to: dateInput });

/** Seats that pilots held until the end of missions that are over, by start and in board order: one entry per seat. */
export const attendanceList = z.array(
  z
    .object({
      missionId: z.string(),
      missionName: z.string(),
      theater: z.string(),
      startUtc: isoInstant,
      /** Start of the mission as a local time in `timeZone`. */
      startLocal: z.string(),
      timeZone: z.string(),
      flightCallsign: z.string(),
      aircraftName: z.string(),
      role: z.enum(MISSION_ROLES),
      side,
      seatIndex: z.number(),
      orderId: z.string(),
      userId: z.string(),
      userDisplayName: z.string(),
      /** Null while no admin has recorded it. */
      attendance: z.enum(ATTENDANCES).nullable(),
    })
    .meta({ id: 'AttendanceEntry', description: 'A seat that a pilot held until the end of a mission.' }),
);
export type AttendanceDto = z.infer<typeof attendanceList>;
