/** The active week as one call, and templates that go. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { listJobs } from '#tests/harness/cast.ts';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { openStream } from '#tests/harness/stream.ts';

let service: Service;
let pilot: Person;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  pilot = await givenPerson(service);
});

const slot = (weekday: number, startLocal: string, endLocal: string) => ({
  weekday,
  startLocal,
  endLocal,
  aircraftCodeId: 0,
  notes: null,
});
const call = (method: string, path: string, body?: unknown, { id, client } = pilot) =>
  client.call(method, `/users/${id}/availability/${path}`, body);
const templates = async () => (await call('GET', 'templates')).body;
const putWeek = (...slots: object[]) => call('PUT', 'week', { slots });

describe('the active week', () => {
  test('is created if there is none', async () => {
    const { status, body } = await putWeek(slot(1, '18:00', '22:00'));
    expect([status, body]).toMatchObject([
      200,
      { name: 'Default Weekly Availability', isActive: true, slots: [slot(1, '18:00', '22:00')] },
    ]);
    expect(await templates()).toEqual([body]);
  });

  test('is replaced whole, under its name; other templates stay as they are', async () => {
    const other = (await call('POST', 'templates', { name: 'Holidays', slots: [slot(0, '10:00', '12:00')] })).body;
    const { id } = (await call('POST', 'templates', { name: 'Season', slots: [slot(1, '18:00', '22:00')] })).body;
    const { body } = await putWeek(slot(5, '20:00', '23:00'), slot(6, '09:00', '11:00'));
    expect(body).toEqual({
      id,
      name: 'Season',
      isActive: true,
      slots: [slot(5, '20:00', '23:00'), slot(6, '09:00', '11:00')],
      version: expect.any(String),
    });
    expect(await templates()).toEqual([body, { ...other, isActive: false, version: expect.any(String) }]);
  });

  test('can be empty, and merges overlapping slots as the templates do', async () => {
    expect((await putWeek(slot(2, '18:00', '20:00'), slot(2, '19:00', '22:00'))).body.slots).toEqual([
      slot(2, '18:00', '22:00'),
    ]);
    expect((await putWeek()).body.slots).toEqual([]);
    expect(await templates()).toHaveLength(1);
  });

  test('of two calls at once is one week', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((weekday) => putWeek(slot(weekday, '18:00', '22:00'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const stored = await templates();
    expect(stored).toHaveLength(1);
    expect(answers.map(({ body }) => body)).toContainEqual(stored[0]);
  });

  test('of a pilot with 20 templates and none active is refused', async () => {
    await query(
      service.app.orm.em.fork(),
      sql`insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
          select gen_random_uuid(), ${pilot.id}, 'Old', false, now(), now() from generate_series(1, 20)`,
    );
    expect((await putWeek(slot(1, '18:00', '22:00'))).body).toMatchObject({ code: 'LIMIT_REACHED' });
    expect((await templates()).some(({ isActive }: { isActive: boolean }) => isActive)).toBe(false);
  });

  test('needs all slots to be valid', async () => {
    await putWeek(slot(1, '18:00', '22:00'));
    const before = await templates();
    const { status, body } = await putWeek(slot(1, '18:00', '22:00'), slot(7, '18:00', '22:00'));
    expect([status, body.issues]).toMatchObject([400, [{ path: 'slots.1.weekday' }]]);
    expect(await templates()).toEqual(before);
  });
});

describe('a save that names the version it saw', () => {
  const MONDAY = slot(1, '18:00', '22:00');
  const FRIDAY = slot(5, '20:00', '23:00');
  const SUNDAY = slot(0, '10:00', '12:00');
  /** A way to save the slots of a week; `seen` is the week as it was read, null for none. */
  type Save = (slots: object[], seen: { id: string; version: string } | null) => ReturnType<typeof call>;
  const WAYS: [string, Save][] = [
    ['as the week', (slots, seen) => call('PUT', 'week', { slots, version: seen === null ? null : seen.version })],
    [
      'as its template',
      (slots, seen) =>
        seen === null
          ? call('POST', 'templates', { slots, version: null })
          : call('PUT', `templates/${seen.id}`, { slots, version: seen.version }),
    ],
  ];

  test.each(WAYS)('%s is refused with both states once another has been stored', async (_way, save) => {
    const { body: seen } = await putWeek(MONDAY);
    const first = await save([FRIDAY], seen);
    expect([first.status, first.body.slots]).toEqual([200, [FRIDAY]]);
    expect(first.body.version).not.toBe(seen.version);
    const second = await save([SUNDAY], seen);
    expect([second.status, second.body.code, second.body.states]).toEqual([
      409,
      'CHANGED',
      { yours: [SUNDAY], theirs: first.body },
    ]);
    expect(await templates()).toEqual([first.body]);
    // a decision for the own one names the version that was answered
    expect(await save([SUNDAY], second.body.states.theirs)).toMatchObject({ status: 200, body: { slots: [SUNDAY] } });
  });

  test.each(WAYS)('%s is refused when there was no week to see', async (_way, save) => {
    const first = await save([MONDAY], null);
    expect(first.body.slots).toEqual([MONDAY]);
    const second = await save([FRIDAY], null);
    expect([second.status, second.body.states]).toEqual([409, { yours: [FRIDAY], theirs: first.body }]);
    expect(await templates()).toEqual([first.body]);
  });

  test.each(WAYS)('%s can be repeated when its answer was lost', async (_way, save) => {
    const { body: seen } = await putWeek(MONDAY);
    await save([FRIDAY], seen);
    expect(await save([FRIDAY], seen)).toMatchObject({ status: 200, body: { slots: [FRIDAY] } });
    expect(await templates()).toHaveLength(1);
  });

  test('is refused when another template has become the week, whose slots the refusal has', async () => {
    const { body: seen } = await putWeek(MONDAY);
    const { body: other } = await call('POST', 'templates', { name: 'Holidays', slots: [SUNDAY] });
    const { status, body } = await call('PUT', `templates/${seen.id}`, { slots: [FRIDAY], version: seen.version });
    expect([status, body.states]).toEqual([409, { yours: [FRIDAY], theirs: other }]);
  });

  test('wins alone of many at once', async () => {
    const { body: seen } = await putWeek(MONDAY);
    const answers = await Promise.all(
      [0, 2, 3, 4, 5, 6].map((day) =>
        call('PUT', 'week', { slots: [slot(day, '09:00', '11:00')], version: seen.version }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await templates()).toEqual([answers.find(({ status }) => status === 200)?.body]);
  });

  test('is not needed: without a version the week is replaced as before', async () => {
    const { body: seen } = await putWeek(MONDAY);
    await putWeek(FRIDAY);
    const { id, name, isActive } = seen;
    expect((await call('PUT', `templates/${id}`, { name, isActive, slots: [SUNDAY] })).body.slots).toEqual([SUNDAY]);
  });
});

