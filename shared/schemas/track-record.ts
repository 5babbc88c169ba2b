/**
 * Schemas of a pilot's track record: reliability, attendance, fairness and the missions behind them, visible to the pilot and
 * to admins only; and the fairness of pilots side by side, for admins.
 */
import { z } from '#shared/zod.ts';
import { evidence } from './attendance.ts';
import { MISSION_OUTCOMES } from '#shared/vocabulary.ts';
import { count, idInput, isoInstant, rowId } from './common.ts';

export const trackRecordInput = z.object({ id: idInput.meta({ description: 'Id of the pilot.' }) });

export const trackRecord = z
  .object({
    reliability: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Share of missions attended, recent ones weighted more.', examples: [0.92] }),
    isNew: z
      .boolean()
      .meta({ description: 'True when no mission counts yet; `reliability` is the value of every new pilot then.' }),
    attended: count.meta({ description: 'Missions marked as attended.', examples: [11] }),
    noShows: count.meta({ description: 'Missions that the pilot missed without notice.', examples: [0] }),
    excused: count.meta({ description: 'Missions that the pilot missed with notice.', examples: [1] }),
    lateCancels: count.meta({
      description: 'Seats given back less than 24 hours before the start.',
      examples: [1],
    }),
    debt: z.number().meta({
      description: 'Seats in the last 90 days that the pilot has had fewer than others; negative for more.',
      examples: [0.5],
    }),
  })
  .meta({ id: 'TrackRecord', description: "A pilot's reliability, attendance and fairness." });
export type TrackRecordDto = z.infer<typeof trackRecord>;

const outcome = z
  .object({
    orderId: rowId.meta({ description: 'Id of the frag order.' }),
    missionId: rowId.meta({ description: 'Id of the mission.' }),
    missionName: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
    startUtc: isoInstant.meta({ description: 'Start of the mission.' }),
    outcome: z.enum(MISSION_OUTCOMES).meta({ description: 'What became of it.' }),
    evidence: evidence
      .nullable()
      .meta({ description: 'What was seen of the pilot, where attendance was proposed from it.' }),
  })
  .meta({ id: 'MissionOutcome', description: 'What became of a mission that a pilot was asked to fly.' });
export type MissionOutcomeDto = z.infer<typeof outcome>;

export const missionOutcomes = z
  .object({
    sinceUtc: isoInstant.meta({ description: 'Start of the 90 days.' }),
    outcomes: z.array(outcome).meta({
      description:
        'Missions that have started since then, and those ahead whose seat was given back late; the oldest first.',
    }),
  })
  .meta({ id: 'MissionOutcomes', description: "What became of a pilot's missions in the last 90 days." });
export type MissionOutcomesDto = z.infer<typeof missionOutcomes>;

const peer = z
  .object({
    pilotId: rowId.meta({ description: 'Id of the pilot.' }),
    name: z.string().meta({ description: 'Call sign, or else the email.', examples: ['Afterglow'] }),
    seats: count.meta({ description: 'Seats that the pilot has taken.', examples: [4] }),
    fairShare: z
      .number()
      .min(0)
      .meta({
        description: "Sum of the pilot's equal shares of the seats of missions that the pilot was free for.",
        examples: [4.5],
      }),
    debt: z.number().meta({
      description: 'Fair share minus seats, as in the track record: positive if the pilot is seated earlier.',
      examples: [0.5],
    }),
  })
  .meta({ id: 'FairnessPeer', description: 'Seats of one pilot, and how many a fair share would be.' });
export type FairnessPeerDto = z.infer<typeof peer>;

export const fairness = z
  .object({
    place: count
      .min(1)
      .meta({ description: 'Place of the pilot among the peers, the most owed first.', examples: [3] }),
    total: count.meta({ description: 'The pilot and all peers.', examples: [12] }),
    aircraft: z.array(z.string()).meta({
      description: 'Aircraft that the pilot lists; peers list at least one of them.',
      examples: [['F-16C Viper']],
    }),
    peers: z.array(peer).meta({
      description: 'The pilot and at most 25 peers on either side, the most owed first.',
    }),
  })
  .meta({ id: 'Fairness', description: 'The fairness of a pilot beside that of pilots with the same aircraft.' });
export type FairnessDto = z.infer<typeof fairness>;
