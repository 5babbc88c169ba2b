import { describe, expect, test } from 'vitest';
import { fragLabel, orderTitle, seatLabel, sideName } from '#shared/labels.ts';
import { loginInput, profileForm, registerInput } from '#shared/schemas/auth.ts';
import { slotInput, templateForm } from '#shared/schemas/availability.ts';
import { createMissionInput } from '#shared/schemas/missions.ts';
import { rsvpInput, statusForm } from '#shared/schemas/pilot.ts';

const account = { email: 'a@example.org', password: 'correct horse', confirmPassword: 'correct horse' };
const slot = { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null };
const mission = {
  name: 'Op Iron Hound',
  theater: 'Syria',
  startLocal: '2026-12-01T19:00',
  endLocal: '2026-12-01T22:00',
  aircraftSlots: [{ aircraftId: 2, slotCount: 4, side: 0, notes: 'CAP' }],
};
const ID = '0192c0de-0000-7000-8000-000000000000';
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const zeros = (count: number) => 'x'.repeat(count);

describe("the specification's sentences", () => {
  test.each([
    ['login needs an address', loginInput, { email: 'nobody', password: 'x' }, 'email', 'Invalid email address'],
    ['login needs a password', loginInput, { email: 'a@b.co', password: '' }, 'password', 'Password is required'],
    [
      'a password has eight characters',
      registerInput,
      { ...account, password: 'seven77', confirmPassword: 'seven77' },
      'password',
      'Password must be at least 8 characters',
    ],
    [
      'a confirmation is required',
      registerInput,
      { ...account, confirmPassword: '' },
      'confirmPassword',
      'Please confirm your password',
    ],
    [
      'and must be the same',
      registerInput,
      { ...account, confirmPassword: 'correct hors' },
      'confirmPassword',
      'Passwords do not match',
    ],
    [
      'a call sign is required',
      profileForm,
      { displayName: '  ', timeZone: 'UTC' },
      'displayName',
      'Call sign is required',
    ],
    [
      'and has at most 200 characters',
      profileForm,
      { displayName: zeros(201), timeZone: 'UTC' },
      'displayName',
      'Call sign too long',
    ],
    ['a zone is required', profileForm, { displayName: 'Goose', timeZone: '' }, 'timeZone', 'Please select a timezone'],
    [
      'a zone is a name, not an offset',
      profileForm,
      { displayName: 'Goose', timeZone: '+05:00' },
      'timeZone',
      'Please select a timezone',
    ],
    ['now needs minutes', statusForm, { state: 'now' }, 'minutes', 'Minutes required when selecting "Available Now"'],
    [
      'a slot needs a preference',
      slotInput,
      { ...slot, aircraftCodeId: undefined },
      'aircraftCodeId',
      'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).',
    ],
    [
      'a mission needs aircraft',
      createMissionInput,
      { ...mission, aircraftSlots: [] },
      'aircraftSlots',
      'Please fill in all required fields and add at least one aircraft slot',
    ],
  ])('%s', (_rule, schema, value, path, sentence) => {
    const issue = schema.safeParse(value).error?.issues[0];
    expect([issue?.path.join('.'), issue?.message]).toEqual([path, sentence]);
  });
});

describe('limits, from both sides', () => {
  test.each([
    ['480 minutes fit, 481 do not', statusForm, { state: 'now', minutes: 480 }, { state: 'now', minutes: 481 }],
    ['one minute fits, none does not', statusForm, { state: 'now', minutes: 1 }, { state: 'now', minutes: 0 }],
    [
      '200 characters fit, counted as people do',
      profileForm,
      { displayName: '🛩'.repeat(200), timeZone: 'UTC' },
      { displayName: '🛩'.repeat(201), timeZone: 'UTC' },
    ],
    [
      '64 seats an entry fit, 65 do not',
      createMissionInput,
      { ...mission, aircraftSlots: [{ ...mission.aircraftSlots[0], slotCount: 64 }] },
      { ...mission, aircraftSlots: [{ ...mission.aircraftSlots[0], slotCount: 65 }] },
    ],
    [
      '256 seats fit, 257 do not',
      createMissionInput,
      { ...mission, aircraftSlots: times(4, { ...mission.aircraftSlots[0], slotCount: 64 }) },
      {
        ...mission,
        aircraftSlots: [
          ...times(4, { ...mission.aircraftSlots[0], slotCount: 64 }),
          { ...mission.aircraftSlots[0], slotCount: 1 },
        ],
      },
    ],
    [
      '29 February is a day in leap years only',
      createMissionInput,
      { ...mission, startLocal: '2028-02-29T19:00' },
      { ...mission, startLocal: '2026-02-29T19:00' },
    ],
    ['twelve slots a day fit, thirteen do not', templateForm, { slots: times(12, slot) }, { slots: times(13, slot) }],
    [
      'a slot may end at midnight, but not where it starts',
      slotInput,
      { ...slot, endLocal: '00:00' },
      { ...slot, endLocal: '18:00' },
    ],
    [
      'ordinary text fits, a text that turns its direction around does not',
      profileForm,
      { displayName: 'Gänse-Führer 雁', timeZone: 'UTC' },
      { displayName: 'Goose\u202eesooG', timeZone: 'UTC' },
    ],
    [
      'notes keep their lines, but no NUL',
      createMissionInput,
      { ...mission, notes: 'one\ntwo' },
      { ...mission, notes: 'one\0two' },
    ],
  ])('%s', (_rule, schema, fits, doesNot) => {
    expect(schema.safeParse(fits).error?.issues).toBeUndefined();
    expect(schema.safeParse(doesNot).success).toBe(false);
  });
});

test('answers are case-insensitive', () => {
  for (const response of ['Accepted', 'ACCEPTED', 'accepted']) {
    expect(rsvpInput.parse({ id: ID, response }).response).toBe('accepted');
  }
  expect(rsvpInput.safeParse({ id: ID, response: 'Pending' }).success).toBe(false);
});

test('unknown fields are dropped, not stored', () => {
  expect(profileForm.parse({ displayName: 'Goose', timeZone: 'UTC', roles: ['admin'] })).toEqual({
    displayName: 'Goose',
    timeZone: 'UTC',
  });
});

test.each([
  [7, 'FRAG-007'],
  [42, 'FRAG-042'],
  [1234, 'FRAG-1234'],
])('order %i is %s', (seq, label) => expect(fragLabel(seq)).toBe(label));

test('seats are counted from one, and sides have their colours as names', () => {
  expect([seatLabel(0), seatLabel(3)]).toEqual(['Seat 1', 'Seat 4']);
  expect([sideName(0), sideName(1)]).toEqual(['Blue', 'Red']);
});

test('a title has the role, the aircraft and the seat counted from one', () => {
  expect(orderTitle('CAP', 'F-16C Viper', 0)).toBe('CAP, F-16C Viper, seat 1');
});
