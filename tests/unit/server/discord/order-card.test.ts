import { describe, expect, test } from 'vitest';
import { nextCardChangeMs, orderCard } from '#server/discord/rules/order-card.ts';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { copy } from '#shared/copy.ts';
import { eachField, MISSION_TEXT_KEYS, MISSION_TEXTS } from '#shared/mission-fields.ts';
import type { PackagedOrder } from '#shared/order-facts.ts';
import { discordMessage } from '#shared/schemas/bot.ts';
import type { OrderChange } from '#shared/schemas/pilot.ts';
import { SAMPLE_ORDER, SAMPLE_START } from '#tests/harness/sample-order.ts';

const SITE = 'https://marshal.example';
const { id: ID } = SAMPLE_ORDER;
const HOUR = 3_600_000;
const START = SAMPLE_START;
/** two days before the start */
const NOW = START - 48 * HOUR;

const ORDER: PackagedOrder = SAMPLE_ORDER;
const MOVED: OrderChange[] = [{ field: 'start', from: 'Nov 20 1800Z', to: 'Nov 20 1900Z' }];
const TAKEN_BACK: OrderChange[] = [{ field: 'seat', from: 'VIPER 1, seat 2', to: null }];

function look(change: Partial<PackagedOrder> = {}, nowMs = NOW) {
  const message = orderCard({ ...ORDER, ...change }, SITE, nowMs, englishTexts);
  const [embed] = message.embeds ?? [];
  const buttons = (message.components ?? []).flatMap(({ components }) => components);
  return {
    message,
    title: embed?.title,
    description: embed?.description ?? '',
    field: (name: string) => embed?.fields?.find((field) => field.name === name)?.value,
    /** the actions of the buttons */
    actions: buttons.flatMap((button) =>
      'custom_id' in button && button.disabled !== true ? [button.custom_id.split(':')[1]] : [],
    ),
    badge: buttons.find((button) => 'custom_id' in button && button.disabled === true)?.label,
    ids: buttons.flatMap((button) => ('custom_id' in button ? [button.custom_id] : [])),
    links: buttons.flatMap((button) => ('url' in button ? [button.url] : [])),
  };
}

