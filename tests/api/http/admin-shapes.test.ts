/**
 * Every response under /admin, /discord and /stats field by field, with its types and missing fields, and the defaults of
 * query parameters.
 */
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { profileForm } from '#shared/schemas/auth.ts';
import { query, sql } from '#server/schema/query.ts';
import {
  givenAdmin,
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  PASSWORD,
  type Person,
} from '#tests/harness/given.ts';
import { givenAnnouncement, givenGuild } from '#tests/harness/guilds.ts';
import { inbox, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { differences, nullableFields, SHAPES } from './answer-shapes.ts';
import { givenOwnAircraft, OWN_AIRCRAFT, OWN_AIRCRAFT_ID } from './aircraft-operations.ts';
import { givenInvite, INVITE_ID, SLOT_REQUEST } from './community-operations.ts';
import { DELIVERY_ID, givenWebhook, WEBHOOK_ID } from './webhook-operations.ts';

const GUILD_ID = '500600700800900100';
const UNKNOWN = '0192c0de-0000-7000-8000-000000000000';

let service: Service;
let admin: Person;
let pilot: Person;
let missionId: string;
/** of the mission, with the pilot on its first seat */
let flightId: string;
/** two that want the same pilot at the same time */
let draftIds: string[];
/** UTC date of a mission ahead, with an accepted seat */
const date = hoursFromNow(30).slice(0, 10);

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Kestrel', timeZone: 'Asia/Tokyo' });
  await givenAlwaysFree(service, pilot.id);
  await admin.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  const aircraftSlots = [
    { aircraftId: 2, slotCount: 5, side: 0, notes: 'CAP', additionalNotes: 'Two bags' },
    { aircraftId: 3, slotCount: 1, side: 1, notes: 'CAS' },
  ] as const;
  ({
    mission: { id: missionId },
  } = await givenMission(service, admin, { notes: 'Lights out', aircraftSlots: [...aircraftSlots] }));
  const over = await givenMission(service, admin, { startLocal: hoursFromNow(60), endLocal: hoursFromNow(62) });
  for (const order of await inbox(pilot)) await respond(pilot, order, 'Accepted');
  const held = (await admin.client.call('GET', `/admin/missions/by-date?date=${date}`)).body;
  flightId = held.missions[0].packages
    .flatMap(({ flights }: { flights: { id: string; assignments: unknown[] }[] }) => flights)
    .find(({ assignments }: { assignments: unknown[] }) => assignments.length > 0).id;
  draftIds = await Promise.all(
    [260, 261].map(async (hours) => {
      const times = { startLocal: hoursFromNow(hours), endLocal: hoursFromNow(hours + 3) };
      return (await givenMission(service, admin, { ...times, publish: false })).mission.id;
    }),
  );
  const em = service.app.orm.em.fork();
  // times with microseconds, which no answer shows
  for (const [table, key] of [
    ['mission', 'id'],
    ['seat', 'mission_id'],
  ] as const) {
    await query(
      em,
      sql`update ${sql.raw(table)} set starts_at = now() - interval '4 hours', ends_at = now() - interval '2 hours'
          where ${sql.raw(key)} = ${over.mission.id}`,
    );
  }
  await givenGuild(service, GUILD_ID, {
    name: 'Lantern Wing',
    memberCount: 12,
    byDefault: 'ops',
    channels: [{ name: 'ops', topic: 'Missions', can: ['send', 'embed'] }, { name: 'rules' }],
    roles: ['Pilots'],
    members: [{ name: 'kestrel', userId: pilot.id, isModerator: true }, { name: 'guest' }],
    events: [
      ['announcement_failed', 'ops', 'Missing permission: Embed Links'],
      ['member_joined', null, null],
    ],
  });
  await givenOwnAircraft(service);
  await givenWebhook(service);
  await givenInvite(service);
  await givenAnnouncement(service, GUILD_ID, { channelId: `${GUILD_ID}-ops`, state: 'sent', minutesAgo: 5 });
});
afterAll(() => service.stop());

