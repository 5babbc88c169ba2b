/** Access tests of personal access tokens: every operation, tokens of every scope and owner, both transports. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Policy } from '#server/http/trpc.ts';
import { REFUSALS, type RefusalCode } from '#shared/refusals.ts';
import type { TokenScope } from '#shared/vocabulary.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import type { Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS, type Transport } from '#tests/harness/transports.ts';
import { givenWorld, OPERATIONS, type Operation, type World } from './operations.ts';

type Refusal = readonly [code: RefusalCode, sentence: string];
type Expected = 'allowed' | Refusal;

const INVALID = [
  'TOKEN_INVALID',
  'This access token is unknown, expired or revoked. You can make a new one on your profile.',
] as const;
const SESSION = [
  'SESSION_REQUIRED',
  'An access token cannot do this. Please sign in to the site and do it there.',
] as const;
const NEEDS_PILOT = [
  'SCOPE_REQUIRED',
  'This access token lacks the scope pilot. Please use a token that has it.',
] as const;
const NEEDS_ADMIN = [
  'SCOPE_REQUIRED',
  'This access token lacks the scope admin. Please use a token that has it.',
] as const;
const NEEDS_SERVER = [
  'SCOPE_REQUIRED',
  'This access token lacks the scope server. Please use a token that has it.',
] as const;
const SLOTS_ONLY = [
  'SCOPE_REQUIRED',
  'This access token is for a game server and only reads slots. Please use another token.',
] as const;
const SUSPENDED = ['SUSPENDED', 'Your account is suspended. Please ask an admin.'] as const;
const NOT_YOURS = ['FORBIDDEN', 'You are not allowed to do this'] as const;
const ADMINS = ['ADMINS_ONLY', 'Only admins can do this'] as const;
const NO_ORDER = ['ORDER_NOT_FOUND', 'Frag order not found'] as const;

/** Owner and scopes of a token, in the order of the rules' columns. */
const CALLERS = [
  'self: read',
  'self: pilot',
  'admin: read',
  'admin: pilot',
  'admin: admin',
  'admin: server',
  'demoted: admin',
  'demoted: server',
  'suspended: all',
] as const;
type Caller = (typeof CALLERS)[number] | 'expired' | 'revoked';

const ok = 'allowed';
/** The rules by guard and kind of call, a column for each of CALLERS. The subject of the calls is `self`. */
const RULES: Record<`${Policy} ${'read' | 'write'}`, readonly Expected[]> = {
  'public read': [ok, ok, ok, ok, ok, SLOTS_ONLY, ok, SLOTS_ONLY, ok],
  'public write': [SESSION, SESSION, SESSION, SESSION, SESSION, SLOTS_ONLY, SESSION, SLOTS_ONLY, SESSION],
  'signedIn read': [ok, ok, ok, ok, ok, SLOTS_ONLY, ok, SLOTS_ONLY, ok],
  'signedIn write': [NEEDS_PILOT, ok, NEEDS_PILOT, ok, NEEDS_PILOT, SLOTS_ONLY, NEEDS_PILOT, SLOTS_ONLY, ok],
  'pilot read': [ok, ok, ok, ok, ok, SLOTS_ONLY, ok, SLOTS_ONLY, SUSPENDED],
  'pilot write': [NEEDS_PILOT, ok, NEEDS_PILOT, ok, NEEDS_PILOT, SLOTS_ONLY, NEEDS_PILOT, SLOTS_ONLY, SUSPENDED],
  'selfPilot read': [ok, ok, NEEDS_ADMIN, NEEDS_ADMIN, ok, SLOTS_ONLY, NOT_YOURS, NOT_YOURS, SUSPENDED],
  'selfPilot write': [NEEDS_PILOT, ok, NEEDS_ADMIN, NEEDS_ADMIN, ok, SLOTS_ONLY, NOT_YOURS, NOT_YOURS, SUSPENDED],
  'admin read': [ADMINS, ADMINS, NEEDS_ADMIN, NEEDS_ADMIN, ok, SLOTS_ONLY, ADMINS, ADMINS, ADMINS],
  'admin write': [ADMINS, ADMINS, NEEDS_ADMIN, NEEDS_ADMIN, ok, SLOTS_ONLY, ADMINS, ADMINS, ADMINS],
};