test('a new order states mission, seat, times and reasons', () => {
  const card = look();
  expect(card.title).toBe('FRAG-012: Op Iron Hound');
  expect(card.description).toMatch(/^\*\*VIPER 1-2 · F-16C Viper · CAP · Red\*\*\nYou're offered a seat\. /);
  expect(card.field('Start')).toBe('<t:1795201200:F> (<t:1795201200:R>)\nFRI 20 NOV 1900Z');
  expect(card.field('Launch')).toBe('<t:1795203000:t> (1930Z)');
  expect(card.field('TOT')).toBe('<t:1795204800:t> (2000Z)');
  expect(card.field('Radio')).toBe('251.000 AM');
  expect(card.field('Package')).toBe('ALPHA (CAP, Syria)');
  expect(card.field('Crew')).toBe('1 open\n2 Maverick');
  expect(card.field('Links')).toBe('• Chart: [Akrotiri](https://charts.example/akrotiri)');
  expect(card.field('Why you')).toBe('• You fly the F-16C.\n• You have waited longest.');
  expect(look({ reasons: [copy.aircraftUnlisted] }).field('Why you')).toBe(`• ${copy.aircraftUnlisted}`);
  expect(card.field('What changed')).toBeUndefined();
  expect(card.description).toContain('<t:1795071600:R>');
  expect(card.links).toEqual([`${SITE}/orders/${ID}`]);
});

test("the flight's notes and all texts of the mission follow their labels, and long ones are cut", () => {
  const card = look();
  expect(card.field('Notes')).toBe('Two HARMs each\nnotes of the mission');
  for (const key of MISSION_TEXT_KEYS) expect(card.field(MISSION_TEXTS[key].words)).toContain(`${key} of the mission`);
  const none = look({ notes: null, missionTexts: eachField(MISSION_TEXT_KEYS, () => null) });
  expect(none.field('Notes')).toBeUndefined();
  expect(look({ notes: 'smoke '.repeat(300) }).field('Notes')).toMatch(/^smoke smoke .*…$/);
});

describe('buttons follow the state of the order:', () => {
  test.each<[string, Partial<PackagedOrder>, number, string[], string | undefined]>([
    ['pending', {}, NOW, ['accept', 'standby', 'decline'], undefined],
    ['asked again', { changes: MOVED }, NOW, ['accept', 'standby', 'decline'], undefined],
    ['accepted', { rsvp: 'accepted' }, NOW, ['standby', 'decline'], 'Accepted'],
    ['accepted, a day before the start', { rsvp: 'accepted' }, START - 24 * HOUR, ['standby', 'decline'], 'Accepted'],
    ['accepted, less than a day before it', { rsvp: 'accepted' }, START - 24 * HOUR + 1, ['decline'], 'Accepted'],
    ['accepted and begun', { rsvp: 'accepted' }, START, [], 'Accepted'],
    ['accepted and over', { rsvp: 'accepted' }, START + 3 * HOUR, [], 'Over'],
    ['standby', { rsvp: 'standby' }, NOW, ['accept', 'decline'], 'On standby'],
    ['standby at the start', { rsvp: 'standby' }, START, [], 'Started'],
    ['declined', { rsvp: 'declined' }, NOW, ['accept', 'standby'], 'Declined'],
    ['declined at the start', { rsvp: 'declined' }, START, [], 'Started'],
    ['expired', { status: 'cancelled', statusReason: 'expired' }, NOW, [], 'Expired'],
    ['expired before the job has run', {}, Date.parse(ORDER.expiresAt), [], 'Expired'],
    ['cancelled', { status: 'cancelled', statusReason: 'mission cancelled' }, NOW, [], 'Cancelled'],
    [
      'removed',
      { status: 'cancelled', statusReason: 'superseded', rsvp: 'accepted', changes: TAKEN_BACK },
      NOW,
      [],
      'Removed',
    ],
    ['taken by another', { status: 'cancelled', statusReason: 'superseded' }, NOW, [], 'Taken'],
    ['replaced', { status: 'cancelled', statusReason: 'superseded', rsvp: 'standby' }, NOW, [], 'Replaced'],
  ])('%s', (_state, change, nowMs, actions, badge) => {
    const card = look(change, nowMs);
    expect(card.actions).toEqual(actions);
    expect(card.badge).toBe(badge);
    // the sender finds the message again by this id
    expect(card.ids.some((id) => id.endsWith(`:${ID}`))).toBe(true);
    expect(new Set(card.ids).size).toBe(card.ids.length);
  });
});

test('a changed order shows the old and new values', () => {
  const card = look({ changes: MOVED });
  expect(card.field('What changed')).toBe('• Start Nov 20 1800Z to Nov 20 1900Z.');
  expect(card.description).toContain('Please answer again by');
});

test('a seat that an edited mission no longer fits says why, once, and mentions nobody', () => {
  const reasons = ['This mission has changed and no longer fits you.', 'You are on “@everyone” at that time.'];
  const lost = { status: 'cancelled', statusReason: 'superseded', rsvp: 'accepted', changes: TAKEN_BACK } as const;
  const card = look({ ...lost, reasons });
  expect(card.description).toMatch(
    /\nThis mission has changed and no longer fits you. You are on “.*everyone” at that time. Your seat was released.$/,
  );
  expect(card.description).not.toContain('@everyone');
  expect(card.field('Why you')).toBeUndefined();
  expect(look(lost).description).toContain('\nAn admin removed you from this mission.');
});

test('a seat from standby says so, without a place in the queue', () => {
  const reasons = ['You were on standby for this mission.'];
  expect(look({ rsvp: 'accepted', reasons }).description).toContain("You're in: VIPER 1, seat 2");
  expect(look({ rsvp: 'standby' }).description).not.toMatch(/\d(st|nd|rd|th)\b/);
});

test('names neither mention nor format anything', () => {
  const card = look({
    missionName: '@everyone **free** <@123456789012345678>',
    flightCallsign: '`code`',
    reasons: ['You swapped with @here.'],
    changes: [{ field: 'notes', from: null, to: '<@&99999> [click](https://evil.example)' }],
  });
  const text = JSON.stringify(card.message);
  expect(text).not.toContain('@everyone');
  expect(text).not.toContain('@here');
  expect(text).not.toMatch(/<@/);
  expect(card.title).not.toContain('**free**');
  expect(card.field('What changed')).not.toContain('](');
});

test("the longest names, notes and reasons stay within Discord's limits", () => {
  const wild = '<@*_`|'.repeat(40);
  const card = look({
    missionName: wild,
    flightCallsign: wild,
    aircraftName: wild,
    notes: wild.repeat(9),
    links: Array.from({ length: 8 }, () => ({
      kind: 'tacview' as const,
      title: wild.slice(0, 80),
      url: `https://a.example/${'('.repeat(480)}`,
    })),
    missionTexts: eachField(MISSION_TEXT_KEYS, () => wild.repeat(9)),
    reasons: Array.from({ length: 30 }, () => wild),
    changes: (['start', 'end', 'side', 'aircraft', 'role', 'callsign', 'radio', 'notes', 'seat'] as const).map(
      (field) => ({ field, from: wild, to: wild.split('').toReversed().join('') }),
    ),
  });
  expect(discordMessage.safeParse(card.message).error).toBeUndefined();
  const [embed] = card.message.embeds ?? [];
  const texts = [
    embed?.title,
    embed?.description,
    ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
  ];
  expect(texts.join('').length).toBeLessThan(6000);
  expect(card.field('What changed')).toContain('more on the site');
});

test.each<[string, Partial<PackagedOrder>, number, number | null]>([
  ['a pending order changes at its start at the latest', {}, NOW, START],
  ['an accepted one loses Standby less than a day before', { rsvp: 'accepted' }, NOW, START - 24 * HOUR + 1],
  ['then can no longer be given back', { rsvp: 'accepted' }, START - 24 * HOUR + 1, START],
  ['then is over', { rsvp: 'accepted' }, START, START + 3 * HOUR],
  ['and then stays', { rsvp: 'accepted' }, START + 3 * HOUR, null],
  ['a cancelled one stays', { status: 'cancelled', statusReason: 'expired' }, NOW, null],
])('by time alone: %s', (_rule, change, nowMs, expected) =>
  expect(nextCardChangeMs({ ...ORDER, ...change }, nowMs)).toBe(expected),
);
