/** The addresses that stand for "no email": nobody gets one, by any way in, and who has one stops no deletion. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueSignInLink } from '#server/accounts/sign-in-links.ts';
import { runMaintenance } from '#server/jobs/maintenance.ts';
import { readEnv } from '#server/platform/env.ts';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';

const DAY_MS = 86_400_000;
const ID = '0192c0de-0000-7000-8000-00000000d0d0';
const CONSTRAINT = 'app_user_placeholder_is_own';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(service.app.orm.em.fork(), statement);

/** The placeholder of an account, and what else becomes it, or a part of its domain, on the way to its key. */
const ADDRESSES: Record<string, string> = {
  'as it is stored': `${ID}@discord.invalid`,
  'another local part': 'viper@discord.invalid',
  'upper case': `${ID.toUpperCase()}@DISCORD.INVALID`,
  'full-width letters': `${ID}@ｄｉｓｃｏｒｄ.invalid`,
  'full-width letters in its end': `${ID}@discord.ｉｎｖａｌｉｄ`,
  'a soft hyphen': `${ID}@dis\u00adcord.invalid`,
  'a subdomain': `${ID}@mail.discord.invalid`,
  'an ideographic full stop': `${ID}@mail.discord。invalid`,
  'an ideographic full stop at the end': `${ID}@discord.invalid。`,
  'a percent-encoded letter': `${ID}@%64iscord.invalid`,
  'a query behind it': `${ID}@discord.invalid?x.org`,
  'a fragment behind it': `${ID}@discord.invalid#x.org`,
};

const chosen = { password: 'seven green kneeboards', confirmPassword: 'seven green kneeboards' };

/** Everything that takes an address. @returns whether it took this one */
const WAYS_IN: Record<string, (address: string) => Promise<boolean>> = {
  registration: async (email) =>
    (await createClient(service).call('POST', '/auth/register', { email, ...chosen })).status < 400,
  'a first password': async (email) => {
    const member = await givenPerson(service);
    const em = service.app.orm.em.fork();
    await query(em, sql`update app_user set password_hash = null where id = ${member.id}`);
    await issueSignInLink(em, member.id, `link-of-${member.id}`, new Date());
    return (await member.client.call('POST', '/auth/credentials', { email, ...chosen })).status < 400;
  },
  'a spreadsheet': async (email) => {
    const text = `Email,Call sign\n${email},Squatter`;
    const { status, body } = await admin.client.call('POST', '/admin/users/import/preview', { text });
    return status < 400 && body.rows.some(({ state }: { state: string }) => state === 'create');
  },
  'an invite by email': async (address) => {
    const invite = await admin.client.call('POST', '/admin/invites', { name: 'Recruits', maxUses: 1 });
    const path = `/admin/invites/${invite.body.id}/send`;
    const { body } = await admin.client.call('POST', path, { addresses: [address] });
    // without a mail server a good address is refused too, but for that reason
    return body.code !== 'VALIDATION';
  },
  "a visitor's request": async (email) => {
    const request = { handle: 'Viper', email, module: 'F-16C', level: 'proficient', slot: 'Flexible' };
    return (await createClient(service).call('POST', '/slot-requests', request)).status < 400;
  },
  'a request for a password': async (email) =>
    (await createClient(service).call('POST', '/auth/password-request', { email })).body.code !== 'VALIDATION',
  'a ban': async (email) =>
    (await admin.client.call('POST', '/admin/bans', { email, label: 'Somebody', reason: 'Abuse' })).status < 400,
  'a sign-in': async (email) =>
    (await createClient(service).call('POST', '/auth/login', { email, password: PASSWORD })).body.code !== 'VALIDATION',
  'the first admin': async (email) => {
    const env = { PUBLIC_URL: service.url, ADMIN_EMAIL: email, ADMIN_PASSWORD: chosen.password };
    return Promise.try(() => readEnv(env)).then(
      () => true,
      () => false,
    );
  },
};

