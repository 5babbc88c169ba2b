/** Import of pilots from a spreadsheet: preview, import, repetition, and changes in between. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from 'pg';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import type { ImportPreviewDto, PreviewRowDto } from '#shared/schemas/spreadsheet.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

const idOf = async (name: string) =>
  (await rows<{ id: string }>(sql`select id from app_user where display_name = ${name}`))[0]?.id;

async function preview(text: string): Promise<ImportPreviewDto> {
  const { status, body } = await admin.client.call('POST', '/admin/users/import/preview', { text });
  expect(status).toBe(200);
  return body;
}

const toImport = (previewed: readonly PreviewRowDto[]) =>
  previewed
    .filter(({ state }) => state === 'create' || state === 'update')
    .map(({ row, cells, digest }) => ({ row, cells, digest }));

const send = (importId: string, previewed: readonly PreviewRowDto[], by = admin) =>
  by.client.call('POST', '/admin/users/import', { importId, rows: toImport(previewed) });

/** Preview and import, in one call. */
async function importFile(text: string) {
  const importId = newId();
  const { status, body } = await send(importId, (await preview(text)).rows);
  expect(status).toBe(200);
  return { importId, ...body };
}

const exported = async (search: string) => (await admin.client.call('GET', `/admin/users/export?query=${search}`)).body;

test('new pilots have everything that their row says, and no password', async () => {
  const discordId = '700800900100200301';
  const text = [
    'Call sign;Email;Time zone;Aircraft;Weekly times;Discord id;Rank',
    `Alpha One;Alpha@squadron.example;Europe/Berlin;F-16C: expert, Hornet;"Mon 19:00-22:00; Mon 21:00-23:00";${discordId};Major`,
    'Alpha Two;;;;;700800900100200302;',
    ';alpha3@squadron.example;;;;;',
  ].join('\r\n');
  const before = await takeDigest(service);
  const { problem, ignoredColumns, rows: previewed } = await preview(text);
  expect(await takeDigest(service), 'a preview stores nothing').toEqual(before);
  expect({ problem, ignoredColumns }).toEqual({ problem: null, ignoredColumns: ['Rank'] });
  expect(previewed.map(({ row, state, needsPassword }) => [row, state, needsPassword])).toEqual([
    [2, 'create', true],
    [3, 'create', false],
    [4, 'create', true],
  ]);
  expect(previewed[0]?.changes).toEqual([
    { column: 'callSign', from: '', to: 'Alpha One' },
    { column: 'email', from: '', to: 'Alpha@squadron.example' },
    { column: 'timeZone', from: '', to: 'Europe/Berlin' },
    { column: 'aircraft', from: '', to: 'F-16C Viper: expert; F/A-18C Hornet: basic' },
    { column: 'weeklyTimes', from: '', to: 'Mon 19:00-23:00' },
    { column: 'discordId', from: '', to: discordId },
  ]);
  const importId = newId();
  const { body } = await send(importId, previewed);
  expect(body).toMatchObject({ created: [{ row: 2 }, { row: 3 }, { row: 4 }], updated: 0, unchanged: 0 });

  const [one, two, three] = body.created.map(({ userId }: { userId: string }) => userId);
  const get = async (path: string) => (await admin.client.call('GET', path)).body;
  expect(await get(`/users/${one}`)).toMatchObject({
    displayName: 'Alpha One',
    email: 'Alpha@squadron.example',
    timeZone: 'Europe/Berlin',
    roles: ['user'],
  });
  expect(await get(`/users/${two}`)).toMatchObject({ displayName: 'Alpha Two', email: '', timeZone: 'UTC' });
  expect(await get(`/users/${three}`)).toMatchObject({ displayName: null, email: 'alpha3@squadron.example' });
  expect(await get(`/users/${one}/proficiencies`)).toMatchObject([
    { aircraftId: 2, level: 'expert', setByAdmin: false },
    { aircraftId: 1, level: 'basic', setByAdmin: false },
  ]);
  expect(await get(`/users/${one}/availability/templates`)).toMatchObject([
    {
      name: 'Default Weekly Availability',
      isActive: true,
      slots: [{ weekday: 1, startLocal: '19:00', endLocal: '23:00', aircraftCodeId: 0, notes: null }],
    },
  ]);
  expect(await rows(sql`select user_id from discord_account where discord_user_id = ${discordId}`)).toEqual([
    { user_id: one },
  ]);
  expect(
    await rows(sql`select 1 from app_user where password_hash is not null and id = any(${[one, two, three]})`),
  ).toEqual([]);
  expect(await get(`/admin/audit?subjectId=${admin.id}&action=pilots_imported`)).toMatchObject({
    total: 1,
    entries: [
      {
        id: importId,
        actor: { id: admin.id },
        summary: 'Imported pilots: 3 added (Alpha One; Alpha Two; alpha3@squadron.example)',
      },
    ],
  });
});

