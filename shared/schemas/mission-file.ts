/** Schemas of the simulator's mission file: what an upload finds in it, and what a changed file means for a mission. */
import { z } from '#shared/zod.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';
import { missionId } from './mission-admin.ts';
import { editMissionInput, misfit } from './mission-edit.ts';
import { MISSION_FILE } from '#shared/limits.ts';
import { aircraftId, count, idInput, isoInstant, rowId, safeText, side } from './common.ts';
import { copy } from '#shared/copy.ts';

const fileUnit = z
  .object({
    unitId: z.int().meta({ description: 'Number of the unit in the file.', examples: [12] }),
    name: z.string().meta({ description: 'Name of the unit.', examples: ['Enfield-1-1'] }),
    callsign: z
      .string()
      .nullable()
      .meta({ description: 'Callsign of the unit; null without one.', examples: ['Enfield11'] }),
  })
  .meta({ id: 'MissionFileUnit', description: 'An aircraft of a mission file that a person can fly.' });

const fileGroup = z.object({
  groupId: z.int().meta({ description: 'Number of the group in the file.', examples: [3] }),
  name: z.string().meta({ description: 'Name of the group.', examples: ['Enfield-1'] }),
  side,
  type: z
    .string()
    .meta({ description: 'Type of the aircraft, as the simulator names it.', examples: ['FA-18C_hornet'] }),
  task: z
    .string()
    .nullable()
    .meta({ description: 'Task of the group; null without one.', examples: ['Escort'] }),
  role: z.enum(MISSION_ROLES).meta({ description: 'The role that fits the task.' }),
  callsign: z
    .string()
    .nullable()
    .meta({ description: 'Callsign of the flight; null for one with a number only.', examples: ['Enfield 1'] }),
  frequency: z
    .string()
    .nullable()
    .meta({ description: "The group's radio frequency; null without one.", examples: ['251.000 AM'] }),
  presets: z
    .array(
      z.object({
        radio: z.int().meta({ description: 'Number of the radio.', examples: [1] }),
        channels: z
          .array(
            z.object({
              channel: z.number().meta({ description: 'Number of the channel.', examples: [1] }),
              megahertz: z.number().meta({ description: 'Its frequency in MHz.', examples: [305] }),
            }),
          )
          .meta({ description: 'Channels in order.' }),
      }),
    )
    .meta({ description: 'Radio presets of the first unit.' }),
  startSeconds: z
    .int()
    .min(0)
    .meta({
      description: 'Seconds after the start of the simulated mission at which the group appears.',
      examples: [0],
    }),
  units: z.array(fileUnit).meta({ description: 'The units that people can fly, in order.' }),
});
export type FileGroup = z.infer<typeof fileGroup>;

const found = z.object({
  title: z.string().meta({ description: "The file's own title; empty without one.", examples: ['Iron Anvil'] }),
  situation: z.string().meta({ description: 'The situation as the file describes it, at most 3,000 characters.' }),
  mapName: z.string().meta({ description: 'Map, as the simulator names it.', examples: ['PersianGulf'] }),
  theater: z.enum(THEATERS).nullable().meta({ description: 'The theater; null for a map that Marshal does not know.' }),
  date: z
    .string()
    .nullable()
    .meta({ description: 'Simulated date; null without one.', examples: ['2016-06-21'] }),
  time: z
    .string()
    .nullable()
    .meta({ description: 'Simulated time of day at the start.', examples: ['06:30'] }),
  weather: z
    .string()
    .meta({ description: 'The weather in a few words.', examples: ['wind 340° 5 kt, 26 °C, QNH 1007 hPa'] }),
  groups: z.array(fileGroup).meta({ description: 'Groups with seats for people, blue ones first.' }),
  problems: z.array(z.string()).meta({ description: 'What cannot be planned as the file has it, as sentences.' }),
});
export type FoundMission = z.infer<typeof found>;