/** @returns the addresses that a way in takes */
async function findTaken(wayIn: (address: string) => Promise<boolean>): Promise<string[]> {
  const taken: string[] = [];
  for (const [what, address] of Object.entries(ADDRESSES)) if (await wayIn(address)) taken.push(what);
  return taken;
}

/** An account as a way in that forgets to check would make it. */
const insertUnchecked = async (email: string, id = 'gen_random_uuid()'): Promise<boolean> => {
  const statement = sql`insert into app_user (id, email, email_key, created_at, updated_at)
    values (${sql.raw(id)}, ${email}, ${email}, now(), now()) on conflict do nothing`;
  return rows(statement).then(
    () => true,
    () => false,
  );
};

describe('ways in', () => {
  beforeEach(() => rows(sql`delete from slot_request`));

  test.each(Object.entries(WAYS_IN))('%s takes a real address, and no placeholder', async (name, wayIn) => {
    expect(await wayIn(`${name.replaceAll(/\W/g, '-')}@example.org`)).toBe(true);
    expect(await findTaken(wayIn)).toEqual([]);
  });

  test('the refusal says what to do', async () => {
    const email = ADDRESSES['a subdomain'];
    const { status, body } = await createClient(service).call('POST', '/auth/register', { email, ...chosen });
    expect([status, body.code, body.message, body.issues[0].path]).toEqual([
      400,
      'VALIDATION',
      'This address cannot receive email. Please enter another one.',
      'email',
    ]);
  });

  test('a way in that forgets to check is refused by the database', async () => {
    for (const email of [`${ID}@discord.invalid`, `${ID}@mail.discord.invalid`, 'viper@discord.invalid'])
      await expect(insertUnchecked(email)).resolves.toBe(false);
    const own = `'${ID}'`;
    await expect(insertUnchecked(`${ID}@discord.invalid`, own)).resolves.toBe(true);
    await rows(sql`delete from app_user where id = ${ID}`);
  });
});

describe('without the check of the database', () => {
  /** leave today, are due in two weeks */
  let first: Person;
  let second: Person;
  const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);
  const erased = async ({ id }: Person) =>
    (await rows<{ erased: boolean }>(sql`select erased_at is not null as erased from app_user where id = ${id}`))[0]
      ?.erased;
  const warnings = async (): Promise<string[]> => (await admin.client.call('GET', '/admin/warnings')).body.warnings;

  beforeAll(async () => {
    first = await givenPerson(service);
    second = await givenPerson(service);
    await rows(sql`alter table app_user drop constraint ${sql.raw(CONSTRAINT)}`);
    for (const person of [first, second])
      expect((await person.client.call('POST', '/auth/deletion', { currentPassword: PASSWORD })).status).toBe(200);
    await rows(sql`update app_user set deletion_due_at = deletion_due_at - interval '1 hour' where id = ${first.id}`);
  });

  test('a way in that forgets to check is found', async () => {
    const taken = await findTaken(insertUnchecked);
    expect(taken).toContain('as it is stored');
    await rows(sql`delete from app_user where email like '%discord%invalid%'`);
  });

  test('an account whose placeholder is taken stops neither other deletions nor other work, and admins are told', async () => {
    await insertUnchecked(`${first.id}@discord.invalid`);
    await rows(sql`insert into roster_change (user_id, changed_at) values (${ID}, now() - interval '30 days')`);
    await expect(runMaintenance(service.app, inDays(15))).rejects.toThrow('Erasing accounts');
    expect([await erased(first), await erased(second)]).toEqual([false, true]);
    // the work that comes after it
    expect(await rows(sql`select from roster_change where changed_at < now() - interval '29 days'`)).toEqual([]);
    expect(await warnings()).toEqual([
      expect.stringMatching(
        /^Erasing accounts has failed since [A-Z][a-z]{2} \d{1,2} \d{4}Z\. The server's log says why\.$/,
      ),
    ]);

    await rows(sql`delete from app_user where email = ${`${first.id}@discord.invalid`}`);
    await runMaintenance(service.app, inDays(15));
    expect(await erased(first)).toBe(true);
    expect(await warnings()).toEqual([]);
  });
});