test('the same file again changes nothing, writes nothing, and leaves no entry', async () => {
  const text =
    'Call sign,Email,Aircraft,Weekly times\nBravo,bravo@squadron.example,F-16C: expert,Sat 20:00-01:00 F-16C';
  const first = await preview(text);
  await send(newId(), first.rows);
  const before = await takeDigest(service);
  const again = await preview(text);
  expect(again.rows).toMatchObject([{ state: 'unchanged', changes: [] }]);
  // a client that lost the first answer sends the same rows again
  const repeated = await send(newId(), first.rows);
  expect(repeated.body).toEqual({ created: [], updated: 0, unchanged: 1 });
  expect(await takeDigest(service)).toEqual(before);
});

test('a known pilot is found by email or Discord id, and only what differs changes; blank cells change nothing', async () => {
  await importFile(
    'Call sign,Email,Time zone,Aircraft,Weekly times,Discord id\nCharlie,charlie@squadron.example,UTC,F-16C: learning; A-10C: basic,Mon 19:00-22:00,700800900100200310',
  );
  const id = await idOf('Charlie');
  await admin.client.call('PUT', `/users/${id}/proficiencies/3`, { level: 'proficient' });
  await rows(sql`update availability_slot s set notes = 'after work' from availability_template t
                 where t.id = s.template_id and t.user_id = ${id}`);
  const { rows: previewed } = await preview(
    'Email,Call sign,Time zone,Aircraft,Weekly times\nCHARLIE@squadron.example,,Europe/Paris,F-16C: expert; A-10C; Hornet: basic,Mon 19:00-22:00; Tue 19:00-22:00',
  );
  expect(previewed).toMatchObject([
    {
      state: 'update',
      userId: id,
      changes: [
        { column: 'timeZone', from: 'UTC', to: 'Europe/Paris' },
        {
          column: 'aircraft',
          from: 'F-16C Viper: learning',
          to: 'F-16C Viper: expert; F/A-18C Hornet: basic',
        },
        { column: 'weeklyTimes', from: 'Mon 19:00-22:00', to: 'Mon 19:00-22:00; Tue 19:00-22:00' },
      ],
    },
  ]);
  expect((await send(newId(), previewed)).body).toEqual({ created: [], updated: 1, unchanged: 0 });
  expect(await exported('charlie')).toEqual([
    {
      callSign: 'Charlie',
      email: 'charlie@squadron.example',
      timeZone: 'Europe/Paris',
      aircraft: 'A-10C II Warthog: proficient; F-16C Viper: expert; F/A-18C Hornet: basic',
      weeklyTimes: 'Mon 19:00-22:00; Tue 19:00-22:00',
      discordId: '700800900100200310',
    },
  ]);
  const slots = sql<{ notes: string | null; weekday: number }>`select s.weekday, s.notes from availability_slot s
    join availability_template t on t.id = s.template_id where t.user_id = ${id} order by s.weekday`;
  expect(await rows(slots), 'a time that stays keeps its note').toEqual([
    { weekday: 1, notes: 'after work' },
    { weekday: 2, notes: null },
  ]);
  expect((await preview('Discord id,Call sign\n700800900100200310,Chuck')).rows).toMatchObject([
    { state: 'update', userId: id, changes: [{ column: 'callSign', from: 'Charlie', to: 'Chuck' }] },
  ]);
  const levels = sql`select aircraft_id, set_by_admin from proficiency where user_id = ${id} order by aircraft_id`;
  expect(await rows(levels), 'an import locks no level, and unlocks none').toEqual([
    { aircraft_id: 1, set_by_admin: false },
    { aircraft_id: 2, set_by_admin: false },
    { aircraft_id: 3, set_by_admin: true },
  ]);
});

