/**
 * Where texts of people go: every call stores them in a column that tests/ui/stored-xss.test.ts shows, refuses what hides, and
 * calendars and spreadsheets made of them have no entries, properties or formulas of their own.
 */
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { REST_TABLE } from '#server/rest/table.ts';
import { OPERATIONS } from '#tests/api/http/operations.ts';
import { readContract, type Contract, type ContractOperation } from '#tests/fuzz/contract.ts';
import { givenReach, type Reach } from '#tests/fuzz/reach.ts';
import { cookieFor } from '#tests/fuzz/twins.ts';
import { readCsv } from '#tests/harness/csv.ts';
import { pathsOf, withChange, type Path } from '#tests/harness/junk.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, isRecord, type Reply } from '#tests/harness/transports.ts';
import { findPlanted, findUnlisted, FREE_JSON, FREE_TEXT, plantEverywhere } from './free-text.ts';
import { payloadText, REFUSED_TEXTS } from './payloads.ts';
import { givenStoredRows } from './stored-rows.ts';

test('every text column is listed as free text or not, and a new one is missed', async () => {
  const service = await startService();
  expect(await findUnlisted(service)).toEqual([]);
  await query(service.app.orm.em.fork(), sql`alter table invite add column planted text`);
  expect(await findUnlisted(service)).toEqual(['invite.planted']);
  await service.stop();
});

/** Read row by row; a row that cannot be stored is shown with its problem. */
const WHOLE_FILE = 'admin.spreadsheet.preview text';

interface Field {
  path: Path;
  max: number;
}

/** Every input of any text: strings without a closed list, a pattern or a format. */
function textFields({ input }: ContractOperation, resolve: Contract['resolve']): Field[] {
  return pathsOf(input, resolve).flatMap((path) => {
    const schema = path.reduce<unknown>((at, part) => {
      const { properties, items, anyOf } = resolve(at);
      const choices = [properties, ...(Array.isArray(anyOf) ? anyOf.map((one) => resolve(one).properties) : [])];
      if (part === 0) return items;
      return choices.map((one) => (isRecord(one) ? one[String(part)] : undefined)).find((one) => one !== undefined);
    }, input);
    const variants = [resolve(schema), ...[resolve(schema).anyOf ?? []].flat().map(resolve)];
    const text = variants.find((one) => [one.type].flat().includes('string') && !('enum' in one || 'const' in one));
    if (!text || 'pattern' in text || 'format' in text) return [];
    return [{ path, max: typeof text.maxLength === 'number' ? Math.min(text.maxLength, 4_000) : 100 }];
  });
}

describe('every call with text', () => {
  let service: Service;
  let reach: Reach;
  let contract: Contract;
  beforeAll(async () => {
    service = await startService();
    reach = await givenReach(service);
    contract = readContract(
      (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as Record<string, unknown>,
    );
  });
  afterAll(() => service.stop());

  const CALLS = REST_TABLE.filter(([method]) => method !== 'get').map(([method, template, procedure]) => ({
    procedure,
    method,
    path: template.replace(/:(\w+)/g, '{$1}'),
  }));

  const GUILD_ID = '100200300400500600';
  const LINK = { kind: 'chart', title: 'Chart', url: 'https://charts.example.org/a.pdf' };
  /** Optional parts with text that the inputs of these calls leave out. */
  const optionalParts = async (procedure: string): Promise<Record<string, unknown>> => {
    if (procedure === 'admin.createMission' || procedure === 'admin.mission.dryRun')
      return { links: [LINK], guildIds: [GUILD_ID] };
    if (procedure !== 'admin.mission.edit' && procedure !== 'admin.mission.previewEdit') return {};
    const { admin, subject } = reach.world;
    const { body } = await admin.client.call('GET', `/admin/missions/${subject.missionId}`);
    const [{ id, callsign }] = body.packages;
    const slot = { aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP', additionalNotes: 'Fox two' };
    return {
      links: [LINK],
      guildIds: [GUILD_ID],
      packages: [{ id, callsign, objective: 'Sweep' }],
      addAircraftSlots: [slot],
    };
  };

  /** Send a call of its own account with a text in one place. @returns null if its input has no such place */
  async function send(procedure: string, path: Path, text: string): Promise<Reply | null> {
    const once = reach.once[procedure];
    const stated = typeof once?.input === 'function' ? once.input() : once?.input;
    const input: unknown = stated ?? OPERATIONS[procedure]?.input(reach.world.subject) ?? {};
    const whole = withChange({ ...Object(input), ...(await optionalParts(procedure)) }, path, text);
    if (!JSON.stringify(whole).includes(JSON.stringify(text))) return null;
    const cookies = [await cookieFor(service, once?.as ?? reach.world.subject.id), once?.cookie];
    return ask(service, 'trpc', procedure, whole, cookies.filter((one) => one !== undefined).join('; '));
  }

  test('stores it in columns of free text only, and refuses what hides in it', async () => {
    const fields = CALLS.flatMap(({ procedure, method, path }) => {
      const operation = contract.operations.find((one) => one.method === method && one.path === path);
      return operation ? textFields(operation, contract.resolve).map((field) => ({ procedure, ...field })) : [];
    });
    expect(fields.length).toBeGreaterThan(60);
    const faults: string[] = [];
    const outOfReach: string[] = [];
    for (const [index, { procedure, path, max }] of fields.entries()) {
      const name = `${procedure} ${path.join('.')}`;
      for (const text of REFUSED_TEXTS) {
        const reply = await send(procedure, path, text);
        const isRefused = reply !== null && reply.status >= 400 && reply.status < 500;
        if (reply !== null && !isRefused && name !== WHOLE_FILE)
          faults.push(`${name} with ${JSON.stringify(text)}: ${reply.status}`);
      }
      const reply = await send(procedure, path, payloadText(max, index));
      if (reply === null) outOfReach.push(name);
      else if (reply.status >= 500) faults.push(`${name}: ${reply.status} ${reply.message}`);
    }
    expect(faults).toEqual([]);
    expect(outOfReach).toEqual([]);
    const planted = await findPlanted(service);
    expect(planted.filter((name) => !(name in FREE_TEXT) && !(name in FREE_JSON))).toEqual([]);
    expect(planted.length).toBeGreaterThan(20);
  }, 120_000);
});

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
