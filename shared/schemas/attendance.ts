/** Schemas of proposed attendance: what a recording shows, names in the game, and an admin's decisions. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { MISSION_SEATS_MAX } from '#shared/limits.ts';
import { ATTENDANCES } from '#shared/vocabulary.ts';
import { count, idInput, isoInstant, rowId, safeText, seatIndex } from './common.ts';
import { missionId } from './mission-admin.ts';
import { RECORDING, PRESENCE_SOURCES, PROPOSAL_STATES, PROPOSAL_VERDICTS } from '#shared/presence.ts';

export const evidence = z
  .object({
    minutes: count.meta({ description: 'Minutes in the ordered side and aircraft.', examples: [74] }),
    otherMinutes: count.meta({ description: 'Minutes in another side or aircraft.', examples: [0] }),
    firstSeenAt: isoInstant.meta({ description: 'Start of the first time aboard.' }),
    lastSeenAt: isoInstant.meta({ description: 'End of the last time aboard.' }),
    tookOffAt: isoInstant.nullable().meta({ description: 'First take-off; null if none was seen.' }),
    landedAt: isoInstant.nullable().meta({ description: 'Last landing; null if none was seen.' }),
    aircraft: z.array(z.string()).meta({ description: 'Types as the source names them.', examples: [['F-16C_50']] }),
    names: z.array(z.string()).meta({ description: 'Names in the game.', examples: [['[VF-1] Vesper']] }),
    sources: z.array(z.enum(PRESENCE_SOURCES)).meta({ description: 'Where it is known from.' }),
  })
  .meta({
    id: 'AttendanceEvidence',
    description: 'What was seen of a pilot from 30 minutes before launch to the end.',
  });
export type Evidence = z.infer<typeof evidence>;

const seenOrder = z
  .object({
    orderId: rowId.meta({ description: 'Id of the order.' }),
    userId: rowId.meta({ description: 'Id of the pilot.' }),
    userDisplayName: z.string().meta({ description: 'Call sign of the pilot.', examples: ['Vesper'] }),
    flightCallsign: z.string().meta({ description: 'Callsign of the flight.', examples: ['Viper 1'] }),
    seatIndex,
    aircraftName: z.string().meta({ description: 'Ordered aircraft.', examples: ['F-16C Viper'] }),
    attendance: z.enum(ATTENDANCES).nullable().meta({ description: 'The mark; null without one.' }),
    verdict: z
      .enum(PROPOSAL_VERDICTS)
      .nullable()
      .meta({ description: '`flew` or `other_seat` after 20 minutes aboard; null proposes nothing.' }),
    state: z.enum(PROPOSAL_STATES).nullable().meta({ description: 'State of the proposal; null without one.' }),
    evidence: evidence.nullable().meta({ description: 'What was seen; null for a pilot who was not seen.' }),
  })
  .meta({ id: 'SeenOrder', description: 'A seat held until the end, and what was seen of its pilot.' });
export type SeenOrderDto = z.infer<typeof seenOrder>;

const namedPilot = z
  .object({
    userId: rowId.meta({ description: 'Id of the pilot.' }),
    userDisplayName: z.string().meta({ description: 'Call sign.', examples: ['Vesper'] }),
  })
  .meta({ id: 'NamedPilot', description: 'A pilot with a call sign.' });

const seenName = z
  .object({
    name: z.string().meta({ description: 'Name in the game.', examples: ['[VF-1] Vesper'] }),
    minutes: count.meta({ description: 'Minutes aboard.', examples: [74] }),
    aircraft: z.array(z.string()).meta({ description: 'Types as the source names them.', examples: [['F-16C_50']] }),
    pilot: namedPilot.nullable().meta({ description: 'Whose name it is; null if nobody knows.' }),
    isProved: z.boolean().meta({ description: 'True if an admin has said whose name it is.' }),
    couldBe: z.array(namedPilot).meta({ description: 'Pilots whose name it could be, where there are several.' }),
  })
  .meta({ id: 'SeenName', description: 'A name that was seen in a mission.' });
export type SeenNameDto = z.infer<typeof seenName>;

export const attendanceReport = z
  .object({
    seenFromUtc: isoInstant.nullable().meta({ description: 'Start of what was seen; null for nothing.' }),
    seenToUtc: isoInstant.nullable().meta({ description: 'End of what was seen.' }),
    orders: z.array(seenOrder).meta({ description: 'Seats held until the end, in the order of the flights.' }),
    names: z.array(seenName).meta({ description: 'Names that were seen, the longest aboard first.' }),
  })
  .meta({ id: 'AttendanceReport', description: 'Who was seen in a mission, and the attendance that follows.' });
export type AttendanceReport = z.infer<typeof attendanceReport>;

export const decideAttendanceInput = z.object({
  id: missionId,
  decision: z
    .enum(['confirmed', 'dismissed'], { error: copy.invalidInput })
    .meta({ description: '`confirmed` marks the pilots as attended.' }),
  orderIds: z
    .array(idInput, { error: copy.invalidInput })
    .min(1, copy.invalidInput)
    .max(MISSION_SEATS_MAX, copy.invalidInput)
    .optional()
    .meta({ description: 'Orders whose proposals are decided; by default all open ones.' }),
});

export const decidedAttendance = z
  .object({
    orderIds: z.array(rowId).meta({ description: 'Orders whose proposals were decided.' }),
  })
  .meta({ id: 'DecidedAttendance', description: 'What was decided. Orders that have a mark keep it.' });

export const gameNameInput = z.object({
  id: missionId,
  name: safeText(RECORDING.nameLength, { missing: copy.invalidInput })
    .refine((name) => name !== '', copy.invalidInput)
    .meta({ description: 'Name in the game, as the mission has seen it.', examples: ['[VF-1] Vesper'] }),
  userId: idInput.nullable().meta({ description: 'The pilot whose name it is; null if it is not known.' }),
});
