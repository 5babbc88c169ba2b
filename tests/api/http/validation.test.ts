/** The specification's validation rules (section 5), word for word, on both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '#shared/refusals.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { hoursFromNow, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, isRecord, TRANSPORTS, type Reply } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type World } from './operations.ts';

let service: Service;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await givenWorld(service);
});
afterAll(() => service.stop());

type Fields = Record<string, unknown>;

/** Ask with a working input and these fields in it; undefined takes a field away. */
async function askWith(transport: 'rest' | 'trpc', procedure: string, change: Fields): Promise<Reply> {
  const operation = OPERATIONS[procedure];
  const person = operation?.policy === 'admin' ? world.admin : world.self;
  const { sessions } = service.app;
  const { token } = await sessions.create(person.id);
  const input = { ...operation?.input(world.subject), ...change };
  return ask(service, transport, procedure, input, `${sessions.cookieName}=${token}`);
}

/** Paths of the fields that a refusal names. */
function namedFields({ body }: Reply): unknown[] {
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined;
  const issues = error === undefined ? Object(body).issues : Object(error.data).issues;
  return Array.isArray(issues) ? issues.map((issue) => Object(issue).path) : [];
}

const slot = { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null };
const entry = { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' };
const slotsWith = (change: Fields) => ({ slots: [{ ...slot, ...change }] });
const entryWith = (change: Fields) => ({ aircraftSlots: [{ ...entry, ...change }] });
const passwords = (text: string) => ({ password: text, confirmPassword: text });

const EMAIL = 'Invalid email address';
const CALL_SIGN = 'Call sign is required';
const ZONE = 'Please select a timezone';
const TOO_SHORT = 'Password must be at least 8 characters';
const UNREADABLE = 'This text contains characters that cannot be stored';
const AIRCRAFT =
  'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).';
const MINUTES = 'Minutes must be a whole number from 1 to 480';
const REQUIRED = 'Please fill in all required fields and add at least one aircraft slot';
const COUNT = 'The slot count must be a whole number from 1 to 64';
const DATE_TIME = 'Please give a date and time as YYYY-MM-DDTHH:mm';

const REFUSED: readonly [
  rule: string,
  procedure: string,
  change: Fields,
  sentence: string,
  field: string,
  code?: RefusalCode,
][] = [
  ['sign-in needs an address', 'auth.login', { email: undefined }, EMAIL, 'email'],
  ['sign-in needs a whole address', 'auth.login', { email: 'maverick' }, EMAIL, 'email'],
  ['sign-in needs a password', 'auth.login', { password: undefined }, 'Password is required', 'password'],
  ['an empty password is none', 'auth.login', { password: '' }, 'Password is required', 'password'],

  ['registration needs an address', 'auth.register', { email: '' }, EMAIL, 'email'],
  ['registration needs a whole address', 'auth.register', { email: 'a@b' }, EMAIL, 'email'],
  ['an address has at most 254 characters', 'auth.register', { email: `${'a'.repeat(250)}@b.co` }, EMAIL, 'email'],
  ['a password has at least 8 characters', 'auth.register', passwords('1234567'), TOO_SHORT, 'password'],
  ['characters are what people count', 'auth.register', passwords('🙂'.repeat(7)), TOO_SHORT, 'password'],
  [
    'a password has at most 256 characters',
    'auth.register',
    passwords('x'.repeat(257)),
    'Password must be at most 256 characters',
    'password',
  ],
  [
    'the most common passwords are refused',
    'auth.register',
    passwords('password123'),
    'This password is too common. Please choose another one.',
    'password',
  ],
  [
    'the password is confirmed',
    'auth.register',
    { confirmPassword: undefined },
    'Please confirm your password',
    'confirmPassword',
  ],
  [
    'an empty confirmation is none',
    'auth.register',
    { confirmPassword: '' },
    'Please confirm your password',
    'confirmPassword',
  ],
  [
    'both passwords are one',
    'auth.register',
    { confirmPassword: 'another password' },
    'Passwords do not match',
    'confirmPassword',
  ],
  ['a zone at registration is real', 'auth.register', { timeZone: 'EVIL-3' }, ZONE, 'timeZone'],

  ['a new password has at least 8', 'auth.changePassword', { newPassword: 'short' }, TOO_SHORT, 'newPassword'],
  [
    'a change needs the present password',
    'auth.changePassword',
    { currentPassword: 'not this one' },
    'The current password is not correct',
    'currentPassword',
    'WRONG_PASSWORD',
  ],
  [
    'a changed password is confirmed',
    'auth.changePassword',
    { confirmPassword: 'another password' },
    'Passwords do not match',
    'confirmPassword',
  ],

  ['a call sign is required', 'pilot.updateProfile', { displayName: undefined }, CALL_SIGN, 'displayName'],
  ['an empty call sign is none', 'pilot.updateProfile', { displayName: '' }, CALL_SIGN, 'displayName'],
  ['a blank call sign is none', 'pilot.updateProfile', { displayName: '   ' }, CALL_SIGN, 'displayName'],
  [
    'a call sign has at most 200 characters',
    'pilot.updateProfile',
    { displayName: 'x'.repeat(201) },
    'Call sign too long',
    'displayName',
  ],
  ['a call sign has no NUL', 'pilot.updateProfile', { displayName: 'a\0b' }, UNREADABLE, 'displayName'],
  ['a call sign has no lone surrogate', 'pilot.updateProfile', { displayName: 'a\uD800' }, UNREADABLE, 'displayName'],
  ['a call sign is read as written', 'pilot.updateProfile', { displayName: '\u202Ekcart' }, UNREADABLE, 'displayName'],
  ['a time zone is required', 'pilot.updateProfile', { timeZone: undefined }, ZONE, 'timeZone'],
  ['an empty time zone is none', 'pilot.updateProfile', { timeZone: '' }, ZONE, 'timeZone'],
  ['an offset is no time zone', 'pilot.updateProfile', { timeZone: '+05:00' }, ZONE, 'timeZone'],
  ['a POSIX zone is no time zone', 'pilot.updateProfile', { timeZone: 'EVIL-3' }, ZONE, 'timeZone'],
  ['an id has the form of one', 'pilot.updateProfile', { id: '7' }, 'This id is not valid', 'id'],

  [
    'a status is one of three',
    'pilot.setStatus',
    { state: 'away' },
    'Please choose Available, Do Not Disturb or Available Now',
    'state',
  ],
  [
    'available now says for how long',
    'pilot.setStatus',
    { minutes: undefined },
    'Minutes required when selecting "Available Now"',
    'minutes',
  ],
  ['minutes start at 1', 'pilot.setStatus', { minutes: 0 }, MINUTES, 'minutes'],
  ['minutes end at 480', 'pilot.setStatus', { minutes: 481 }, MINUTES, 'minutes'],
  ['minutes are whole', 'pilot.setStatus', { minutes: 1.5 }, MINUTES, 'minutes'],

  [
    'every slot has an aircraft preference',
    'availability.createTemplate',
    slotsWith({ aircraftCodeId: undefined }),
    AIRCRAFT,
    'slots.0.aircraftCodeId',
  ],
  [
    'null is no aircraft preference',
    'availability.updateTemplate',
    slotsWith({ aircraftCodeId: null }),
    AIRCRAFT,
    'slots.0.aircraftCodeId',
  ],
  [
    'a slot names an aircraft that exists',
    'availability.createTemplate',
    slotsWith({ aircraftCodeId: 9_999 }),
    'This aircraft does not exist',
    'aircraftId',
    'AIRCRAFT_NOT_FOUND',
  ],
  [
    'a slot has a length',
    'availability.createTemplate',
    slotsWith({ endLocal: '18:00' }),
    'A time slot needs an end that differs from its start',
    'slots.0.endLocal',
  ],
  [
    'a slot has times of the day',
    'availability.createTemplate',
    slotsWith({ endLocal: '24:00' }),
    'Please give a time as HH:mm',
    'slots.0.endLocal',
  ],
  [
    'a week has seven days',
    'availability.createTemplate',
    slotsWith({ weekday: 7 }),
    'The weekday must be a number from 0 (Sunday) to 6 (Saturday)',
    'slots.0.weekday',
  ],
  [
    'a day holds at most 12 slots',
    'availability.createTemplate',
    { slots: Array.from({ length: 13 }, () => slot) },
    'A day can hold at most 12 time slots',
    'slots',
  ],
  [
    'a window has at most 31 days',
    'availability.window',
    { days: 32 },
    'The number of days must be a whole number from 1 to 31',
    'days',
  ],
  [
    'a window starts on a day that exists',
    'availability.window',
    { start: '2026-02-29' },
    'Please give a date as YYYY-MM-DD',
    'start',
  ],

  ['a mission has a name', 'admin.createMission', { name: '' }, 'Mission name is required', 'name'],
  [
    'a mission has a theater',
    'admin.createMission',
    { theater: undefined },
    'Please choose a theater from the list',
    'theater',
  ],
  [
    'a theater is from the list',
    'admin.createMission',
    { theater: 'Moon' },
    'Please choose a theater from the list',
    'theater',
  ],
  ['a mission has a start', 'admin.createMission', { startLocal: '' }, 'Start time is required', 'startLocal'],
  ['a mission has an end', 'admin.createMission', { endLocal: undefined }, 'End time is required', 'endLocal'],
  [
    'a start is on a day that exists',
    'admin.createMission',
    { startLocal: '2027-02-29T19:00' },
    DATE_TIME,
    'startLocal',
  ],
  ['a start has no seconds', 'admin.createMission', { startLocal: '2027-02-28T19:00:00' }, DATE_TIME, 'startLocal'],
  ['a mission has aircraft', 'admin.createMission', { aircraftSlots: [] }, REQUIRED, 'aircraftSlots'],
  ['aircraft cannot be left out', 'admin.createMission', { aircraftSlots: undefined }, REQUIRED, 'aircraftSlots'],
  ['a slot count starts at 1', 'admin.createMission', entryWith({ slotCount: 0 }), COUNT, 'aircraftSlots.0.slotCount'],
  ['a slot count ends at 64', 'admin.createMission', entryWith({ slotCount: 65 }), COUNT, 'aircraftSlots.0.slotCount'],
  ['a slot count is whole', 'admin.createMission', entryWith({ slotCount: 2.5 }), COUNT, 'aircraftSlots.0.slotCount'],
  [
    'a side is blue or red',
    'admin.createMission',
    entryWith({ side: 2 }),
    'The side must be 0 (Blue) or 1 (Red)',
    'aircraftSlots.0.side',
  ],
  [
    'a role is from the list',
    'admin.createMission',
    entryWith({ notes: 'Joyride' }),
    'Please choose a role from the list',
    'aircraftSlots.0.notes',
  ],
  [
    'an aircraft exists',
    'admin.createMission',
    entryWith({ aircraftId: 9_999 }),
    'This aircraft does not exist',
    'aircraftId',
    'AIRCRAFT_NOT_FOUND',
  ],
  [
    'a mission has at most 256 seats',
    'admin.createMission',
    { aircraftSlots: Array.from({ length: 5 }, () => ({ ...entry, slotCount: 64 })) },
    'A mission can hold at most 256 seats',
    'aircraftSlots',
  ],
  [
    'a mission starts later than now',
    'admin.createMission',
    { startLocal: hoursFromNow(-1), endLocal: hoursFromNow(1) },
    'The mission cannot start in the past',
    'startLocal',
    'START_IN_PAST',
  ],
  [
    'a mission has a length',
    'admin.createMission',
    { startLocal: hoursFromNow(50), endLocal: hoursFromNow(50) },
    'The mission must end after it starts',
    'endLocal',
  ],
  [
    'a mission lasts at most a day',
    'admin.createMission',
    { startLocal: hoursFromNow(50), endLocal: hoursFromNow(75) },
    'The mission cannot be longer than 24 hours',
    'endLocal',
  ],
  [
    'a mission ends after it starts',
    'admin.createMission',
    { startLocal: hoursFromNow(80), endLocal: hoursFromNow(50) },
    'The mission cannot end before it starts',
    'endLocal',
  ],

  ['a reset password has at least 8', 'admin.resetPassword', { newPassword: '1234567' }, TOO_SHORT, 'newPassword'],
  ['a role is admin or user', 'admin.addRole', { role: 'owner' }, 'The role must be admin or user', 'role'],
  [
    'a page holds at most 100 users',
    'admin.users',
    { pageSize: 101 },
    'The page size must be a whole number from 1 to 100',
    'pageSize',
  ],
  [
    'an answer is one of three',
    'pilot.rsvp',
    { response: 'maybe' },
    'The response must be Accepted, Standby or Declined',
    'response',
  ],
];

describe.each(TRANSPORTS)('refused with its sentence by %s', (transport) => {
  test.each(REFUSED)('%s (%s)', async (_rule, procedure, change, sentence, field, code = 'VALIDATION') => {
    const before = await takeDigest(service);
    const reply = await askWith(transport, procedure, change);
    expect([reply.status, reply.code, reply.message, namedFields(reply)[0]]).toEqual([400, code, sentence, field]);
    expect(await takeDigest(service)).toEqual(before);
  });
});

describe('the last values that are allowed', () => {
  test.each<[rule: string, procedure: string, change: Fields]>([
    ['a password of 8 characters', 'auth.register', passwords('k7wzp3mh')],
    ['a password of 8 emoji', 'auth.register', passwords('🙂'.repeat(8))],
    ['a password of 256 characters', 'auth.register', passwords('xy'.repeat(128))],
    ['a call sign of one character', 'pilot.updateProfile', { displayName: 'X' }],
    ['a call sign of 200 emoji', 'pilot.updateProfile', { displayName: '🛩'.repeat(200) }],
    ['any real zone', 'pilot.updateProfile', { timeZone: 'Australia/Lord_Howe' }],
    ['one minute', 'pilot.setStatus', { minutes: 1 }],
    ['480 minutes', 'pilot.setStatus', { minutes: 480 }],
    ['no minutes for a state without', 'pilot.setStatus', { state: 'dnd', minutes: undefined }],
    ['a slot over midnight', 'availability.createTemplate', slotsWith({ endLocal: '02:00' })],
    ['a slot to midnight', 'availability.createTemplate', slotsWith({ endLocal: '00:00' })],
    ['a leap day', 'availability.window', { start: '2028-02-29' }],
    ['64 aircraft', 'admin.createMission', entryWith({ slotCount: 64 })],
    ['a name that looks like SQL', 'admin.createMission', { name: "'; drop table mission; --" }],
    [
      'an end before the start on the same date is the next day',
      'admin.createMission',
      {
        startLocal: `${hoursFromNow(200).slice(0, 10)}T19:00`,
        endLocal: `${hoursFromNow(200).slice(0, 10)}T02:00`,
      },
    ],
  ])('%s', async (_rule, procedure, change) => {
    for (const transport of TRANSPORTS) {
      const email = `edge-${transport}-${JSON.stringify(change).length}@example.org`;
      const reply = await askWith(transport, procedure, procedure === 'auth.register' ? { ...change, email } : change);
      expect([reply.status < 300, reply.message]).toEqual([true, null]);
    }
  });
});

test('fields that nobody asked for are ignored: a profile cannot give itself roles or another address', async () => {
  const change = {
    displayName: 'Iceman',
    roles: ['admin', 'user'],
    email: 'evil@example.org',
    passwordHash: 'x',
    isAdmin: true,
  };
  for (const transport of TRANSPORTS) {
    const reply = await askWith(transport, 'pilot.updateProfile', change);
    expect(reply.body).toMatchObject({ displayName: 'Iceman', roles: ['user'], email: world.self.email });
  }
  const again = await askWith('rest', 'admin.users', { query: world.self.email });
  expect(Object(again.body).users).toMatchObject([{ id: world.self.id, roles: ['user'], email: world.self.email }]);
  expect(await askWith('rest', 'auth.login', { password: PASSWORD })).toMatchObject({ status: 200 });
});

test('registration gives the role user, whatever it asks for', async () => {
  for (const transport of TRANSPORTS) {
    const email = `greedy-${transport}@example.org`;
    const reply = await askWith(transport, 'auth.register', { email, roles: ['admin'], id: world.self.id });
    expect(reply.body).toMatchObject({ email, roles: ['user'] });
    expect(Object(reply.body).id).not.toBe(world.self.id);
  }
});
