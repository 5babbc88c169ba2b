/** Inputs that break the specification's validation rules, each with its sentence and the field that it names. */
import type { RefusalCode } from '#shared/refusals.ts';
import { hoursFromNow } from '#tests/harness/given.ts';

export type Fields = Record<string, unknown>;

const slot = { weekday: 1, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null };
const entry = { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' };
export const slotsWith = (change: Fields) => ({ slots: [{ ...slot, ...change }] });
export const entryWith = (change: Fields) => ({ aircraftSlots: [{ ...entry, ...change }] });
export const passwords = (text: string) => ({ password: text, confirmPassword: text });

const EMAIL = 'Invalid email address';
const CALL_SIGN = 'Call sign is required';
const ZONE = 'Please select a timezone';
const TOO_SHORT = 'Password must be at least 8 characters';
const UNREADABLE = 'This text contains characters that cannot be stored';
const AIRCRAFT =
  'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).';
const TOKEN_NAME = 'Please name the token, for example after the script that will use it';
const TOKEN_SCOPES = 'Please choose at least one scope';
const INSTANT = 'Please enter a time as YYYY-MM-DDTHH:mm:ssZ';
const MINUTES = 'Minutes must be a whole number from 1 to 480';
const REQUIRED = 'Please fill in all required fields and add at least one aircraft slot';
const COUNT = 'The slot count must be a whole number from 1 to 64';
const DATE_TIME = 'Please enter a date and time as YYYY-MM-DDTHH:mm';

export const REFUSED: readonly [
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

  [
    'a switch is on or off',
    'discord.setMissions',
    { hasEvents: undefined },
    'The value must be true or false',
    'hasEvents',
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
  ['an access token has a name', 'auth.tokens.create', { name: ' ' }, TOKEN_NAME, 'name'],
  ['a missing name is none', 'auth.tokens.create', { name: undefined }, TOKEN_NAME, 'name'],
  [
    'a name has at most 100 characters',
    'auth.tokens.create',
    { name: 'x'.repeat(101) },
    'This text is too long',
    'name',
  ],
  ['an access token has a scope', 'auth.tokens.create', { scopes: [] }, TOKEN_SCOPES, 'scopes'],
  ['scopes are required', 'auth.tokens.create', { scopes: undefined }, TOKEN_SCOPES, 'scopes'],
  ['scopes are known', 'auth.tokens.create', { scopes: ['read', 'owner'] }, TOKEN_SCOPES, 'scopes.1'],
  ['an access token expires', 'auth.tokens.create', { expiresAt: undefined }, INSTANT, 'expiresAt'],
  ['an expiry is an instant', 'auth.tokens.create', { expiresAt: '2026-12-24' }, INSTANT, 'expiresAt'],

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
    'slots.0.aircraftCodeId',
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
    slotsWith({ endLocal: '24:01' }),
    'Please enter a time as HH:mm',
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
    'Please enter a date as YYYY-MM-DD',
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
    'aircraftSlots.0.aircraftId',
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
  ['an aircraft type needs a name', 'admin.aircraft.create', { name: ' ' }, 'Name is required', 'name'],
  ['an aircraft type needs a code', 'admin.aircraft.update', { code: '' }, 'Code is required', 'code'],
  [
    'an aircraft has at most 20 seats',
    'admin.aircraft.create',
    { seats: 21 },
    'Seats must be a whole number from 1 to 20',
    'seats',
  ],
  ['an aircraft type has a role', 'admin.aircraft.create', { roles: [] }, 'Please choose at least one role', 'roles'],
  [
    'a role is in the list',
    'admin.aircraft.create',
    { roles: ['Dogfight'] },
    'Please choose roles from the list',
    'roles.0',
  ],
  [
    'at least one type is switched',
    'admin.aircraft.offer',
    { ids: [] },
    'Please choose at least one aircraft type',
    'ids',
  ],
  [
    'a webhook needs an address',
    'admin.webhooks.create',
    { url: '' },
    'Please enter the address of the receiver',
    'url',
  ],
  [
    'a webhook is sent over https',
    'admin.webhooks.create',
    { url: 'http://receiver.example/hook' },
    'The address must begin with https://',
    'url',
  ],
  [
    'a webhook is not sent to private networks',
    'admin.webhooks.update',
    { url: 'https://192.168.0.1/hook' },
    'The address must be public: Marshal sends nothing to private, local or reserved networks',
    'url',
  ],
  [
    'a webhook wants at least one event',
    'admin.webhooks.create',
    { events: [] },
    'Please choose at least one event',
    'events',
  ],
  [
    'a webhook wants known events',
    'admin.webhooks.create',
    { events: ['mission.started'] },
    'Please choose events from the list',
    'events.0',
  ],
  [
    'an answer is one of three',
    'pilot.rsvp',
    { response: 'maybe' },
    'The response must be Accepted, Standby or Declined',
    'response',
  ],
];