/** Calls about the keys of an account, which no token makes. */
const KEYS: readonly string[] = [
  'auth.setCredentials',
  'auth.changePassword',
  'auth.deletion',
  'auth.requestDeletion',
  'auth.undoDeletion',
  'auth.sessions',
  'auth.endSession',
  'auth.confirmSession',
  'auth.endOtherSessions',
  'auth.secondFactor.get',
  'auth.secondFactor.history',
  'auth.secondFactor.beginAuthenticator',
  'auth.secondFactor.confirmAuthenticator',
  'auth.secondFactor.removeAuthenticator',
  'auth.secondFactor.beginPasskey',
  'auth.secondFactor.addPasskey',
  'auth.secondFactor.renamePasskey',
  'auth.secondFactor.removePasskey',
  'auth.secondFactor.renewRecoveryCodes',
  'auth.secondFactor.forgetDevice',
  'auth.tokens.list',
  'auth.tokens.create',
  'auth.tokens.revoke',
  'pilot.calendar.renew',
  'pilot.calendar.end',
  'pilot.push.subscriptions',
  'pilot.push.subscribe',
  'pilot.push.unsubscribe',
  'pilot.push.test',
  'pilot.unlinkDiscord',
  'admin.resetPassword',
  'admin.resetSecondFactor',
  'admin.passwordLinks',
  'admin.mail.sendPasswordLinks',
  'admin.backups.start',
  'discord.acceptGuild',
];

const isRead = (name: string) => REST_TABLE.some(([method, , call]) => method === 'get' && call === name);

/** Calls of game servers: for tokens of admins with the scope server or admin. */
const FOR_SERVERS: readonly Expected[] = [ADMINS, ADMINS, NEEDS_SERVER, NEEDS_SERVER, ok, ok, ADMINS, ADMINS, ADMINS];

function expectedOf(name: string, operation: Operation, caller: Caller): Expected {
  const { policy, isOwnOnly, isForServers, refusal } = operation;
  if (caller === 'expired' || caller === 'revoked') return INVALID;
  const rules = isForServers ? FOR_SERVERS : RULES[`${policy} ${isRead(name) ? 'read' : 'write'}`];
  const expected = rules[CALLERS.indexOf(caller)] ?? ok;
  const isScopeRefusal = expected === NEEDS_PILOT || expected === NEEDS_ADMIN;
  if (KEYS.includes(name) && (expected === ok || isScopeRefusal)) return SESSION;
  if (expected !== ok) return expected;
  return refusal ?? (isOwnOnly && !caller.startsWith('self') ? NO_ORDER : ok);
}

let service: Service;
let world: World;
const tokens = new Map<Caller, string>();

async function givenToken(
  { id, client }: Person,
  scopes: readonly TokenScope[],
): Promise<{ id: string; token: string }> {
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const { status, body } = await client.call('POST', `/users/${id}/tokens`, { name: 'Matrix', scopes, expiresAt });
  expect([status, body.message]).toEqual([201, undefined]);
  return body;
}

async function setRoles({ id }: Person, roles: string): Promise<void> {
  await query(service.app.orm.em.fork(), sql`update app_user set roles = ${roles} where id = ${id}`);
}

beforeAll(async () => {
  service = await startService();
  world = await givenWorld(service);
  const { self, admin, demoted, suspended } = world;
  const hold = async (caller: Caller, owner: Person, ...scopes: TokenScope[]) =>
    void tokens.set(caller, (await givenToken(owner, scopes)).token);
  await setRoles(demoted, '{user,admin}');
  await setRoles(suspended, '{user,admin}');
  await hold('self: read', self, 'read');
  await hold('self: pilot', self, 'pilot');
  await hold('admin: read', admin, 'read');
  await hold('admin: pilot', admin, 'pilot');
  await hold('admin: admin', admin, 'admin');
  await hold('admin: server', admin, 'server');
  await hold('demoted: admin', demoted, 'admin');
  await hold('demoted: server', demoted, 'server');
  await hold('suspended: all', suspended, 'read', 'pilot', 'admin');
  await setRoles(demoted, '{user}');
  await setRoles(suspended, '{}');
  // the first use is noted, also of a token that is refused, and the next one after some minutes
  for (const [caller, token] of tokens) {
    const { status } = await ask(service, 'rest', 'auth.me', {}, { token });
    expect(status, caller).toBe(caller.endsWith('server') ? 403 : 200);
  }

  const revoked = await givenToken(admin, ['read', 'pilot', 'admin']);
  await admin.client.call('DELETE', `/users/${admin.id}/tokens/${revoked.id}`);
  tokens.set('revoked', revoked.token);
  const expired = await givenToken(admin, ['read', 'pilot', 'admin']);
  await query(
    service.app.orm.em.fork(),
    sql`update personal_access_token set expires_at = now() where id = ${expired.id}`,
  );
  tokens.set('expired', expired.token);
});
afterAll(() => service.stop());