test('an imported week is a later version than the one before, so an open page cannot overwrite it unseen', async () => {
  const sheet = (times: string) => `Call sign,Email,Weekly times\nVersions,versions@squadron.example,${times}`;
  await importFile(sheet('Mon 19:00-22:00'));
  const id = await idOf('Versions');
  // last saved by a process whose clock is ahead
  await rows(sql`update availability_template set updated_at = now() + interval '1 hour' where user_id = ${id}`);
  const version = async (): Promise<string> =>
    (await admin.client.call('GET', `/users/${id}/availability/templates`)).body[0].version;
  const before = await version();
  await importFile(sheet('Tue 19:00-22:00'));
  expect(Date.parse(await version())).toBeGreaterThan(Date.parse(before));
});

test('a pilot without an email gets one, and a pilot without a Discord account a link', async () => {
  await importFile('Call sign,Discord id\nDelta,700800900100200320');
  await importFile('Call sign,Email\nDolphin,dolphin@squadron.example');
  const done = await importFile(
    'Email,Discord id\ndelta@squadron.example,700800900100200320\ndolphin@squadron.example,700800900100200321',
  );
  expect(done).toMatchObject({ created: [], updated: 2 });
  expect(await exported('squadron.example')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ callSign: 'Delta', email: 'delta@squadron.example', discordId: '700800900100200320' }),
      expect.objectContaining({
        callSign: 'Dolphin',
        email: 'dolphin@squadron.example',
        discordId: '700800900100200321',
      }),
    ]),
  );
});

test('a bad row says why in one sentence, and the others can be imported', async () => {
  await importFile(
    'Call sign,Email,Discord id\nEcho,echo@squadron.example,700800900100200330\nEagle,eagle@squadron.example,700800900100200331',
  );
  const suspended = await givenPerson(service, { displayName: 'Ember' });
  await admin.client.call('DELETE', `/admin/users/${suspended.id}/roles/user`);
  const { rows: previewed } = await preview(
    [
      'Call sign,Email,Time zone,Discord id',
      'Foxtrot,foxtrot@squadron.example,Europe/Berln,',
      'Foxtrot,,,',
      'Echo,echo@squadron.example,,700800900100200331',
      'Echo,echo@squadron.example,,700800900100200339',
      'Eve,eve@squadron.example,,700800900100200330',
      `Ember,${suspended.email},,`,
      'Golf,golf@squadron.example,,700800900100200340',
      'Golf Two,GOLF@squadron.example,,',
      'Golf Three,,,700800900100200340',
      'Echo,echo@squadron.example,,',
      'Echo,,,700800900100200330',
    ].join('\n'),
  );
  expect(previewed.map(({ row, state, problem }) => [row, state, problem])).toEqual([
    [2, 'bad', "“Europe/Berln” isn't a time zone. Did you mean Europe/Berlin?"],
    [3, 'bad', 'This pilot needs an email or a Discord id.'],
    [4, 'bad', 'This Discord id belongs to Eagle, and the email to Echo.'],
    [5, 'bad', 'Echo is linked to another Discord account.'],
    [6, 'bad', 'This Discord id belongs to Echo, whose email is echo@squadron.example. An import changes no emails.'],
    [7, 'bad', 'Ember is not an active pilot. Approve or restore the account first.'],
    [8, 'create', null],
    [9, 'bad', 'Row 8 has the same email.'],
    [10, 'bad', 'Row 8 has the same Discord id.'],
    [11, 'unchanged', null],
    [12, 'bad', 'Row 11 has the same pilot.'],
  ]);
  expect((await send(newId(), previewed)).body).toMatchObject({ created: [{ row: 8 }], updated: 0 });
});

test('a cell with a character that no text can hold is a bad row, in the preview and in the import', async () => {
  const { rows: previewed } = await preview('Email,Discord id\na\0b@example.org,\nc@example.org,70070\x000');
  expect(previewed.map(({ state }) => state)).toEqual(['bad', 'bad']);
  for (const { row, cells, digest } of previewed) {
    const sent = { importId: newId(), rows: [{ row, cells, digest }] };
    expect((await admin.client.call('POST', '/admin/users/import', sent)).status).toBe(409);
  }
});

