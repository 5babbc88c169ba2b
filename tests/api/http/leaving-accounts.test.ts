/** Accounts that are being deleted or have been erased: no admin changes them, by any call, and no role stays. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseDueAccounts } from '#server/accounts/erase-account.ts';
import { ensureFirstAdmin } from '#server/accounts/first-admin.ts';
import { grantAdmin, makeToken } from '#server/accounts/operator.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { query, sql } from '#server/schema/query.ts';
import { takeDigest } from '#tests/harness/digest.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';
import { ABOUT_ACCOUNT, LEFT_ALONE } from './leaving-accounts.ts';
import { givenWorld, OPERATIONS, type Operation, type Subject, type World } from './operations.ts';

const DAY_MS = 86_400_000;
const LEAVING =
  '409 This account is about to be deleted, as its owner asked, and cannot be changed. Its owner can still sign in and keep it.';
const ERASED = '404 User not found';

const isWrite = (name: string) => REST_TABLE.some(([method, , call]) => method !== 'get' && call === name);
/** Calls with which an admin can change what is not the admin's own. */
const isOfAdmins = ({ policy }: Operation) => policy === 'admin' || policy === 'selfPilot';

/** The calls that change an account: their input has its id. */
function inputOf(name: string, { input }: Operation, subject: Subject) {
  const given = (ABOUT_ACCOUNT[name] ?? input)(subject);
  return JSON.stringify(given ?? null).includes(subject.id) ? given : null;
}

const NOBODY: Subject = { id: 'i', email: 'e', orderId: 'o', missionId: 'm', flightId: 'f', templateId: 't' };
const isAboutAccount = (name: string, operation: Operation): boolean =>
  inputOf(name, operation, { ...NOBODY, id: 'the-account' }) !== null;

/** Writes of admins that are in no list, or in both. */
function findUndecided(operations: Record<string, Operation>): string[] {
  const leftAlone = new Set(Object.values(LEFT_ALONE).flat());
  return Object.entries(operations).flatMap(([name, operation]) =>
    isWrite(name) && isOfAdmins(operation) && leftAlone.has(name) === isAboutAccount(name, operation) ? [name] : [],
  );
}

describe('the list of decisions', () => {
  test('has every write of admins once', () => {
    expect(findUndecided(OPERATIONS)).toEqual([]);
    const named = [...Object.values(LEFT_ALONE).flat(), ...Object.keys(ABOUT_ACCOUNT)];
    expect(named.filter((name) => !(name in OPERATIONS))).toEqual([]);
  });

  test('an operation without a decision is found', () => {
    const planted = {
      'admin.missionTemplates.update': { policy: 'admin', input: ({ id }) => ({ id }) },
    } as const satisfies Record<string, Operation>;
    expect(findUndecided(planted)).toEqual(Object.keys(planted));
  });
});