/** @returns what the caller gets, and what the rules say, both in words */
async function judge(name: string, operation: Operation, caller: Caller, transport: Transport) {
  const subject = caller === 'suspended: all' ? world.suspendedSubject : world.subject;
  const token = tokens.get(caller) ?? '';
  const { code, status, message } = await ask(service, transport, name, operation.input(subject), { token });
  const expected = expectedOf(name, operation, caller);
  const wanted = expected === ok ? ok : `${REFUSALS[expected[0]][0]} ${expected.join(': ')}`;
  return {
    found: `${caller} by ${transport}: ${code === null ? ok : `${status} ${code}: ${message}`}`,
    wanted: `${caller} by ${transport}: ${wanted}`,
  };
}

/** Every caller by both transports; all refused calls come first, with one digest around them. */
async function judgeAll(name: string, operation: Operation): Promise<void> {
  const calls = TRANSPORTS.flatMap((transport) =>
    [...tokens.keys()].map((caller) => ({ transport, caller, isAllowed: expectedOf(name, operation, caller) === ok })),
  );
  const before = await takeDigest(service);
  for (const { transport, caller } of calls.filter(({ isAllowed }) => !isAllowed)) {
    const { found, wanted } = await judge(name, operation, caller, transport);
    expect(found).toBe(wanted);
  }
  expect(await takeDigest(service), 'refused calls leave no trace').toEqual(before);
  for (const { transport, caller } of calls.filter(({ isAllowed }) => isAllowed)) {
    const { found, wanted } = await judge(name, operation, caller, transport);
    expect(found).toBe(wanted);
  }
}

describe('tokens of every scope', () => {
  test.each(Object.entries(OPERATIONS))('%s', judgeAll);

  test('a token that can do more than the rules say is found', async () => {
    const widen = (scopes: string) =>
      query(
        service.app.orm.em.fork(),
        sql`update personal_access_token set scopes = ${scopes} where user_id = ${world.self.id} and 'read' = any(scopes)`,
      );
    const operation = OPERATIONS['pilot.setStatus'];
    if (!operation) throw new Error('the operation is gone');
    await widen('{read,pilot}');
    await expect(judgeAll('pilot.setStatus', operation)).rejects.toThrow(/self: read by rest: allowed/);
    await widen('{read}');
    await judgeAll('pilot.setStatus', operation);
  });
});

test('every call about keys is an operation', () => {
  expect(KEYS.filter((name) => !(name in OPERATIONS))).toEqual([]);
});

describe('what a token reads', () => {
  /** What opens accounts or signs for Marshal, as it is stored. */
  const storedKeys = () =>
    query<{ key: string }>(
      service.app.orm.em.fork(),
      sql`select password_hash as key from app_user where password_hash is not null
          union select id from session union select token_hash from personal_access_token
          union select token_hash from sign_in_link union select token_hash from registration_session
          union select token_hash from calendar_feed union select secret from webhook`,
    );
  const readBy = async (name: string, caller: string | { token: string }) => {
    const { body } = await ask(service, 'rest', name, OPERATIONS[name]?.input(world.subject), caller);
    return JSON.stringify(body);
  };

  test('has no key in it, and no link that makes admins', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const limits = { name: 'Deputies', role: 'admin', maxUses: 1, expiresAt };
    const { body } = await world.admin.client.call('POST', '/admin/invites', limits);
    const link = String(body.url).split('/').at(-1) ?? '';
    const stored = (await storedKeys()).map(({ key }) => key);
    expect(stored.length).toBeGreaterThan(5);
    const reads = Object.keys(OPERATIONS).filter(isRead);
    const token = tokens.get('admin: admin') ?? '';
    const found: string[] = [];
    for (const name of reads) {
      const answer = await readBy(name, { token });
      if ([link, ...stored].some((key) => answer.includes(key))) found.push(name);
    }
    expect(found).toEqual([]);
    expect(await readBy('admin.community.invites', world.admin.client.cookie())).toContain(link);
  });
});