/** A path with what exists only once the service runs. */
const addressOf = (path: string): string =>
  path
    .replace('{pilot}', pilot.id)
    .replace('{admin}', admin.id)
    .replace('{mission}', missionId)
    .replace('{flight}', flightId)
    .replace('{draft}', draftIds[0] ?? UNKNOWN)
    .replace('{unknown}', UNKNOWN)
    .replace('{guild}', GUILD_ID)
    .replace('{webhook}', WEBHOOK_ID)
    .replace('{delivery}', DELIVERY_ID)
    .replace('{invite}', INVITE_ID)
    .replace('{today}', new Date().toISOString().slice(0, 10))
    .replace('{yesterday}', hoursFromNow(-24).slice(0, 10))
    .replace('{month}', new Date(Date.parse(date) + 30 * 86_400_000).toISOString().slice(0, 10))
    .replaceAll('{date}', date);

/** Every field of the form, so that the answers below have what it stores. */
const PROFILE: Required<z.infer<typeof profileForm>> = { displayName: 'Kestrel', timeZone: 'Asia/Tokyo' };

const WEBHOOK = { url: 'https://marshal.receiver.invalid/hook', events: ['mission.published'] };

const missionIn = (hours: number) => () => ({
  name: 'Op Shape',
  theater: 'Kola',
  startLocal: hoursFromNow(hours),
  endLocal: hoursFromNow(hours + 2),
  timeZone: 'UTC',
  aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }],
});

/** To the time of another mission of the pilot, who then no longer fits. */
const missionMoved = () => ({ startLocal: hoursFromNow(201), endLocal: hoursFromNow(203), timeZone: 'UTC' });

