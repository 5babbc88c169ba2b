/** What is taken out of stored texts when an account is erased, and what another pilot keeps. */
import { describe, expect, test } from 'vitest';
import {
  redactLine,
  redactMarks,
  redactPeople,
  withoutMember,
  type Copied,
  type JsonRow,
  type Person,
} from '#server/accounts/rules/redact.ts';

const GONE = '01900000-0000-7000-8000-00000000000a';
const OTHER = '01900000-0000-7000-8000-00000000000b';
const MISSION = '01900000-0000-7000-8000-00000000000c';

const ids = ['userId', 'pilotId', 'id'];
const callSign = (value: string, isShared = false): Copied => ({
  keys: new Map([
    ['displayName', ids],
    ['userDisplayName', ['userId']],
    ['pilot', ['userId']],
    ['replaced', ['replacedId']],
  ]),
  value,
  isFree: true,
  isShared,
  to: 'former pilot',
});
const personOf = (...copied: Copied[]): Person => ({
  id: GONE,
  marks: ['viper@example.org', '700600'],
  usernames: ['viper'],
  copied,
});
const person = personOf(callSign('Viper'));
const row = (about: string | null = null, accounts = [GONE, OTHER]): JsonRow => ({
  accounts: new Set(accounts),
  about,
  freeNames: ['name', 'reason', 'from', 'to'],
});
const clean = (value: unknown, whose = person, where = row()) => redactPeople(value, whose, where, 'former pilot');

describe('addresses and Discord ids', () => {
  test.each([
    ['Ask Viper@Example.org.', 'Ask x.'],
    ['<viper@example.org> is unknown', '<x> is unknown'],
    ['superviper@example.org', 'superviper@example.org'],
    ['a.viper@example.org', 'a.viper@example.org'],
    ['lead+viper@example.org', 'lead+viper@example.org'],
    ['viper@example.org.uk', 'viper@example.org.uk'],
    ['700600, 7006001, 1700600', 'x, 7006001, 1700600'],
  ])('%s', (text, expected) => {
    expect(redactMarks(text, person, 'x')).toBe(expected);
  });
});

describe('lines about members of a Discord server', () => {
  test.each([
    ['viper', 'x'],
    ['viper2', 'viper2'],
    ['viper: FRAG-001 accepted', 'x: FRAG-001 accepted'],
    ['viper chose #viper for missions', 'x chose #viper for missions'],
    ['goose chose #viper for missions', 'goose chose #viper for missions'],
    ['viper pit', 'viper pit'],
  ])('%s', (text, expected) => {
    expect(redactLine(text, person, 'x')).toBe(expected);
  });
});

describe('JSON', () => {
  test('a name goes beside the id of its account, whatever it was, and stays beside the id of another one', () => {
    const before = [
      { userId: GONE, userDisplayName: 'An earlier name', notes: 'Viper' },
      { userId: OTHER, userDisplayName: 'Viper', notes: 'Viper leads' },
    ];
    expect(clean(before)).toEqual([
      { userId: GONE, userDisplayName: 'former pilot', notes: 'Viper' },
      { userId: OTHER, userDisplayName: 'Viper', notes: 'Viper leads' },
    ]);
  });

  test('missions, flights and free text keep a word that is also a call sign', () => {
    const before = {
      id: MISSION,
      name: 'Viper',
      flights: [{ callsign: 'Viper', flightCallsign: 'Viper 1' }],
      notes: 'the',
    };
    expect(clean({ ...before, pilotId: GONE })).toEqual({ ...before, pilotId: GONE });
    expect(clean(before, personOf(callSign('the')))).toEqual(before);
  });

  test('each name of an object has an id of its own', () => {
    const before = { pilot: 'Viper', userId: OTHER, replaced: 'Viper', replacedId: GONE };
    expect(clean(before)).toEqual({ ...before, replaced: 'former pilot' });
    expect(clean({ ...before, userId: GONE, replacedId: OTHER })).toEqual({
      pilot: 'former pilot',
      userId: GONE,
      replaced: 'Viper',
      replacedId: OTHER,
    });
  });

  test('a name beside no id goes unless another account has it, or if the row names nobody else', () => {
    const before = { marks: [{ pilot: 'Viper' }, { pilot: 'Viper Two' }] };
    expect(clean(before)).toEqual({ marks: [{ pilot: 'former pilot' }, { pilot: 'Viper Two' }] });
    expect(clean(before, personOf(callSign('Viper', true)))).toEqual(before);
    expect(clean({ pilot: 'Viper' }, personOf(callSign('Viper', true)), row(GONE, [GONE]))).toEqual({
      pilot: 'former pilot',
    });
  });

  test('text about the account loses its name as a whole word', () => {
    const before = { reason: 'Viper left with Vipers', flight: 'Viper 1', name: 'Viper' };
    expect(clean(before, person, row(GONE))).toEqual({
      reason: 'former pilot left with Vipers',
      flight: 'Viper 1',
      name: 'former pilot',
    });
    expect(clean(before, person, row(OTHER))).toEqual(before);
  });
});

test('a thread loses the member, from both lists of its pilots', () => {
  const thread = { name: 'Op', members: ['700600', '7006001'], strangers: ['700600'], isArchived: false };
  expect(withoutMember(thread, person.marks)).toEqual({
    name: 'Op',
    members: ['7006001'],
    strangers: [],
    isArchived: false,
  });
});