test('what has changed since the preview is not overwritten: nothing of the call is stored', async () => {
  await importFile('Call sign,Email\nHotel,hotel@squadron.example');
  const id = await idOf('Hotel');
  const { rows: previewed } = await preview(
    'Call sign,Email\nHotel Two,hotel@squadron.example\nIndia,india@squadron.example',
  );
  await admin.client.call('PUT', `/users/${id}`, { displayName: 'Hot Hotel', timeZone: 'UTC' });
  const before = await takeDigest(service);
  expect(await send(newId(), previewed)).toMatchObject({
    status: 409,
    body: { code: 'CHANGED', message: 'Something has changed since the preview. Please check the rows again.' },
  });
  // somebody registers with an address of the file
  await rows(sql`update app_user set display_name = 'Hotel' where id = ${id}`);
  const india = await givenPerson(service, { displayName: 'Indigo' });
  await rows(
    sql`update app_user set email = 'india@squadron.example', email_key = 'india@squadron.example' where id = ${india.id}`,
  );
  expect(await send(newId(), previewed)).toMatchObject({ status: 409, body: { code: 'CHANGED' } });
  expect((await takeDigest(service))['public.proficiency']).toBe(before['public.proficiency']);
  expect(await rows(sql`select 1 from app_user where display_name in ('Hotel Two')`)).toEqual([]);
});

test('the same rows sent twice at once create each pilot once', async () => {
  const text = `Call sign,Email,Weekly times,Aircraft\n${Array.from(
    { length: 20 },
    (_, index) => `Twin ${index},twin${index}@squadron.example,Mon 19-22,F-16C`,
  ).join('\n')}`;
  const { rows: previewed } = await preview(text);
  const answers = await Promise.all([1, 2, 3].map(() => send(newId(), previewed)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const created = answers.map(({ body }): number => body.created.length);
  expect(created.toSorted((a, b) => a - b)).toEqual([0, 0, 20]);
  expect(await rows(sql`select 1 from app_user where email like 'twin%'`)).toHaveLength(20);
});

test("an import's id must be the admin's own: nobody writes into another entry", async () => {
  const { importId } = await importFile('Call sign,Email\nJuliett,juliett@squadron.example');
  const other = await givenAdmin(service);
  const { rows: previewed } = await preview('Call sign,Email\nKilo,kilo@squadron.example');
  expect(await send(importId, previewed, other)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await rows(sql`select 1 from app_user where display_name = 'Kilo'`)).toEqual([]);
  expect((await send(importId, previewed)).status).toBe(200);
  const [entry] = (await admin.client.call('GET', '/admin/audit?action=pilots_imported')).body.entries;
  expect(entry).toMatchObject({ id: importId, summary: 'Imported pilots: 2 added (Juliett; Kilo)' });
});

test('2,000 pilots in twenty calls take a fixed number of statements a call', async () => {
  const text = `Call sign,Email,Time zone,Aircraft,Weekly times,Discord id\n${Array.from(
    { length: 2_000 },
    (_, index) =>
      `Wing ${index},wing${index}@squadron.example,Europe/Berlin,F-16C: expert; A-10C II: learning,Mon 19:00-22:00; Sat 20:00-01:00; Sun 18:00-20:00 F-16C,${7_008_009_001_002_000 + index}00`,
  ).join('\n')}`;
  const statements = vi.spyOn(Client.prototype, 'query');
  const { rows: previewed } = await preview(text);
  const forPreview = statements.mock.calls.length;
  const perCall: number[] = [];
  const importId = newId();
  for (let from = 0; from < previewed.length; from += 100) {
    const before = statements.mock.calls.length;
    const { status, body } = await send(importId, previewed.slice(from, from + 100));
    expect([status, body.created.length]).toEqual([200, 100]);
    perCall.push(statements.mock.calls.length - before);
  }
  statements.mockRestore();
  expect(forPreview).toBeLessThan(20);
  expect(Math.max(...perCall)).toBeLessThan(40);
  expect(await rows(sql`select 1 from app_user where email like 'wing%'`)).toHaveLength(2_000);
  expect((await preview(text)).rows.every(({ state }) => state === 'unchanged')).toBe(true);
});

test('a call takes at most 100 rows, and a file of 4 MB is refused before it is read', async () => {
  const row = { row: 2, digest: '0123456789abcdef', cells: { email: 'x@example.org' } };
  const many = { importId: newId(), rows: Array.from({ length: 101 }, () => row) };
  expect(await admin.client.call('POST', '/admin/users/import', many)).toMatchObject({
    status: 400,
    body: { message: 'One call imports at most 100 rows' },
  });
  const long = await admin.client.call('POST', '/admin/users/import/preview', { text: 'x'.repeat(2_000_001) });
  expect(long).toMatchObject({ status: 400, body: { message: 'The file is too large. Split it into parts.' } });
  const huge = await admin.client.call('POST', '/admin/users/import/preview', { text: 'x'.repeat(4_300_000) });
  expect(huge).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
});