type Call = [
  method: string,
  path: string,
  status: number,
  shape: keyof typeof SHAPES,
  body?: () => Record<string, unknown>,
];
const CALLS: readonly Call[] = [
  ['PUT', '/users/{pilot}', 200, 'comparedUser', () => PROFILE],
  ['PUT', '/users/{admin}', 200, 'comparedUser', () => ({ ...PROFILE, displayName: 'Ops' })],
  ['GET', '/users/{pilot}', 200, 'user'],
  ['GET', '/auth/me', 200, 'user'],
  ['GET', '/admin/dashboard/summary', 200, 'summary'],
  ['GET', '/admin/dashboard/weekly-summary', 200, 'week'],
  ['GET', '/admin/dashboard/series/expected-online?from={date}T00:00:00Z&to={date}T06:00:00Z', 200, 'online'],
  ['GET', '/admin/dashboard/heat', 200, 'heat'],
  ['GET', '/admin/dashboard/turnout', 200, 'turnout'],
  ['GET', '/admin/dashboard/needs', 200, 'needs'],
  ['POST', '/admin/missions/{mission}/nudge', 200, 'nudged', () => ({ about: 'unanswered' })],
  ['GET', '/admin/dashboard/fill-rate', 200, 'fillRate'],
  ['GET', '/admin/missions/recommended-time?date={date}', 200, 'times'],
  ['POST', '/admin/missions', 201, 'created', missionIn(200)],
  ['GET', '/admin/missions/by-date?date={date}', 200, 'byDate'],
  ['GET', '/admin/missions?from={date}&to={date}', 200, 'missions'],
  ['GET', '/admin/missions/{mission}', 200, 'mission'],
  ['POST', '/admin/missions/dry-run', 200, 'dryRun', missionIn(220)],
  ['GET', '/admin/missions/{draft}/rivals', 200, 'rivals'],
  ['POST', '/admin/missions/week-plan', 200, 'weekPlan', () => ({ missionIds: draftIds })],
  ['POST', '/admin/missions/publish-week', 200, 'publishedWeek', () => ({ missionIds: draftIds })],
  ['GET', '/admin/missions/{mission}/unseated', 200, 'unseated'],
  ['GET', '/admin/missions/{mission}/seats/{flight}/0/candidates', 200, 'candidates'],
  ['PUT', '/admin/missions/{mission}', 200, 'edited', () => ({ notes: 'Lights on' })],
  ['POST', '/admin/missions/{mission}/edit-preview', 200, 'editPreview', missionMoved],
  ['GET', '/admin/missions/{mission}/orders', 200, 'orders'],
  ['PUT', '/admin/missions/{mission}/seats/{flight}/0', 200, 'assigned', () => ({ userId: pilot.id, replace: true })],
  ['GET', '/admin/attendance?from={yesterday}&to={today}', 200, 'attendance'],
  ['GET', '/admin/users', 200, 'users'],
  ['GET', '/admin/users/{pilot}/roles', 200, 'roles'],
  ['POST', '/admin/users/{pilot}/roles', 200, 'roles', () => ({ role: 'admin' })],
  ['DELETE', '/admin/users/{pilot}/roles/admin', 200, 'roles'],
  ['GET', '/admin/users/{pilot}/availability-summary', 200, 'pilot'],
  ['GET', '/admin/users/{pilot}/availability', 200, 'schedule'],
  ['GET', '/admin/audit', 200, 'audit'],
  ['GET', '/admin/aircraft', 200, 'aircraftTypes'],
  ['POST', '/admin/aircraft', 201, 'aircraftType', () => ({ ...OWN_AIRCRAFT, code: 'La-5', name: 'La-5 FN' })],
  ['PUT', `/admin/aircraft/${OWN_AIRCRAFT_ID}`, 200, 'aircraftType', () => ({ ...OWN_AIRCRAFT, seats: 2 })],
  ['PUT', '/admin/aircraft/offered', 200, 'aircraftTypes', () => ({ ids: [OWN_AIRCRAFT_ID], active: false })],
  ['DELETE', `/admin/aircraft/${OWN_AIRCRAFT_ID}`, 200, 'success'],
  ['POST', '/admin/webhooks', 201, 'createdWebhook', () => WEBHOOK],
  ['GET', '/admin/webhooks', 200, 'webhooks'],
  ['PUT', '/admin/webhooks/{webhook}', 200, 'webhook', () => ({ ...WEBHOOK, enabled: true })],
  ['POST', '/admin/webhooks/{webhook}/rotate-secret', 200, 'rotatedSecret'],
  ['POST', '/admin/webhooks/{webhook}/deliveries/{delivery}/replay', 201, 'delivery'],
  ['POST', '/admin/webhooks/{webhook}/test', 201, 'delivery'],
  ['GET', '/admin/webhooks/{webhook}/deliveries', 200, 'deliveries'],
  ['DELETE', '/admin/webhooks/{webhook}', 200, 'success'],
  ['PUT', '/admin/community', 200, 'community', () => ({ name: 'Lantern Wing', registration: 'open' })],
  ['GET', '/admin/community', 200, 'community'],
  ['GET', '/admin/guided-start', 200, 'start'],
  ['POST', '/admin/guided-start/dismiss', 200, 'success'],
  ['POST', '/admin/invites', 201, 'invite', () => ({ name: 'Recruits' })],
  ['GET', '/admin/invites', 200, 'invites'],
  ['POST', '/admin/community-messages', 201, 'messages', () => ({ text: 'Fly-in on Saturday' })],
  ['GET', '/admin/community-messages', 200, 'messages'],
  ['POST', '/admin/invites/{invite}/revoke', 200, 'invite'],
  ['POST', '/slot-requests', 200, 'success', () => SLOT_REQUEST],
  ['GET', '/admin/slot-requests', 200, 'requests'],
  ['GET', '/auth/registration?invite=nothing', 200, 'registration'],
  ['GET', '/discord/bot', 200, 'bot'],
  ['GET', '/discord/guilds', 200, 'guilds'],
  ['GET', '/discord/guilds/{guild}', 200, 'guild'],
  ['POST', '/discord/guilds/{guild}/accept', 200, 'guild'],
  [
    'PUT',
    '/discord/guilds/{guild}/missions',
    200,
    'guild',
    () => ({ channelId: `${GUILD_ID}-ops`, roleId: null, hasEvents: true }),
  ],
  ['POST', '/discord/guilds/{guild}/registration', 200, 'resent', () => ({})],
  ['GET', '/stats', 200, 'stats'],
  ['DELETE', '/admin/missions/{mission}/seats/{flight}/0', 200, 'success'],
  ['POST', '/admin/missions/{mission}/cancel', 200, 'cancelled'],
  ['POST', '/admin/users/{pilot}/reset-password', 200, 'success', () => ({ newPassword: PASSWORD })],
];