describe('a template', () => {
  test('is removed; without an active one the pilot is not available', async () => {
    await call('POST', 'templates', { name: 'Rest', isActive: false, slots: [] });
    const { id } = (await putWeek(...[0, 1, 2, 3, 4, 5, 6].map((day) => slot(day, '18:00', '22:00')))).body;
    const slotsAhead = async () =>
      (await call('GET', 'window?days=7')).body.days.flatMap(({ slots }: { slots: unknown[] }) => slots);
    expect(await slotsAhead()).not.toEqual([]);
    expect(await call('DELETE', `templates/${id}`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await slotsAhead()).toEqual([]);
    expect((await templates()).map(({ name }: { name: string }) => name)).toEqual(['Rest']);
  });

  test('that is gone, or of another pilot, is not found', async () => {
    const { id } = (await putWeek(slot(1, '18:00', '22:00'))).body;
    const stranger = await givenPerson(service);
    const notFound = { status: 404, body: { code: 'TEMPLATE_NOT_FOUND', message: 'Availability template not found' } };
    expect(await call('DELETE', `templates/${id}`, undefined, stranger)).toMatchObject(notFound);
    expect((await call('DELETE', `templates/${id}`)).status).toBe(200);
    expect(await call('DELETE', `templates/${id}`)).toMatchObject(notFound);
  });
});

describe.each([
  ['saving the week', () => putWeek(slot(1, '18:00', '22:00'))],
  ['removing a template', async () => call('DELETE', `templates/${(await templates())[0].id}`)],
])('%s', (_name, change) => {
  test('signals open pages and looks for seats', async () => {
    await putWeek(slot(3, '18:00', '22:00'));
    await query(service.app.orm.em.fork(), sql`delete from graphile_worker._private_jobs`);
    const stream = await openStream(service, pilot.client.cookie());
    // comes once the process listens to signals
    await stream.next('all');
    expect((await change()).status).toBe(200);
    await stream.next('availability');
    stream.close();
    expect(await listJobs(service, `backfill_pilot:${pilot.id}`)).toHaveLength(1);
  });
});
