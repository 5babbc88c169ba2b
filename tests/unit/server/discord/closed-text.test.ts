/** The refusal of *Take a seat* in Discord: every reason has a way on, and times are Discord's. */
import { expect, test } from 'vitest';
import { closedMessage } from '#server/discord/rules/closed-text.ts';
import { missionsMessage } from '#server/discord/rules/coming-text.ts';
import { textsFor } from '#shared/discord-texts/catalogue.ts';
import { parseButtonId } from '#shared/discord-button-ids.ts';
import type { OpeningsDto } from '#shared/schemas/seats.ts';
import { parseStandbyChoice } from '#shared/seat-choice.ts';
import { INELIGIBILITY_REASONS } from '#shared/vocabulary.ts';

const SITE = 'https://marshal.example';
const texts = textsFor('en-US');
type Closed = OpeningsDto['closed'][number];

const mission: Closed = {
  missionId: '0197c3a0-0000-7000-8000-000000000001',
  missionName: 'Iron Anvil',
  theater: 'Syria',
  startUtc: '2026-11-27T19:00:00.000Z',
  endUtc: '2026-11-27T22:00:00.000Z',
  reason: 'NOT_AVAILABLE',
  sentence: 'You are not available from 1900Z to 2200Z.',
  withdraws: [],
  committedTo: null,
  flyAnyway: null,
  nearMiss: null,
  standby: null,
};
const seat = {
  flightId: '0197c3a0-0000-7000-8000-000000000002',
  flightCallsign: 'Viper 1',
  seatIndex: 0,
  aircraftName: 'F-16C Viper',
  role: 'CAP',
  side: 0 as const,
  launchUtc: null,
  isLead: true,
  isListed: false,
};
const missing = [{ startUtc: mission.startUtc, endUtc: mission.endUtc }];

test.each(INELIGIBILITY_REASONS)('%s has a button, also where no change of the own data is enough', (reason) => {
  const standby = reason === 'OUTRANKED' ? ('open' as const) : null;
  const committedTo = reason === 'COMMITTED' ? { missionId: 'other', missionName: 'Op Other' } : null;
  const message = closedMessage({ ...mission, reason, standby, committedTo }, SITE, texts);
  expect(message.components?.flatMap(({ components }) => components)).toHaveLength(1);
});

test('times are timestamps of Discord, in the reply and in the list', () => {
  const flyAnyway = {
    seats: [{ ...seat, fixes: ['addAvailability' as const, 'addAircraft' as const], missing }],
    standby: null,
  };
  const { content, menu } = closedMessage({ ...mission, flyAnyway }, SITE, texts);
  expect(content?.split('\n')).toEqual([
    "You're not available from <t:1795806000:F> to <t:1795816800:t>.",
    'Flying it anyway makes you available from <t:1795806000:F> to <t:1795816800:t>, for this date only.',
    'Flying it anyway adds the F-16C Viper to your aircraft.',
  ]);
  expect(menu?.options).toMatchObject([{ label: 'Viper 1, seat 1', value: `${seat.flightId}:0:01` }]);
  const list = missionsMessage([], { open: [], closed: [{ ...mission, flyAnyway }] }, SITE, texts);
  expect(JSON.stringify(list)).toContain("You're not available from <t:1795806000:F> to <t:1795816800:t>.");
  expect(JSON.stringify(list)).not.toContain('from 1900Z');
});

test('where no seat is free, the queue is open after the changes that the reply names', () => {
  const fixes = ['addAvailability' as const, 'endLeave' as const];
  const flyAnyway = { seats: [], standby: { fixes, missing, aircraftName: 'F-16C Viper' } };
  const { content, components } = closedMessage({ ...mission, flyAnyway }, SITE, texts);
  expect(content?.split('\n')).toEqual([
    "You're not available from <t:1795806000:F> to <t:1795816800:t>.",
    'Standing by anyway makes you available from <t:1795806000:F> to <t:1795816800:t>, for this date only.',
    'Standing by anyway ends your leave.',
  ]);
  expect(components).toMatchObject([{ components: [{ label: 'Stand by anyway' }] }]);
  const [row] = components ?? [];
  const [button] = row?.components ?? [];
  const id = parseButtonId(String(Reflect.get(button ?? {}, 'custom_id')));
  expect(id).toMatchObject({ action: 'join-standby' });
  expect(parseStandbyChoice(id?.subject ?? '')).toEqual({ missionId: mission.missionId, fixes });
  expect(parseStandbyChoice(mission.missionId)).toEqual({ missionId: mission.missionId, fixes: [] });
});