/** Answers about one account or several. */
const OF_USERS = new Set<keyof typeof SHAPES>(['user', 'comparedUser', 'users', 'pilot', 'schedule']);
/** Fields of theirs that are null here, and where they have a value. */
const NULL_HERE = {
  approval: 'of an account that waits: tests/api/accounts/admin-invites.test.ts',
  ban: 'of a banned account: tests/api/accounts/bans.test.ts',
  leave: 'of a pilot who is away: tests/api/availability/leave.test.ts',
  notes: 'of weekly times: tests/api/board/pilot-summary.test.ts',
  reliability: 'of a pilot who has flown: tests/api/accounts/pilots/fairness.test.ts',
};

describe('an answer', () => {
  const hasValue = new Map<string, boolean>();

  test.each(CALLS)('%s %s', async (method, path, status, shape, body) => {
    const answer = await admin.client.call(method, addressOf(path), body?.());
    expect([answer.status, answer.body?.message]).toEqual([status, undefined]);
    expect(differences(SHAPES[shape], answer.body)).toEqual([]);
    if (!OF_USERS.has(shape)) return;
    for (const [field, isFilled] of nullableFields(SHAPES[shape], answer.body, shape))
      hasValue.set(field, isFilled || hasValue.get(field) === true);
  });

  test('about an account has a value somewhere in every field that may be null', () => {
    const never = [...hasValue].filter(([field, isFilled]) => !isFilled && !(field.replace(/.*\./, '') in NULL_HERE));
    expect(hasValue.size).toBeGreaterThan(Object.keys(NULL_HERE).length);
    expect(never).toEqual([]);
  });

  test('missing, unknown and wrong fields are found', () => {
    expect(differences({ a: 'number', b: ['text'], c: 'instant' }, { b: [], c: '2026-01-01T00:00:00', d: 1 })).toEqual([
      '.a is missing',
      ".d is nobody's",
      '.b is empty',
      '.c is no instant: "2026-01-01T00:00:00"',
    ]);
  });
});

describe('defaults of a query', () => {
  test.each<[path: string, meant: string]>([
    ['/dashboard/summary', '/dashboard/summary?day={today}&tz=UTC'],
    ['/dashboard/weekly-summary', '/dashboard/weekly-summary?startDate={today}&tz=UTC'],
    [
      '/dashboard/series/expected-online?from={date}T00:00:00Z&to={date}T06:00:00Z',
      '/dashboard/series/expected-online?from={date}T00:00:00Z&to={date}T06:00:00Z&bucket=30',
    ],
    ['/missions/recommended-time?date={date}', '/missions/recommended-time?date={date}&tz=UTC&minDuration=60&limit=3'],
    ['/missions/by-date?date={date}', '/missions/by-date?date={date}&tz=UTC'],
    ['/missions?from={date}', '/missions?from={date}&to={month}&tz=UTC'],
    ['/users', '/users?page=1&pageSize=50'],
    ['/users/{pilot}/availability-summary', '/users/{pilot}/availability-summary?upcomingDays=14&tz=UTC'],
  ])('%s', async (path, meant) => {
    const [short, long] = await Promise.all(
      [path, meant].map((one) => admin.client.call('GET', addressOf(`/admin${one}`))),
    );
    expect(short?.status).toBe(200);
    expect(short?.body).toEqual(long?.body);
  });

  test('pages of users hold 50, of 100 at most; a role can be asked for several times', async () => {
    const read = async (search: string) => (await admin.client.call('GET', `/admin/users${search}`)).body;
    expect(await read('')).toMatchObject({ page: 1, pageSize: 50 });
    expect((await read('?pageSize=101')).message).toBe('The page size must be a whole number from 1 to 100');
    const totals = await Promise.all(
      ['?role=admin', '?role=user', '?role=admin&role=user'].map(async (search) => (await read(search)).total),
    );
    expect(totals).toEqual([1, 2, 2]);
  });

  test('retired aircraft are listed on request only', async () => {
    await query(service.app.orm.em.fork(), sql`update aircraft set active = false where id = 4`);
    const ids = async (search: string): Promise<number[]> =>
      (await admin.client.call('GET', `/aircraft${search}`)).body.map(({ id }: { id: number }) => id);
    const [usual, active, all] = [await ids(''), await ids('?activeOnly=true'), await ids('?activeOnly=false')];
    expect(usual).toEqual(active);
    expect([usual.includes(4), all.includes(4)]).toEqual([false, true]);
  });
});

