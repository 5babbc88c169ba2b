/** The example scripts, as somebody outside the repository runs them: with marshal-client and a token, against a real Marshal. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import papaparse from 'papaparse';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { writeQuickStart } from '#server/http/rest/docs/quick-start.ts';
import { query, sql } from '#server/schema/query.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { inbox, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { installSdk, runProgram, type Consumer, type Ended } from '#tests/harness/sdk.ts';
import { vipers } from '#tests/harness/seats.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const PATIENCE = { timeout: 120_000 } as const;
const FOLDER = join(ROOT, 'tests', 'examples');
const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);

let consumer: Consumer;
let service: Service;
let admin: Person;

beforeAll(async () => {
  [consumer, service] = await Promise.all([installSdk(), startService()]);
  symlinkSync(join(ROOT, 'node_modules', '@types'), join(consumer.dir, 'node_modules', '@types'), 'junction');
  for (const name of readdirSync(FOLDER)) copyFileSync(join(FOLDER, name), join(consumer.dir, name));
  admin = await givenAdmin(service);
}, PATIENCE.timeout);
afterAll(async () => {
  consumer.remove();
  await service.stop();
});

afterEach(() => retirePilots(service));

async function tokenOf({ client, id }: Person, scopes: readonly string[]): Promise<string> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { status, body } = await client.call('POST', `/users/${id}/tokens`, { name: 'Example', scopes, expiresAt });
  expect(status).toBe(201);
  return body.token;
}

async function run(
  program: string,
  args: readonly string[],
  person: Person,
  scopes: readonly string[],
): Promise<Ended> {
  const env = { MARSHAL_URL: service.url, MARSHAL_TOKEN: await tokenOf(person, scopes), POLL_SECONDS: '0.1' };
  const interpreter = program.endsWith('.py') ? String(PYTHON) : process.execPath;
  return runProgram(interpreter, [program, ...args], consumer.dir, env);
}

/** The date in this number of days. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A pilot with an order for the morning and one for the evening of a day. */
async function givenTwoOrders(day: number): Promise<Person> {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  const date = dayIn(day);
  for (const [name, from, to] of [
    ['Dawn', '08:00', '10:00'],
    ['Dusk', '19:00', '21:00'],
  ] as const) {
    await givenMission(service, admin, { name, startLocal: `${date}T${from}`, endLocal: `${date}T${to}` });
  }
  return pilot;
}

async function expectAnswered(pilot: Person, { code, output }: Ended): Promise<void> {
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/Dusk: accepted[^]*Dawn: declined|Dawn: declined[^]*Dusk: accepted/),
  ]);
  const orders = (await inbox(pilot, true)) as { missionName: string; rsvp: string }[];
  const found = orders.map(({ missionName, rsvp }) => `${missionName} ${rsvp}`);
  expect(found.toSorted()).toEqual(['Dawn declined', 'Dusk accepted']);
}

test('all of them type-check, and each is shorter than 30 lines', PATIENCE, async () => {
  const names = readdirSync(FOLDER);
  const sources = names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
  expect(sources.filter(([, text]) => text.split('\n').length >= 31).map(([name]) => name)).toEqual([]);
  const programs = sources.filter(([name]) => name.endsWith('.ts'));
  const checked = Object.fromEntries(programs.map(([name, text]) => [name.replace('.ts', ''), text]));
  expect(programs.length).toBeGreaterThan(3);
  expect(await consumer.check('7', checked, { types: ['node'] })).toEqual([]);
});

