/** Button ids of every version of the bot, parsed strictly, and the sentences for failures. */
import { TRPCClientError } from '@trpc/client';
import { DiscordAPIError } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { findButton } from '#bot/buttons.ts';
import { explain, isOver } from '#bot/failures.ts';
import { BUTTON_ACTIONS, writeButtonId } from '#shared/discord-button-ids.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';

const PILOT = { texts: englishTexts, publicUrl: 'https://marshal.example', reader: 'pilot' } as const;
const ORDER = '0198c0de-0000-7000-8000-000000000007';

describe('a button', () => {
  test.each(BUTTON_ACTIONS.filter((action) => action !== 'pick-seat'))('for "%s" is recognised by its id', (action) => {
    expect(findButton(writeButtonId({ action, subject: ORDER, seenMs: null }))).toMatchObject({
      action,
      about: { subject: ORDER, seen: null },
    });
    expect(findButton(writeButtonId({ action, subject: ORDER, seenMs: 1_795_201_500_123 }))).toMatchObject({
      action,
      about: { subject: ORDER, seen: '2026-11-20T19:05:00.123Z' },
    });
  });

  test.each([`v2:accept:${ORDER}`, `v1:launch:${ORDER}`, 'Launch'])('with the id %j is not ours', (id) =>
    expect(findButton(id)).toBeNull(),
  );
});

const refused = (refusal: RefusalCode, message = 'Frag order not found') =>
  TRPCClientError.from({ error: { message, code: -32_004, data: { refusal, httpStatus: REFUSALS[refusal][0] } } });
const AWAY = 'Marshal cannot be reached right now. Please try again in a minute.';
const FAILED = 'Something went wrong. Please try again; if it happens again, tell an admin.';
const discordSays = (code: number) =>
  new DiscordAPIError({ message: 'No', code }, code, 400, 'POST', 'https://discord.example', {});

describe('text for users', () => {
  test.each<[string, unknown, string, string | null]>([
    ['a rule of the server', refused('GUILD_NOT_FOUND', 'Guild not found'), 'Guild not found', null],
    ['an order that no longer exists', refused('ORDER_NOT_FOUND'), 'That order is gone or not yours.', null],
    [
      'missing minutes',
      refused('VALIDATION', 'Minutes required when selecting "Available Now"'),
      'For how long? Add minutes, e.g. 60.',
      null,
    ],
    ['a conflict with another pilot', refused('SEAT_TAKEN', 'Taken'), 'Taken', null],
    ['too many attempts', refused('RATE_LIMITED', 'Wait'), 'Wait', null],
    ['a database outage', refused('DATABASE_UNAVAILABLE', 'The database …'), AWAY, null],
    ['no response', TRPCClientError.from(new TypeError('fetch failed')), AWAY, null],
    ['a bug of the server', refused('INTERNAL', 'Unknown error occurred'), FAILED, 'The server answered 500'],
    ['a refused credential', refused('BOT_ONLY', 'Only the bot'), FAILED, 'The server answered 401'],
    ['a refusal of Discord', discordSays(50_035), FAILED, 'Discord answered 50035'],
    ['a bug of the bot', new RangeError('secret words'), FAILED, 'RangeError'],
    ['anything', 'text', FAILED, 'Unknown'],
  ])('after %s', (_what, error, content, reason) =>
    expect(explain(error, PILOT)).toMatchObject({ message: { content }, reason }),
  );
});

test.each<[reader: 'pilot' | 'admin', code: RefusalCode, label: string, path: string]>([
  ['pilot', 'SEAT_TAKEN', 'See open seats', '/missions'],
  ['pilot', 'ORDER_NOT_FOUND', 'See open seats', '/missions'],
  ['pilot', 'OVERLAP', 'See your missions', '/home'],
  ['pilot', 'ON_LEAVE', 'Change your leave', '/availability'],
  ['admin', 'ADMIN_SECOND_FACTOR_REQUIRED', 'Set up two-step sign-in', '/profile/security#two-step'],
])('a refusal leads a %s on: %s', (reader, code, label, path) => {
  const { message } = explain(refused(code, 'No'), { ...PILOT, reader });
  expect(message.components).toEqual([
    { type: 1, components: [{ type: 2, style: 5, label, url: `https://marshal.example${path}` }] },
  ]);
});

test('a failure that the person cannot mend has no link', () => {
  for (const error of [refused('INTERNAL'), refused('BOT_ONLY'), refused('SUSPENDED'), discordSays(50_035)])
    expect(explain(error, PILOT).message).not.toHaveProperty('components');
});

test.each([
  [10_062, true],
  [40_060, true],
  [10_008, true],
  [10_015, true],
  [50_027, true],
  [50_035, false],
  [50_013, false],
])('Discord error %i means that the interaction is over: %s', (code, isSo) =>
  expect(isOver(discordSays(code))).toBe(isSo),
);