describe('such accounts', () => {
  let service: Service;
  let world: World;
  let leaving: Subject;
  let erased: Subject;
  beforeAll(async () => {
    // with a mail server that nothing is sent to, since no jobs run
    service = await startService({
      env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Marshal <marshal@example.org>' },
    });
    world = await givenWorld(service);
    [leaving, erased] = [world.subject, world.suspendedSubject];
    await rows(sql`update app_user set deletion_due_at = now() where id = ${erased.id}`);
    await eraseDueAccounts(em(), new Date());
    await requestDeletion(world.self);
  });
  afterAll(() => service.stop());

  const em = () => service.app.orm.em.fork();
  const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(em(), statement);
  const requestDeletion = async ({ client }: Person) => {
    const { status } = await client.call('POST', '/auth/deletion', { currentPassword: PASSWORD });
    expect(status).toBe(200);
  };

  /** What an admin hears who makes a call about an account, by each transport. */
  async function hear(name: string, operation: Operation, subject: Subject): Promise<string[]> {
    const heard: string[] = [];
    for (const transport of TRANSPORTS) {
      const input = inputOf(name, operation, subject) ?? undefined;
      const { status, message } = await ask(service, transport, name, input, world.admin.client.cookie());
      heard.push(message === null ? 'allowed' : `${status} ${message}`);
    }
    return heard;
  }

  const changing = Object.entries(OPERATIONS).filter(
    ([name, operation]) => isWrite(name) && isOfAdmins(operation) && isAboutAccount(name, operation),
  );

  test.each(changing)('%s', async (name, operation) => {
    const before = await takeDigest(service);
    expect(await hear(name, operation, leaving)).toEqual([LEAVING, LEAVING]);
    expect(await hear(name, operation, erased)).toEqual([ERASED, ERASED]);
    expect(await takeDigest(service), 'refused calls leave no trace').toEqual(before);
  });

  test('a call that changes one is found', async () => {
    const [name, operation] = changing[0] ?? ['', undefined];
    if (!operation) throw new Error('no call is about an account');
    // the account as it is before the request, or if a call forgot to ask
    await rows(sql`update app_user set deletion_due_at = null where id = ${leaving.id}`);
    expect(await hear(name, operation, leaving)).toEqual(['allowed', 'allowed']);
    await rows(sql`update app_user set deletion_due_at = now() + interval '14 days' where id = ${leaving.id}`);
  });

  test('an import leaves one alone, with a sentence in its row', async () => {
    const preview = async () =>
      (
        await world.admin.client.call('POST', '/admin/users/import/preview', {
          text: `Email,Call sign\n${leaving.email},Renamed`,
        })
      ).body.rows[0];
    expect(await preview()).toMatchObject({ state: 'bad', problem: LEAVING.slice(4) });
  });

  test('the command line gives one neither a role nor a token, and does not find an erased one', async () => {
    await expect(grantAdmin(em(), leaving.email)).rejects.toThrow(LEAVING.slice(4));
    const plan = { name: 'Script', scopes: ['read' as const], expiresAt: new Date(Date.now() + DAY_MS) };
    await expect(makeToken(em(), leaving.email, plan, new Date())).rejects.toThrow(LEAVING.slice(4));
    const former = `${erased.id}@discord.invalid`;
    await expect(grantAdmin(em(), former)).rejects.toThrow(/^No account has the email/);
  });

  test('the database keeps no role for one', async () => {
    for (const { id } of [leaving, erased]) {
      await expect(rows(sql`update app_user set roles = '{user}' where id = ${id}`)).rejects.toThrow(
        /app_user_leaving_without_roles/,
      );
    }
    await expect(
      rows(sql`update app_user set approval = 'waiting', approval_since = now() where id = ${erased.id}`),
    ).rejects.toThrow(/app_user_erased_is_nobody/);
  });
});

describe('an account that waits for approval', () => {
  let service: Service;
  let admin: Person;
  let newcomer: Person;
  beforeAll(async () => {
    service = await startService();
    const world = await givenWorld(service);
    [admin, newcomer] = [world.admin, world.waiting];
  });
  afterAll(() => service.stop());

  const em = () => service.app.orm.em.fork();
  const list = async () => {
    const { body } = await admin.client.call('GET', '/admin/waiting-accounts');
    return [body.waiting, body.accounts.map(({ user }: { user: { id: string } }) => user.id)];
  };
  const approve = () =>
    admin.client.call('POST', '/admin/waiting-accounts', { ids: [newcomer.id], decision: 'approve' });
  const rename = () =>
    newcomer.client.call('PUT', `/users/${newcomer.id}`, { displayName: 'Newcomer', timeZone: 'UTC' });

  test('is not approved while it is being deleted, and waits again when it is kept', async () => {
    expect(await list()).toEqual([1, [newcomer.id]]);
    expect((await rename()).status).toBe(200);
    await newcomer.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD });
    expect(await list()).toEqual([0, []]);
    const { status, body } = await approve();
    expect([status, body.code]).toEqual([409, 'DELETION_REQUESTED']);
    expect((await rename()).body.code).toBe('ACCOUNT_LEAVING');
    await newcomer.client.call('DELETE', '/auth/deletion');
    expect(await list()).toEqual([1, [newcomer.id]]);
  });

  test('has neither role nor approval after it is erased', async () => {
    await newcomer.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD });
    await eraseDueAccounts(em(), new Date(Date.now() + 15 * DAY_MS));
    expect(
      await query(
        em(),
        sql`select roles, approval, erased_at is not null as erased from app_user where id = ${newcomer.id}`,
      ),
    ).toEqual([{ roles: [], approval: null, erased: true }]);
    expect((await approve()).status).toBe(404);
    expect(await list()).toEqual([0, []]);
  });
});

test('the first admin of the settings is kept, although its owner asked for its deletion', async () => {
  const service = await startService();
  const person = await givenPerson(service);
  await person.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD });
  const configured = { email: person.email, password: PASSWORD };
  await ensureFirstAdmin(service.app.orm.em.fork(), service.app.passwords, configured);
  const { body } = await createClient(service).call('POST', '/auth/login', configured);
  expect(body.roles.toSorted()).toEqual(['admin', 'user']);
  await service.stop();
});
