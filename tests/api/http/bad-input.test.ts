/** Bad input: every refusal is a sentence, never a crash, and stores nothing. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { query, sql } from '#server/schema/query.ts';
import { describeProcedure } from '#server/http/rest/openapi.ts';
import { REFUSALS } from '#shared/refusals.ts';
import { takeDigest, type Digest } from '#tests/harness/digest.ts';
import { inDrill } from '#tests/harness/drills.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { changesOf, MISSING, pathsOf, type Path, withChange } from '#tests/harness/junk.ts';
import { ask, TRANSPORTS, type Reply } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type World } from './operations.ts';

/**
 * Few in the short form: `tests/fuzz/` sends many more of such inputs, but does not look into the database after each. The
 * seed of a failure is printed.
 */
const RUNS = inDrill(40, 6);
/** for a call that has not refused any input yet */
const RUNS_MAX = 40;

function fieldsOf(procedure: string): Path[] {
  return describeProcedure(procedure).inputs.flatMap((input) => {
    if (!(input instanceof z.ZodType)) return [];
    const json = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    const resolve = (schema: unknown): unknown => {
      const { $ref: reference } = Object(schema) as { $ref?: string };
      return reference === undefined ? schema : Reflect.get(Object(json.$defs), reference.replace('#/$defs/', ''));
    };
    return pathsOf(json, resolve);
  });
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
    const property = fc.asyncProperty(
      changesOf(fieldsOf(name)),
      fc.constantFrom(...TRANSPORTS),
      async (changes, transport) => {
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
      },
    );
    const hasFields = fieldsOf(name).length > 0;
    const isRefused = () => [...seen].some((status) => status >= 400);
    const runsMax = hasFields ? RUNS_MAX : RUNS;
    let runs = 0;
    // a field that takes nearly anything may get only good input in a few runs
    do {
      await fc.assert(property, { numRuns: RUNS });
      runs += RUNS;
    } while (!isRefused() && runs < runsMax);
    if (hasFields) expect(isRefused()).toBe(true);
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