export const uploadMissionFileInput = z.object({
  name: safeText(MISSION_FILE.nameLength, { missing: copy.missionFileNameRequired })
    .refine((name) => name !== '', copy.missionFileNameRequired)
    .meta({ description: 'Name of the file.', examples: ['iron-anvil.miz'] }),
});

const file = z.object({
  id: rowId.meta({ description: 'Id of the file.' }),
  name: z.string().meta({ description: 'Name of the file.', examples: ['iron-anvil.miz'] }),
  sizeBytes: count.meta({ description: 'Size in bytes.', examples: [635_887] }),
  sha256: z.string().meta({ description: 'SHA-256 of the file, in hexadecimal digits.' }),
});

const uploadedGroup = fileGroup
  .extend({
    aircraftId: aircraftId
      .nullable()
      .meta({ description: 'The aircraft that the type flies as; null for a type that Marshal does not have.' }),
    aircraftName: z.string().meta({ description: 'Name of the aircraft.', examples: ['F/A-18C Hornet'] }),
    crewStations: z
      .int()
      .min(1)
      .meta({ description: 'Crew stations of one aircraft. A seat of a mission is one of them.', examples: [2] }),
    usualRoles: z.array(z.enum(MISSION_ROLES)).meta({ description: 'Roles that the type usually flies.' }),
  })
  .meta({ id: 'MissionFileGroup', description: 'A group of a mission file with seats for people.' });
export type UploadedGroup = z.infer<typeof uploadedGroup>;

export const uploadedMissionFile = file
  .extend({
    ...found.shape,
    groups: z.array(uploadedGroup).meta({ description: 'Groups with seats, blue ones first.' }),
  })
  .meta({ id: 'UploadedMissionFile', description: 'A mission file, and what Marshal found in it.' });
export type UploadedMissionFile = z.infer<typeof uploadedMissionFile>;

export const missionFileVersions = z
  .array(
    file
      .extend({
        version: z
          .int()
          .min(1)
          .meta({ description: 'Version, from 1 on.', examples: [2] }),
        uploadedByName: z.string().meta({ description: 'Name of the admin who sent it.', examples: ['Marshal'] }),
        uploadedAt: isoInstant.meta({ description: 'Time at which it was sent.' }),
      })
      .meta({ id: 'MissionFileVersion', description: 'A version of the file of a mission.' }),
  )
  .meta({ description: 'Versions, the newest first; none for a mission without a file.' });
export type MissionFileVersions = z.infer<typeof missionFileVersions>;

const missionFileId = idInput.meta({ description: 'Id of an uploaded mission file.' });

export const missionFileChangesInput = z.object({ id: missionId, fileId: missionFileId });

const fileChange = z
  .object({
    kind: z
      .enum(['added', 'removed', 'name', 'seats', 'aircraft', 'side', 'role', 'callsign', 'radio', 'time', 'theater'])
      .meta({ description: 'What has changed.' }),
    sentence: z.string().meta({
      description: 'The same as a sentence.',
      examples: ['Enfield-1: 2 seats instead of 4.'],
    }),
  })
  .meta({ id: 'MissionFileChange', description: 'A difference between two versions of a mission file.' });
export type FileChange = z.infer<typeof fileChange>;

export const missionFileChanges = z
  .object({
    version: z.string().meta({ description: 'Version of the mission that the changes are for.' }),
    changes: z.array(fileChange).meta({ description: 'Differences; none for a file that only differs elsewhere.' }),
    problems: z.array(z.string()).meta({ description: 'What cannot be brought in, as sentences.' }),
    misfits: z.array(misfit).meta({ description: 'Pilots who would lose their seat.' }),
  })
  .meta({ id: 'MissionFileChanges', description: 'What a changed mission file means for its mission.' });
export type MissionFileChanges = z.infer<typeof missionFileChanges>;

export const applyMissionFileInput = z.object({
  id: missionId,
  fileId: missionFileId,
  version: editMissionInput.shape.version,
  keepPilotIds: editMissionInput.shape.keepPilotIds,
});
export type ApplyMissionFileInput = z.infer<typeof applyMissionFileInput>;