test('a week is saved from CSV, and a line that cannot be read saves nothing', PATIENCE, async () => {
  const pilot = await givenPerson(service, { timeZone: 'Europe/Berlin' });
  const csv = join(consumer.dir, 'week.csv');
  const week = async () => (await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`)).body;
  writeFileSync(csv, 'Friday,19:00,23:00,any\r\nSunday,14:00,24:00,F-16C Viper\r\n');
  const { code, output } = await run('save-week.ts', ['week.csv'], pilot, ['pilot']);
  expect([code, output]).toEqual([0, expect.stringContaining('2 slots in Europe/Berlin')]);
  const saved = await week();
  expect(saved).toMatchObject([
    {
      isActive: true,
      slots: [
        { weekday: 0, startLocal: '14:00', aircraftCodeId: 2 },
        { weekday: 5, startLocal: '19:00', endLocal: '23:00', aircraftCodeId: 0 },
      ],
    },
  ]);
  writeFileSync(csv, 'Caturday,19:00,23:00,any\n');
  const failed = await run('save-week.ts', ['week.csv'], pilot, ['pilot']);
  expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('Cannot read this line: Caturday')]);
  expect(await week()).toEqual(saved);
});

test("the API reference's quick start type-checks and lists the inbox", PATIENCE, async () => {
  const pilot = await givenTwoOrders(3);
  const { typescript } = writeQuickStart(service.url);
  expect(await consumer.check('7', { 'quick-start': typescript }, { types: ['node'] })).toEqual([]);
  const { code, output } = await run('quick-start.ts', [], pilot, ['read']);
  const lines = (await inbox(pilot)).map(
    ({ label, status, startUtc }: FragOrderDto) => `${label} ${status} ${startUtc}\n`,
  );
  expect([code, output, lines.length]).toEqual([0, lines.join(''), 2]);
});

test('an inbox is answered from TypeScript', PATIENCE, async () => {
  const pilot = await givenTwoOrders(5);
  await expectAnswered(pilot, await run('answer-inbox.ts', [], pilot, ['pilot']));
});

test.skipIf(PYTHON === undefined)('an inbox is answered from Python', PATIENCE, async () => {
  const pilot = await givenTwoOrders(7);
  await expectAnswered(pilot, await run('answer_inbox.py', [], pilot, ['pilot']));
});

test('a mission is created once, and the script waits until its seats are filled', PATIENCE, async () => {
  const pilots = [await givenPerson(service), await givenPerson(service)];
  for (const { id } of pilots) await givenAlwaysFree(service, id);
  const date = dayIn(9);
  const mission = {
    name: 'Op Example',
    theater: 'Syria',
    startLocal: `${date}T19:00`,
    endLocal: `${date}T21:00`,
    timeZone: 'UTC',
    aircraftSlots: vipers(2),
  };
  writeFileSync(join(consumer.dir, 'mission.json'), JSON.stringify(mission));
  const running = run('create-mission.ts', ['mission.json'], admin, ['admin']);
  for (const pilot of pilots) {
    await expect.poll(async () => (await inbox(pilot)).length, { timeout: 30_000 }).toBe(1);
    await respond(pilot, await orderOf(pilot), 'accepted');
  }
  const { code, output } = await running;
  expect([code, output]).toEqual([0, expect.stringContaining('2 of 2 seats accepted')]);
  expect((await run('create-mission.ts', ['mission.json'], admin, ['admin'])).output).toContain('2 of 2 seats');
  const { body } = await admin.client.call('GET', `/admin/missions/by-date?date=${date}`);
  expect(body.totalMissions).toBe(1);
});

test('the attendance of a month is written as CSV', PATIENCE, async () => {
  const pilot = await givenPerson(service, { displayName: '=Viper, "Two"' });
  await givenAlwaysFree(service, pilot.id);
  const { mission } = await givenMission(service, admin, {
    name: 'Op Flown',
    startLocal: `${dayIn(11)}T19:00`,
    endLocal: `${dayIn(11)}T21:00`,
  });
  await respond(pilot, await orderOf(pilot), 'accepted');
  await query(
    service.app.orm.em.fork(),
    sql`with begun as (update mission set starts_at = '2026-02-28T22:00Z', ends_at = '2026-02-28T23:00Z' where id = ${mission.id})
        update seat set starts_at = '2026-02-28T22:00Z', ends_at = '2026-02-28T23:00Z' where mission_id = ${mission.id}`,
  );
  const { code, output } = await run('attendance.ts', ['2026-02'], admin, ['admin']);
  expect(code).toBe(0);
  const { data } = papaparse.parse<Record<string, string>>(output, { header: true, skipEmptyLines: true });
  expect(data).toMatchObject([{ missionName: 'Op Flown', userId: pilot.id, startUtc: '2026-02-28T22:00:00.000Z' }]);
  expect((await run('attendance.ts', ['2026-03'], admin, ['admin'])).output.trim().split('\n')).toHaveLength(1);
});
