/** Access tests: every operation, every kind of caller, both transports. */
import { initTRPC } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeProcedure } from '#server/http/rest/openapi.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { publicProcedure, router, type Policy } from '#server/http/trpc.ts';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';
import { takeDigest, type Digest } from '#tests/harness/digest.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, readRefusal, TRANSPORTS, type Transport } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type Operation, type Subject, type World } from './operations.ts';

const CALLERS = [
  'anonymous',
  'revoked session',
  'self',
  'other pilot',
  'suspended self',
  'waiting self',
  'admin',
  'demoted admin',
];
type Expected = 'allowed' | readonly [code: RefusalCode, sentence: string];

const SIGNED_OUT = ['NOT_AUTHENTICATED', 'User not authenticated'] as const;
const SUSPENDED = ['SUSPENDED', 'Your account is suspended. Please ask an admin.'] as const;
const WAITING = ['AWAITING_APPROVAL', 'Your account is waiting for an admin to approve it.'] as const;
const NOT_YOURS = ['FORBIDDEN', 'You are not allowed to do this'] as const;
const ADMINS = ['ADMINS_ONLY', 'Only admins can do this'] as const;
const NO_ORDER = ['ORDER_NOT_FOUND', 'Frag order not found'] as const;
const NOTHING_THERE = ['NOT_FOUND', 'Not found'] as const;

/** The rules, a row each, in the order of CALLERS. */
const RULES: Record<Policy, readonly Expected[]> = {
  public: CALLERS.map(() => 'allowed'),
  signedIn: [SIGNED_OUT, SIGNED_OUT, 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed'],
  pilot: [SIGNED_OUT, SIGNED_OUT, 'allowed', 'allowed', SUSPENDED, WAITING, 'allowed', 'allowed'],
  selfPilot: [SIGNED_OUT, SIGNED_OUT, 'allowed', NOT_YOURS, SUSPENDED, 'allowed', 'allowed', NOT_YOURS],
  admin: [SIGNED_OUT, SIGNED_OUT, ADMINS, ADMINS, ADMINS, ADMINS, 'allowed', ADMINS],
};

function expectedOf({ policy, isOwnOnly, isSwitchedOff, refusal, adminRefusal }: Operation, caller: string): Expected {
  if (isSwitchedOff) return NOTHING_THERE;
  const expected = RULES[policy][CALLERS.indexOf(caller)] ?? 'allowed';
  if (expected === 'allowed' && refusal !== undefined) return refusal;
  if (expected === 'allowed' && caller === 'admin' && adminRefusal !== undefined) return adminRefusal;
  const isSubject = caller.endsWith('self');
  return expected === 'allowed' && isOwnOnly && !isSubject ? NO_ORDER : expected;
}

/** Operations that only one transport has, with the reason; none so far. */
const ONLY_TRPC: readonly string[] = [];

const namesOf = (procedures: object): string[] => Object.keys(procedures).sort();

/** Procedures without a guard. */
function withoutPolicy(procedures: object): string[] {
  return namesOf(procedures).filter((name) => {
    const definition: unknown = Reflect.get(Object(Reflect.get(procedures, name)), '_def');
    const meta: unknown = Reflect.get(Object(definition), 'meta');
    return typeof Reflect.get(Object(meta), 'policy') !== 'string';
  });
}

describe('the list of operations', () => {
  test('covers the whole router', () => {
    expect(namesOf(OPERATIONS)).toEqual(namesOf(appRouter._def.procedures));
  });

  test('every procedure has a REST call or a reason not to', () => {
    expect([...REST_TABLE.map(([, , name]) => name), ...ONLY_TRPC].sort()).toEqual(namesOf(appRouter._def.procedures));
  });

  test('every procedure has the policy that is written down for it', () => {
    const found = Object.keys(OPERATIONS).map((name) => [name, describeProcedure(name).meta?.policy]);
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.entries(OPERATIONS).map(([name, { policy }]) => [name, policy])),
    );
    expect(withoutPolicy(appRouter._def.procedures)).toEqual([]);
  });

  test('a procedure without a policy is found', () => {
    const planted = router({
      guarded: publicProcedure.query(() => 1),
      inner: router({ planted: initTRPC.create().procedure.query(() => 1) }),
    });
    expect(withoutPolicy(planted._def.procedures)).toEqual(['inner.planted']);
  });
});

