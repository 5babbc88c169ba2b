/** A mission's thread: who reads and writes what, edits, removals, limits, pages, and what is left of an erased pilot. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { readOwnData } from '#server/accounts/own-data.ts';
import { query, sql } from '#server/schema/query.ts';
import { OWNED_MAX, THREAD } from '#shared/limits.ts';
import type { MissionThreadDto } from '#shared/schemas/mission-thread.ts';
import { givenAdmin, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { editMission, flightsOf, loadMission } from '#tests/harness/mission-edits.ts';
import { givenMissionIn } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { givenTwoSides, KINDS, type ViewerKind } from '#tests/harness/side-rule.ts';
import { openStream } from '#tests/harness/stream.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);
const read = async ({ client }: Person, missionId: string, search = ''): Promise<MissionThreadDto> =>
  (await client.call('GET', `/missions/${missionId}/thread${search}`)).body;
const textsOf = ({ entries }: MissionThreadDto) => entries.map(({ text }) => text);
const write = ({ client }: Person, missionId: string, text: string, side?: 0 | 1 | null, key?: string) =>
  client.call('POST', `/missions/${missionId}/thread`, { text, side }, key ? { 'idempotency-key': key } : {});
const at = (missionId: string, { id }: { id: string }) => `/missions/${missionId}/thread/${id}`;

test('with secret sides a comment stays with its side, also after they have stopped being secret', async () => {
  const { missionId, people } = await givenTwoSides(service, admin, 'secret');
  for (const [text, side] of [
    ['to all', null],
    ['to blue', 0],
    ['to red', 1],
  ] as const) {
    expect(await write(admin, missionId, text, side)).toMatchObject({ status: 201, body: { side, author: 'Ops' } });
  }
  expect(await write(people.blue, missionId, 'blue speaks')).toMatchObject({ status: 201, body: { side: 0 } });
  expect(await write(people.red, missionId, 'red speaks')).toMatchObject({ status: 201, body: { side: 1 } });
  expect(await write(people.red, missionId, 'to the others', 0)).toMatchObject({
    status: 400,
    body: { message: 'Your comment can only go to the side that you fly for.' },
  });
  await editMission(admin, missionId, {
    name: 'Op Renamed',
    flights: flightsOf(await loadMission(admin, missionId)).map(({ id }) => ({ id, notes: 'Swordfish' })),
  });

  const renamed = 'Name: “Op Two Sides” to “Op Renamed”';
  const ofBlue = ['to all', 'to blue', 'blue speaks', renamed];
  const ofRed = ['to all', 'to red', 'red speaks', renamed];
  const expected: Record<ViewerKind, string[]> = {
    blue: ofBlue,
    turncoat: ofBlue,
    red: ofRed,
    standby: [],
    quitter: [],
    visitor: [],
  };
  for (const kind of KINDS) {
    const thread = await read(people[kind], missionId);
    expect(textsOf(thread), kind).toEqual(expected[kind]);
    const audiences = { blue: [0], turncoat: [0], red: [1], standby: [], quitter: [], visitor: [] }[kind];
    expect(thread, kind).toMatchObject({ audiences, isSecret: true });
    const { status } = await write(people[kind], missionId, 'no', kind === 'red' ? 0 : 1);
    expect(status, kind).toBe(audiences.length === 0 ? 403 : 400);
  }
  const whole = await read(admin, missionId);
  expect(whole.audiences).toEqual([null, 0, 1]);
  expect(textsOf(whole)).toEqual(expect.arrayContaining(['to all', 'to blue', 'to red', 'blue speaks', 'red speaks']));
  expect(textsOf(whole).join()).toMatch(/radio: .*Op Renamed/s);
  expect(textsOf(whole).join()).not.toContain('Swordfish');

  // ids that a pilot may not see are not found, by any call
  const hidden = whole.entries.find(({ text }) => text === 'red speaks');
  if (!hidden) throw new Error('the comment is missing');
  for (const [method, body] of [
    ['PUT', { text: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await people.blue.client.call(method, at(missionId, hidden), body);
    expect(answer).toMatchObject({ status: 404, body: { code: 'COMMENT_NOT_FOUND' } });
  }

  await editMission(admin, missionId, { secretSides: false });
  expect(textsOf(await read(people.blue, missionId))).toEqual(ofBlue);
  expect(textsOf(await read(people.visitor, missionId))).toEqual(['to all', renamed]);
});

test('without secret sides everybody reads and writes, until they become secret', async () => {
  const { missionId, people } = await givenTwoSides(service, admin, 'open');
  const page = await openStream(service, people.visitor.client.cookie());
  for (const kind of KINDS) {
    expect(await write(people[kind], missionId, `from ${kind}`)).toMatchObject({ status: 201, body: { side: null } });
  }
  await page.next('thread');
  page.close();
  expect(page.text()).not.toContain('from');
  const all = KINDS.map((kind) => `from ${kind}`);
  for (const kind of KINDS)
    expect(textsOf(await read(people[kind], missionId)), kind).toEqual(expect.arrayContaining(all));
  expect((await write(people.blue, missionId, 'to red', 1)).status).toBe(400);

  await editMission(admin, missionId, { secretSides: true });
  expect(await read(people.visitor, missionId)).toMatchObject({ entries: [], audiences: [] });
  expect(textsOf(await read(people.blue, missionId))).toEqual(all);
});

test('drafts have no thread, practice is its owner’s and admins’, and a suspended pilot has none', async () => {
  const pilot = await givenPerson(service);
  const { mission: draft } = await givenMission(service, admin, { publish: false });
  for (const person of [admin, pilot]) {
    expect((await write(person, draft.id, 'Early')).status).toBe(404);
    expect((await person.client.call('GET', `/missions/${draft.id}/thread`)).status).toBe(404);
  }
  const { mission } = await givenMission(service, admin);
  await rows(sql`update app_user set roles = '{}' where id = ${pilot.id}`);
  expect((await write(pilot, mission.id, 'Let me in')).status).toBe(403);
  expect((await pilot.client.call('GET', `/missions/${mission.id}/thread`)).status).toBe(403);
});

test('a comment is edited and deleted by its author, and removed by an admin for all to see', async () => {
  const [author, other] = [await givenPerson(service, { displayName: 'Viper' }), await givenPerson(service)];
  const { mission } = await givenMissionIn(service, admin, 60);
  const [first, second] = [
    (await write(author, mission.id, 'Tanker **north**')).body,
    (await write(author, mission.id, 'Rude')).body,
  ];
  expect((await author.client.call('PUT', at(mission.id, first), { text: 'Tanker south' })).body).toMatchObject({
    text: 'Tanker south',
    isOwn: true,
    editedAt: expect.any(String),
  });
  for (const [person, method, body, status] of [
    [other, 'PUT', { text: 'Hijacked' }, 404],
    [other, 'DELETE', undefined, 403],
    [admin, 'PUT', { text: 'Hijacked' }, 404],
    [author, 'PUT', { text: ' ' }, 400],
    [author, 'PUT', { text: 'x'.repeat(THREAD.commentLength + 1) }, 400],
    [admin, 'DELETE', undefined, 200],
    [admin, 'DELETE', undefined, 200],
    [author, 'PUT', { text: 'Rude again' }, 404],
  ] as const) {
    const answer = await person.client.call(method, at(mission.id, second), body);
    expect(answer.status, `${method} ${JSON.stringify(body)}`).toBe(status);
  }
  const seen = await read(other, mission.id);
  expect(seen.entries).toMatchObject([
    { author: 'Viper', text: 'Tanker south', isOwn: false },
    { author: 'Viper', text: null, isOwn: false },
  ]);
  expect(await rows(sql`select text from mission_comment where text like '%Rude%'`)).toEqual([]);
  const audit = await admin.client.call('GET', `/admin/audit?subjectId=${mission.id}&action=comment_removed`);
  expect(audit.body.entries).toMatchObject([{ summary: 'Removed a comment of Viper', actor: { id: admin.id } }]);

  for (const { id } of [first, second]) {
    expect((await author.client.call('DELETE', at(mission.id, { id }))).status).toBe(200);
    expect((await author.client.call('DELETE', at(mission.id, { id }))).status).toBe(404);
  }
  expect((await read(other, mission.id)).entries).toEqual([]);
});

test('a thread comes in pages, a key writes once, and limits hold', async () => {
  const pilot = await givenPerson(service);
  const { mission } = await givenMissionIn(service, admin, 70);
  const [once, again] = await Promise.all([1, 2].map(() => write(pilot, mission.id, 'One', undefined, 'a-key')));
  expect(again?.body).toEqual(once?.body);
  await editMission(admin, mission.id, { name: 'Op Two' });
  for (const text of ['Three', 'Four', 'Five']) await write(pilot, mission.id, text);
  const pages: (string | null)[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(pilot, mission.id, `?pageSize=2${cursor ? `&cursor=${cursor}` : ''}`);
    pages.push(textsOf(page));
    cursor = page.earlier;
  }
  expect(pages).toEqual([['Four', 'Five'], ['Name: “Op Iron Hound” to “Op Two”', 'Three'], ['One']]);

  await rows(
    sql`insert into attempt (bucket, minute, count)
        select ${`comment:${pilot.id}`}, date_trunc('minute', now()) + n * interval '1 minute', ${THREAD.perMinute}
        from generate_series(0, 1) as n
        on conflict (bucket, minute) do update set count = excluded.count`,
  );
  expect(await write(pilot, mission.id, 'Flood')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  const full = await givenPerson(service);
  await rows(
    sql`insert into mission_comment (id, mission_id, author_id, text, created_at)
        select gen_random_uuid(), ${mission.id}, ${full.id}, 'Old', now() from generate_series(1, ${sql.lit(OWNED_MAX.comments)})`,
  );
  expect(await write(full, mission.id, 'One more')).toMatchObject({ status: 409, body: { code: 'LIMIT_REACHED' } });
});

test('a pilot downloads their comments, and nothing of them is left after the account is erased', async () => {
  const [pilot, other] = [await givenPerson(service), await givenPerson(service)];
  const url = 'https://marshal.receiver.invalid/thread';
  await admin.client.call('POST', '/admin/webhooks', { url, events: ['mission.comment'] });
  const { mission } = await givenMissionIn(service, admin, 80, { name: 'Op Ledger' });
  await write(pilot, mission.id, 'My own words');
  await write(other, mission.id, 'Other words');
  const data = await readOwnData(service.app.orm.em.fork(), pilot.id);
  expect(data.missions.comments).toMatchObject([{ mission: { name: 'Op Ledger' }, text: 'My own words' }]);
  await rows(
    sql`update app_user set deletion_due_at = now(), roles_before_deletion = roles, roles = '{}' where id = ${pilot.id}`,
  );
  await eraseDueAccounts(service.app.orm.em.fork(), new Date(Date.now() + 60_000));
  expect(textsOf(await read(other, mission.id))).toEqual(['Other words']);
  const told = await rows<{ text: string }>(
    sql`select data -> 'comment' ->> 'text' as text from webhook_event where type = 'mission.comment'`,
  );
  expect(told).toEqual([{ text: 'Other words' }]);
});
