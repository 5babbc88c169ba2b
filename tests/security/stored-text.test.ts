/**
 * Texts of people on their way: every call stores them in a column that tests/ui/stored-xss.test.ts shows, refuses what hides, and
 * calendars and spreadsheets made of them have no entries, properties or formulas of their own.
 */
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { readCsv } from '#tests/harness/csv.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findPlanted, findUnlisted, listFree, plantEverywhere } from './free-text.ts';
import { payloadText, REFUSED_TEXTS } from './payloads.ts';
import { givenStoredRows } from './stored-rows.ts';
import { givenTextFields } from './text-fields.ts';

test('every text column says in its entity what it says about people, and a new one that says nothing is found', async () => {
  const service = await startService();
  expect(await findUnlisted(service)).toEqual([]);
  await query(service.app.orm.em.fork(), sql`alter table invite add column planted text`);
  expect(await findUnlisted(service)).toEqual(['invite.planted']);
  await service.stop();
});

/** Read row by row; a row that cannot be stored is shown with its problem. */
const WHOLE_FILE = 'admin.spreadsheet.preview text';

test('every call with text stores it in columns of free text only, and refuses what hides in it', async () => {
  const service = await startService();
  const fields = await givenTextFields(service);
  expect(fields.length).toBeGreaterThan(60);
  const faults: string[] = [];
  const outOfReach: string[] = [];
  for (const [index, { name, max, send }] of fields.entries()) {
    for (const text of REFUSED_TEXTS) {
      const reply = await send(text);
      const isRefused = reply !== null && reply.status >= 400 && reply.status < 500;
      if (reply !== null && !isRefused && name !== WHOLE_FILE) {
        faults.push(`${name} with ${JSON.stringify(text)}: ${reply.status}`);
      }
    }
    const reply = await send(payloadText(max, index));
    if (reply === null) outOfReach.push(name);
    else if (reply.status >= 500) faults.push(`${name}: ${reply.status} ${reply.message}`);
  }
  expect(faults).toEqual([]);
  expect(outOfReach).toEqual([]);
  const planted = await findPlanted(service);
  expect(planted.filter((name) => !listFree(service).has(name))).toEqual([]);
  expect(planted.length).toBeGreaterThan(20);
  await service.stop();
}, 120_000);

describe('what is made of the texts', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test('has no entries, properties or formulas of its own', async () => {
    const { admin, pilot, addressOf } = await givenStoredRows(service);
    const order = addressOf('{orderId}');
    const download = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(`${service.url}/api/v1${path}`, { headers: { cookie: admin.client.cookie(), ...headers } })).text();
    const namesIn = (text: string) =>
      new ICAL.Component(ICAL.parse(text))
        .getAllSubcomponents('vevent')
        .map((event) => event.getAllProperties().map(({ name }) => name));
    const calendar = `/pilot/inbox/${order}/calendar.ics`;
    const plain = namesIn(await download(calendar));
    expect(await plantEverywhere(service)).toEqual([]);
    const inject = 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nATTACH:https://canary.invalid/\nEND:VEVENT';
    await query(service.app.orm.em.fork(), sql`update mission set name = ${inject}, notes = ${inject} || notes`);
    const text = await download(calendar);
    expect(text).toContain('canary');
    expect(namesIn(text)).toEqual(plain);

    const formula = '=HYPERLINK("//canary.invalid/","x")';
    await query(service.app.orm.em.fork(), sql`update app_user set display_name = ${formula} where id = ${pilot.id}`);
    const cells = readCsv(await download('/admin/users/export', { accept: 'text/csv' })).flat();
    expect(cells).toContain(`'${formula}`);
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });
});
