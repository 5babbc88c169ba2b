/** Schemas of the simulator's mission file: what an upload finds in it, and what a changed file means for a mission. */
import { z } from '#shared/zod.ts';
import { MISSION_ROLES, THEATERS } from '#shared/vocabulary.ts';
import { count, side } from './common.ts';

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
