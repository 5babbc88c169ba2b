/** The bot's longest replies: within Discord's limits, and without formatting from names. */
import { describe, expect, test } from 'vitest';
import { availabilityMessage } from '#server/discord/rules/availability-text.ts';
import { missionsMessage } from '#server/discord/rules/coming-text.ts';
import { answeredMessage, inboxMessage, orderChoice, wantsOrdersMessage } from '#server/discord/rules/inbox-text.ts';
import {
  helpMessage,
  notLinkedMessage,
  signInMessage,
  statusMessage,
  unlinkQuestion,
} from '#server/discord/rules/reply-text.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { discordMessage, orderChoices, type DiscordMessage } from '#shared/schemas/bot.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';

const SITE = 'https://marshal.example';
const EVIL = '@everyone [x](https://evil.example) **'.repeat(6).slice(0, 200);
const ROCKETS = '🚀'.repeat(200);

function order(index: number, changes: Partial<FragOrderDto> = {}): FragOrderDto {
  return {
    id: `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
    seq: index,
    label: `FRAG-${String(index).padStart(3, '0')}`,
    status: 'issued',
    statusReason: null,
    rsvp: 'pending',
    missionId: '0198c0de-0000-7000-8000-000000000001',
    missionName: 'Op Iron Hound',
    isPractice: false,
    theater: 'Syria',
    startUtc: '2026-11-20T19:05:00.000Z',
    endUtc: '2026-11-20T22:05:00.000Z',
    flightCallsign: 'Viper 1',
    aircraftName: 'F-16C Viper',
    seatIndex: 0,
    role: 'CAP',
    side: 0,
    launchUtc: null,
    title: 'CAP, F-16C Viper, seat 1',
    reasons: [],
    issuedAt: '2026-11-18T19:05:00.000Z',
    expiresAt: '2026-11-19T19:05:00.000Z',
    confirmedAt: null,
    asksConfirmation: false,
    standbyPosition: null,
    changes: [],
    changedAt: null,
    ...changes,
  };
}
const many = (count: number, changes: Partial<FragOrderDto>) =>
  Array.from({ length: count }, (_, index) => order(index + 1, changes));

/** The total length of a message's embeds, as Discord counts it. */
const embedSize = ({ embeds = [] }: DiscordMessage): number =>
  embeds
    .flatMap(({ title, description, footer, fields = [] }) => [
      title,
      description,
      footer?.text,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0);
const textOf = ({ content, embeds = [] }: DiscordMessage): string =>
  [content, ...embeds.flatMap(({ title, description }) => [title, description])].join('\n');

const openings = (name: string, count: number) => {
  const mission = {
    missionId: 'm',
    missionName: name,
    theater: 'Syria',
    startUtc: '2026-11-20T19:05:00.000Z',
    endUtc: '2026-11-20T22:05:00.000Z',
  };
  const seat = { flightId: 'f', flightCallsign: name, aircraftName: 'F-16C Viper', role: 'CAP', side: 0 as const };
  const seats = [0, 1, 2].map((seatIndex) => ({ ...seat, seatIndex, launchUtc: null, isListed: true, isLead: false }));
  return {
    open: Array.from({ length: count }, () => ({ ...mission, withdraws: [], seats })),
    closed: Array.from({ length: count }, () => ({
      ...mission,
      reason: 'COMMITTED' as const,
      sentence: `You already hold a seat in "${name}" at that time.`,
      withdraws: [],
      committedTo: null,
      flyAnyway: null,
      nearMiss: null,
      standby: null,
    })),
  };
};

describe('/missions of a pilot without a seat', () => {
  const { closed } = openings('Op Iron Hound', 8);
  const labels = (message: DiscordMessage) =>
    message.components?.flatMap((row) => row.components.map(({ label }) => label)) ?? [];

  test('a newcomer without times reads one reason for all, and where to enter them', () => {
    const refused = closed.map((mission) => ({ ...mission, reason: 'NOT_AVAILABLE' as const }));
    const message = missionsMessage([], { open: [], closed: refused }, SITE, englishTexts);
    expect(textOf(message).match(/not available/g)).toHaveLength(1);
    expect(textOf(message)).toContain('2 more');
    expect(labels(message)).toEqual(['Missions on the site', 'Enter your times']);
  });

  test('two missions keep their own sentences', () => {
    const message = missionsMessage([], { open: [], closed: closed.slice(0, 2) }, SITE, englishTexts);
    expect(textOf(message).match(/You already hold a seat/g)).toHaveLength(2);
    expect(labels(message)).toEqual(['Missions on the site']);
  });

  test('a seat to take is offered on the site', () => {
    expect(labels(missionsMessage([], openings('Op Iron Hound', 1), SITE, englishTexts))).toEqual([
      'Take a seat on the site',
    ]);
  });
});

describe.each([
  ['names of mischief', EVIL],
  ['200 emoji', ROCKETS],
])('with %s', (_what, name) => {
  const full = { missionName: name, flightCallsign: name };
  test.each<[string, DiscordMessage]>([
    [
      'inbox',
      inboxMessage(
        {
          pending: many(30, full),
          accepted: many(30, { ...full, rsvp: 'accepted' }),
          standby: many(30, { ...full, rsvp: 'standby', standbyPosition: 12 }),
          wantsOrders: true,
          publicUrl: SITE,
        },
        englishTexts,
      ),
    ],
    ['missions', missionsMessage(many(30, full), openings(name, 30), SITE, englishTexts)],
    [
      'availability',
      availabilityMessage(
        {
          timeZone: 'America/Argentina/ComodRivadavia',
          days: Array.from({ length: 31 }, (_, day) => ({
            dateLocal: `2026-12-${String(day + 1).padStart(2, '0')}`,
            busy: [],
            slots: Array.from({ length: 24 }, () => ({
              startLocal: '18:00',
              endLocal: '19:00',
              aircraftCodeId: 2,
              source: 'template' as const,
              notes: name,
            })),
          })),
        },
        new Map([[2, name]]),
        SITE,
        null,
        englishTexts,
      ),
    ],
    ['an answer', answeredMessage(order(7, { ...full, rsvp: 'standby', standbyPosition: 3 }), SITE, englishTexts)],
    ['unlink', unlinkQuestion(name, englishTexts)],
  ])('%s is complete, within the limits and without markup', (_kind, message) => {
    expect(discordMessage.parse(message)).toEqual(message);
    expect(embedSize(message)).toBeLessThanOrEqual(6000);
    const text = textOf(message);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/@everyone|[^\\]\[x|[^\\]:\/\/evil/);
  });

  test('a choice of /rsvp', () => {
    const choice = orderChoice(order(12_345, full), englishTexts);
    expect(orderChoices.parse([choice])).toEqual([choice]);
    expect(choice.name.isWellFormed()).toBe(true);
    expect(choice.name).toMatch(/^FRAG-12345 · needs your answer · Nov 20 1905Z · /);
  });
});

test.each<[string, DiscordMessage]>([
  ['help', helpMessage(SITE, englishTexts)],
  ['no account in a server', notLinkedMessage(true, englishTexts)],
  ['no account in direct messages', notLinkedMessage(false, englishTexts)],
  ['sign-in', signInMessage(`${SITE}/sign-in/${'x'.repeat(43)}`, 1_771_000_300_000, englishTexts)],
  ['direct messages on', wantsOrdersMessage(true, englishTexts)],
  ['direct messages off', wantsOrdersMessage(false, englishTexts)],
  [
    'nothing in the inbox',
    inboxMessage({ pending: [], accepted: [], standby: [], wantsOrders: false, publicUrl: SITE }, englishTexts),
  ],
  ['no missions', missionsMessage([], { open: [], closed: [] }, SITE, englishTexts)],
])('Discord accepts %s', (_kind, message) => {
  expect(discordMessage.parse(message)).toEqual(message);
  expect(textOf(message).trim()).not.toBe('');
});

test.each([
  [{ state: 'available', effectiveState: 'available', minutes: null, expiresAt: null }, '**Idle**.'],
  [{ state: 'dnd', effectiveState: 'dnd', minutes: null, expiresAt: null }, '**Do Not Disturb**.'],
  [
    { state: 'now', effectiveState: 'now', minutes: 60, expiresAt: '2026-11-20T19:05:00.000Z' },
    '**Find Flight** until <t:1795201500:t>.',
  ],
  // the time has passed
  [{ state: 'now', effectiveState: 'available', minutes: 60, expiresAt: '2026-11-20T19:05:00.000Z' }, '**Idle**.'],
] as const)('status %o reads %s', (status, words) => {
  expect(statusMessage(status, false, englishTexts).content).toContain(`Your status is ${words}`);
});

test('an order in the inbox, word for word', () => {
  const changed = order(7, { changes: [{ field: 'start', from: 'a', to: 'b' }] });
  const [embed] =
    inboxMessage({ pending: [changed], accepted: [], standby: [], wantsOrders: true, publicUrl: SITE }, englishTexts)
      .embeds ?? [];
  expect(embed?.description).toBe(
    [
      '**FRAG-007** Op Iron Hound: CAP, F-16C Viper, seat 1 in Viper 1',
      '<t:1795201500:F> · 1905Z · <t:1795201500:R>',
      'Answer by <t:1795115100:F>',
      'An admin changed: start',
    ].join('\n'),
  );
});

test('a time in the coming week that is part of another one is not listed', () => {
  const slot = (startLocal: string, endLocal: string, aircraftCodeId = 0) => ({
    startLocal,
    endLocal,
    aircraftCodeId,
    source: 'override' as const,
    notes: null,
  });
  const listed = (...slots: ReturnType<typeof slot>[]) =>
    availabilityMessage(
      { timeZone: 'UTC', days: [{ dateLocal: '2026-11-28', slots, busy: [] }] },
      new Map([[2, 'F-16C Viper']]),
      SITE,
      null,
      englishTexts,
    ).embeds?.[0]?.description;
  expect(listed(slot('10:00', '24:00'), slot('17:00', '24:00'), slot('18:00', '20:00', 2))).toBe(
    '**Sat, Nov 28** 10:00–24:00',
  );
  expect(listed(slot('10:00', '12:00'), slot('10:00', '12:00'))).toBe('**Sat, Nov 28** 10:00–12:00');
  // another aircraft, or only a part
  expect(listed(slot('10:00', '24:00', 2), slot('17:00', '24:00'))).toBe(
    '**Sat, Nov 28** 10:00–24:00 (F-16C Viper), 17:00–24:00',
  );
  expect(listed(slot('10:00', '18:00'), slot('17:00', '24:00'))).toBe('**Sat, Nov 28** 10:00–18:00, 17:00–24:00');
});
