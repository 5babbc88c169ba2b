/** Bad input: every refusal is a sentence, never a crash, and stores nothing. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { query, sql } from '#server/schema/query.ts';
import { describeProcedure } from '#server/rest/openapi.ts';
import { REFUSALS } from '#shared/refusals.ts';
import { takeDigest, type Digest } from '#tests/harness/digest.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, isRecord, TRANSPORTS, type Reply } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type World } from './operations.ts';

/** Enough to meet every kind of junk on every kind of field over the runs; the seed of a failure is printed. */
const RUNS = inDrill(40, 16);

/** Texts that have broken such services before. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDC00y',
  '\u202Egnp.exe',
  '\u2066mixed\u2069',
  '\u0007bell',
  '\u0085',
  '\uFFFF',
  '👩‍✈️'.repeat(60),
  'x'.repeat(3_000),
  "'; drop table app_user; --",
  "' or 1=1 --",
  '%',
  '\\',
  '{}',
  '{"$gt":""}',
  '$1',
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%zz',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '12345678901234567890',
  '2026-02-29',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31',
  '2100-12-31',
  '2000-01-01',
  '2026-02-29T10:00',
  '2100-12-31T23:59',
  '2026-11-20T24:00',
  '24:00',
  '7:5',
  'EVIL-3',
  '+05:00',
  'UTC+5',
  'Etc/GMT-14',
  'europe/berlin',
  'Mars/Olympus',
  '__proto__',
  'constructor',
  'toString',
  '00000000-0000-0000-0000-000000000000',
  '0192c0de-0000-7000-8000-00000000000g',
  '{0192c0de-0000-7000-8000-000000000000}',
  'a@b',
  'a@b.co',
  'ä@müller.example',
  `${'a'.repeat(250)}@example.org`,
];

const NUMBERS = [0, -0, -1, 1.5, 7, 64, 65, 2 ** 15, 2 ** 31, 2 ** 53, 1e300, -1e300, Infinity];

const prototypeKeys = (value: unknown) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":1}`);

const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      [[]],
      {},
      [null],
      { $ne: null },
      prototypeKeys({ a: 1 }),
    ),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...TEXTS), { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 300 }, () => 1)) },
);

type Path = readonly (string | number)[];

type JsonSchema = { properties?: Record<string, unknown>; items?: unknown; anyOf?: unknown[] };

/** Every place in an input that its schema names, the elements of lists included. */
function pathsOf(schema: unknown, at: Path = []): Path[] {
  if (!isRecord(schema)) return [];
  const { properties = {}, items, anyOf = [] }: JsonSchema = schema;
  const below = [
    ...Object.entries(properties).flatMap(([name, one]) => [[...at, name], ...pathsOf(one, [...at, name])]),
    ...(items === undefined ? [] : [[...at, 0], ...pathsOf(items, [...at, 0])]),
  ];
  return [...below, ...anyOf.flatMap((one) => pathsOf(one, at))];
}

function fieldsOf(procedure: string): Path[] {
  return describeProcedure(procedure).inputs.flatMap((input) =>
    input instanceof z.ZodType ? pathsOf(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })) : [],
  );
}

const MISSING = Symbol('missing');

/** The input with one place changed; a place that it does not reach stays as it is. */
function withChange(input: unknown, [head, ...rest]: Path, value: unknown): unknown {
  if (head === undefined) return value;
  if (Array.isArray(input)) {
    return input.map((one, index) => (index === head ? withChange(one, rest, value === MISSING ? null : value) : one));
  }
  if (!isRecord(input)) return input;
  if (rest.length === 0 && value === MISSING) {
    return Object.fromEntries(Object.entries(input).filter(([name]) => name !== head));
  }
  return { ...input, [String(head)]: withChange(input[String(head)], rest, value) };
}

type Change = { path: Path; value: unknown };

function changesOf(paths: Path[]): fc.Arbitrary<Change[]> {
  const path = fc.oneof(
    { weight: 8, arbitrary: paths.length === 0 ? fc.constant<Path>(['extra']) : fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.constant<Path>([]) },
    { weight: 1, arbitrary: fc.constantFrom<Path>(['roles'], ['passwordHash'], ['__proto__'], ['extra']) },
  );
  const value = fc.oneof({ weight: 6, arbitrary: junk }, { weight: 1, arbitrary: fc.constant(MISSING) });
  return fc.array(fc.record({ path, value }), { minLength: 1, maxLength: 3 });
}

/** The fault of a response to bad input, if there is one. */
function faultOf(reply: Reply, before: Digest, after: Digest): string | null {
  if (reply.status >= 500) return `answered ${reply.status}`;
  if (reply.status < 400) return null;
  if (reply.code === null || REFUSALS[reply.code][0] !== reply.status)
    return `refused with ${reply.status} by ${reply.code}`;
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  if (changed.length > 0) return `refused with ${reply.status} and changed ${changed.join(', ')}`;
  return reply.message ? null : `refused with ${reply.status} without a sentence`;
}

let service: Service;
let world: World;
beforeAll(async () => {
  service = await startService();
  world = await givenWorld(service);
});
afterAll(() => service.stop());

/** A session of the subject, who is also an admin, so that bad input gets past the guards. */
async function sessionOfSubject(): Promise<{ cookie: string; wasAdmin: boolean }> {
  const { sessions, orm } = service.app;
  const changed = await query(
    orm.em.fork(),
    sql`update app_user set roles = '{admin,user}' where id = ${world.self.id} and roles <> '{admin,user}' returning id`,
  );
  const { token } = await sessions.create(world.self.id);
  return { cookie: `${sessions.cookieName}=${token}`, wasAdmin: changed.length === 0 };
}

describe('generated bad input is refused with a sentence and stores nothing', () => {
  test.each(Object.entries(OPERATIONS))('%s', async (name, { input, notesRefusalsIn }) => {
    const seen = new Set<number>();
    /** the digest after the last call, reused before the next: there are no other writers, and calls write synchronously */
    let last: Digest | null = null;
    await fc.assert(
      fc.asyncProperty(changesOf(fieldsOf(name)), fc.constantFrom(...TRANSPORTS), async (changes, transport) => {
        const { cookie, wasAdmin } = await sessionOfSubject();
        const bad = changes.reduce<unknown>(
          (sent, { path, value }) => withChange(sent, path, value),
          input(world.subject) ?? {},
        );
        const before: Digest = (wasAdmin ? last : null) ?? (await takeDigest(service, notesRefusalsIn));
        const reply = await ask(service, transport, name, bad === MISSING ? undefined : bad, cookie);
        seen.add(reply.status);
        last = await takeDigest(service, notesRefusalsIn);
        expect(faultOf(reply, before, last)).toBeNull();
      }),
      { numRuns: RUNS },
    );
    if (fieldsOf(name).length > 0) expect([...seen].some((status) => status >= 400)).toBe(true);
  });

  test('a crash and a write by a refused call are found', () => {
    const reply: Reply = { status: 400, code: 'BAD_REQUEST', message: 'No', body: null, headers: new Headers() };
    expect(faultOf({ ...reply, status: 500 }, {}, {})).toBe('answered 500');
    expect(faultOf(reply, { seat: '1:a' }, { seat: '2:b' })).toBe('refused with 400 and changed seat');
    expect(faultOf({ ...reply, code: 'CONFLICT' }, {}, {})).toBe('refused with 400 by CONFLICT');
    expect(faultOf({ ...reply, message: '' }, {}, {})).toBe('refused with 400 without a sentence');
    expect(faultOf(reply, { seat: '1:a' }, { seat: '1:a' })).toBeNull();
  });
});
