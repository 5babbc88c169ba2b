/** Schemas of slots: what a game server needs to keep the cockpits of a mission for the pilots who have orders. */
import { z } from '#shared/zod.ts';
import { SLOTS } from '#shared/slots.ts';
import { isoInstant, side } from './common.ts';
import { missionId } from './mission-admin.ts';

const slotPilot = z
  .object({
    callSign: z.string().meta({ description: 'Call sign, for sentences.', examples: ['Vesper'] }),
    names: z.array(z.string()).meta({
      description: 'Names in the game that are the pilot’s: the call sign, and those that admins have added.',
      examples: [['Vesper', 'Vesper_2']],
    }),
  })
  .meta({ id: 'SlotPilot', description: 'A pilot, as a game server knows people.' });

const slotUnit = z
  .object({
    unitId: z.int().meta({ description: 'Number of the unit in the file.', examples: [12] }),
    name: z.string().meta({
      description: 'Name of the unit in the uploaded file. The download has call signs instead.',
      examples: ['Enfield-1-1'],
    }),
    group: z.string().meta({ description: 'Name of its group, the same in both.', examples: ['Enfield-1'] }),
    station: z.int().meta({ description: '1 for the pilot, 2 for the second crew member.', examples: [1] }),
  })
  .meta({ id: 'SlotUnit', description: 'A unit of a mission file.' });

const slot = z
  .object({
    label: z.string().meta({ description: 'Flight and seat.', examples: ['Viper 1-1'] }),
    side,
    aircraft: z.string().meta({ description: 'Name of the aircraft.', examples: ['F-16C Viper'] }),
    unit: slotUnit.nullable().meta({ description: 'The unit in the mission file; null without one.' }),
    pilot: slotPilot.nullable().meta({ description: 'The pilot who has the order; null for a free seat.' }),
    keptUntilUtc: isoInstant
      .nullable()
      .meta({ description: `${SLOTS.minutesKept} minutes after the start; null for a free seat.` }),
    isOpen: z.boolean().meta({ description: 'True for a free seat, and for one that is no longer kept.' }),
  })
  .meta({ id: 'MissionSlot', description: 'A seat with the pilot for whom it is kept.' });

const slotsOfMission = z.object({
  missionId,
  name: z.string().meta({ description: 'Name of the mission.', examples: ['Iron Anvil'] }),
  fileKey: z.string().meta({
    description: 'Part of the name of the downloaded mission file: `….marshal-<key>.miz`.',
    examples: ['5f0e8a4b6c01'],
  }),
  startUtc: isoInstant.meta({ description: 'Start.' }),
  endUtc: isoInstant.meta({ description: 'End.' }),
  slots: z.array(slot).meta({ description: 'All seats, of both sides, in the order of the plan.' }),
  standby: z
    .array(slotPilot)
    .meta({ description: 'Pilots on standby, the longest waiting first. They may take any open seat.' }),
});

const asOfUtc = isoInstant.meta({ description: 'When it was read.' });

export const missionSlots = slotsOfMission
  .extend({ asOfUtc })
  .meta({ id: 'MissionSlots', description: 'The seats of a mission, for its game server.' });
export type MissionSlots = Omit<z.infer<typeof missionSlots>, 'asOfUtc'>;
export type SlotDto = z.infer<typeof slot>;
export type SlotPilotDto = z.infer<typeof slotPilot>;

export const currentSlots = z
  .object({
    asOfUtc,
    missions: z
      .array(slotsOfMission.meta({ id: 'CurrentMission', description: 'A current mission with its seats.' }))
      .meta({ description: 'Missions by start.' }),
  })
  .meta({ id: 'CurrentSlots', description: 'The seats of all current missions, for game servers.' });
export type CurrentSlots = z.infer<typeof currentSlots>;