test('a refusal without a code, or with one that is not in the list, is found', () => {
  const message = 'Not found';
  expect(() => readRefusal('rest', { message })).toThrow(/"code"/);
  expect(() => readRefusal('rest', { code: 'NO_SUCH_CODE', message })).toThrow(/"code"/);
  expect(() => readRefusal('trpc', { error: { message, data: { code: 'NOT_FOUND' } } })).toThrow(/"refusal"/);
  expect(readRefusal('rest', { code: 'NOT_FOUND', message })).toEqual({ code: 'NOT_FOUND', message });
});

describe('the matrix', () => {
  let service: Service;
  let world: World;
  beforeAll(async () => {
    service = await startService();
    world = await givenWorld(service);
  });
  afterAll(() => service.stop());

  const personOf = (caller: string) =>
    ({
      self: world.self,
      'other pilot': world.other,
      'suspended self': world.suspended,
      'waiting self': world.waiting,
      admin: world.admin,
      'demoted admin': world.demoted,
      'revoked session': world.self,
    })[caller];

  function subjectOf(caller: string): Subject {
    if (caller === 'suspended self') return world.suspendedSubject;
    return caller === 'waiting self' ? world.waitingSubject : world.subject;
  }

  /** A new session for every call, so that one call's sign-out does not affect the next. */
  async function cookieOf(caller: string): Promise<string> {
    const person = personOf(caller);
    if (!person) return '';
    const { sessions } = service.app;
    const { token } = await sessions.create(person.id);
    if (caller === 'revoked session') await sessions.end(token);
    return `${sessions.cookieName}=${token}`;
  }

  /** the digest after the refused calls of the last operation; null after a call that may have written */
  let known: Digest | null = null;

  async function judge(name: string, operation: Operation, caller: string, transport: Transport) {
    const expected = expectedOf(operation, caller);
    const subject = subjectOf(caller);
    const cookie = await cookieOf(caller);
    const reply = await ask(service, transport, name, operation.input(subject), cookie);
    const found = reply.code === null ? 'allowed' : [reply.status, reply.code, reply.message];
    const wanted = expected === 'allowed' ? expected : [REFUSALS[expected[0]][0], ...expected];
    expect(found, `${caller} by ${transport}`).toEqual(wanted);
  }

  test.each(Object.entries(OPERATIONS))('%s', async (name, operation) => {
    const isAllowed = (caller: string) => expectedOf(operation, caller) === 'allowed';
    const [allowed, refused] = [CALLERS.filter(isAllowed), CALLERS.filter((caller) => !isAllowed(caller))];
    if (refused.length > 0) {
      const before = known ?? (await takeDigest(service));
      for (const transport of TRANSPORTS) {
        for (const caller of refused) await judge(name, operation, caller, transport);
      }
      known = await takeDigest(service);
      expect(known, 'refused calls left no trace').toEqual(before);
    }
    if (allowed.length > 0) known = null;
    for (const transport of TRANSPORTS) {
      for (const caller of allowed) await judge(name, operation, caller, transport);
    }
  });

  test("another pilot's template is not found under one's own id", async () => {
    const cookie = await cookieOf('other pilot');
    const before = await takeDigest(service);
    for (const transport of TRANSPORTS) {
      const input = { id: world.other.id, templateId: world.subject.templateId, name: 'Mine now', slots: [] };
      for (const procedure of ['availability.updateTemplate', 'availability.removeTemplate']) {
        expect(await ask(service, transport, procedure, input, cookie)).toMatchObject({
          status: 404,
          message: 'Availability template not found',
        });
      }
    }
    expect(await takeDigest(service)).toEqual(before);
  });

  test('a removed role is gone with the next request of a running session', async () => {
    const { sessions, orm } = service.app;
    const { token } = await sessions.create(world.other.id);
    const cookie = `${sessions.cookieName}=${token}`;
    const roles = (value: string) =>
      orm.em.fork().getConnection().execute(`update app_user set roles = '${value}' where id = '${world.other.id}'`);
    const statuses: number[] = [];
    for (const value of ['{user,admin}', '{user}', '{}']) {
      await roles(value);
      for (const name of ['admin.users', 'pilot.inbox', 'auth.me']) {
        statuses.push((await ask(service, 'rest', name, {}, cookie)).status);
      }
    }
    await roles('{user}');
    expect(statuses).toEqual([200, 200, 200, 403, 200, 200, 403, 403, 200]);
  });

  test('a write between two digests makes them differ', async () => {
    const before = await takeDigest(service);
    await ask(service, 'rest', 'pilot.setStatus', { id: world.self.id, state: 'dnd' }, await cookieOf('self'));
    const after = await takeDigest(service);
    // the status itself, the note for the rosters, and the backfill job that it enqueues
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([
      'graphile_worker._private_jobs',
      'public.pilot_status',
      'public.roster_change',
    ]);
  });
});