describe('a refusal says why in one sentence', () => {
  test.each<[status: number, sentence: string, method: string, path: string, body?: Record<string, unknown>]>([
    [404, 'User not found', 'GET', '/admin/users/{unknown}/roles'],
    [404, 'User not found', 'POST', '/admin/users/{unknown}/roles', { role: 'admin' }],
    [404, 'User not found', 'DELETE', '/admin/users/{unknown}/roles/admin'],
    [404, 'User not found', 'POST', '/admin/users/{unknown}/reset-password', { newPassword: PASSWORD }],
    [404, 'User not found', 'GET', '/admin/users/{unknown}/availability-summary'],
    [404, 'User not found', 'GET', '/admin/users/{unknown}/availability'],
    [404, 'Mission not found', 'GET', '/admin/missions/{unknown}'],
    [404, 'Mission not found', 'GET', '/admin/missions/{unknown}/orders'],
    [404, 'Mission not found', 'GET', '/admin/missions/{unknown}/rivals'],
    [404, 'Mission not found', 'GET', '/admin/missions/{unknown}/unseated'],
    [404, 'Mission not found', 'POST', '/admin/missions/week-plan', { missionIds: [UNKNOWN] }],
    [404, 'Mission not found', 'POST', '/admin/missions/publish-week', { missionIds: [UNKNOWN] }],
    [400, 'Choose at least one draft', 'POST', '/admin/missions/week-plan', { missionIds: [] }],
    [400, 'Choose at least one draft', 'POST', '/admin/missions/publish-week', { missionIds: [] }],
    [404, 'Guild not found', 'GET', '/discord/guilds/1'],
    [404, 'Guild not found', 'POST', '/discord/guilds/1/registration', {}],
    [404, 'Guild not found', 'POST', '/discord/guilds/1/accept'],
    [404, 'Guild not found', 'POST', '/discord/guilds/1/leave'],
    [409, 'You cannot remove your own admin role', 'DELETE', '/admin/users/{admin}/roles/admin'],
    [400, 'Please enter a date as YYYY-MM-DD', 'GET', '/admin/missions/by-date'],
    [400, 'Please select a timezone', 'GET', '/admin/missions/by-date?date={date}&tz=Moon'],
    [400, 'The role must be admin or user', 'POST', '/admin/users/{pilot}/roles', { role: 'pilot' }],
    [400, 'The role must be admin or user', 'GET', '/admin/users?role=pilot'],
    [400, 'The page must be a whole number from 1', 'GET', '/admin/users?page=0'],
    [
      400,
      'Password must be at least 8 characters',
      'POST',
      '/admin/users/{pilot}/reset-password',
      { newPassword: 'seven77' },
    ],
    [
      400,
      'The number of days must be a whole number from 1 to 31',
      'GET',
      '/admin/users/{pilot}/availability-summary?upcomingDays=32',
    ],
    [
      400,
      'Please fill in all required fields and add at least one aircraft slot',
      'POST',
      '/admin/missions',
      { name: 'Op', theater: 'Kola', startLocal: '2099-01-01T19:00', endLocal: '2099-01-01T22:00' },
    ],
  ])('%i %s: %s %s', async (status, sentence, method, path, body) => {
    const answer = await admin.client.call(method, addressOf(path), body);
    expect([answer.status, answer.body.message]).toEqual([status, sentence]);
    expect(Object.keys(answer.body).filter((key) => !['code', 'message', 'issues'].includes(key))).toEqual([]);
  });
});
