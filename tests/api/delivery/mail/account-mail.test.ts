/** Verification of addresses, invites and personal links by email, the admins' test, and what they see of failures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { linkIn, startMailService, type MailService } from '#tests/harness/mail-service.ts';
import { createClient } from '#tests/harness/service.ts';

let mail: MailService;
let admin: Person;
beforeAll(async () => {
  mail = await startMailService();
  admin = await givenAdmin(mail.service);
  await admin.client.call('PUT', '/admin/community', { name: 'Lantern Wing', registration: 'open' });
});
afterAll(() => mail.stop());

const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) =>
  query<Row>(mail.service.app.orm.em.fork(), statement);
const visitor = () => createClient(mail.service);
const tokenOf = (url: string) => url.split('/').at(-1) ?? '';
const verify = (token: string) => visitor().call('POST', '/mail/verification/confirm', { token });
const INVALID = { status: 400, body: { code: 'LINK_INVALID' } };

test('a new account gets a link that verifies its address, and can have it sent again', async () => {
  const email = 'fresh.pilot@example.org';
  const client = visitor();
  expect(
    (await client.call('POST', '/auth/register', { email, password: PASSWORD, confirmPassword: PASSWORD })).status,
  ).toBe(201);
  const state = async () => (await client.call('GET', '/mail/account')).body;
  expect(await state()).toEqual({ isOffered: true, verifiedAt: null });
  const first = await mail.mailTo(email);
  expect(first.parsed.subject).toBe('Confirm your address for Lantern Wing');
  expect(first.parsed.headers.has('list')).toBe(false);
  expect((await client.call('POST', '/mail/verification')).status).toBe(200);
  const link = linkIn(await mail.mailTo(email, 2), '/email/verify/');
  expect(link.startsWith(`${mail.service.url}/email/verify/`)).toBe(true);
  expect(await verify(`${tokenOf(link)}x`)).toMatchObject(INVALID);
  for (let click = 0; click < 2; click += 1) expect((await verify(tokenOf(link))).status).toBe(200);
  expect((await state()).verifiedAt).toMatch(/^20\d\d-/);
  // once, however often the link is opened
  const noted = await rows<{ isOwn: boolean }>(
    sql`select u.id = e.actor_id as "isOwn" from audit_entry e join app_user u on u.id::text = e.subject_id
        where e.action = 'address_verified' and u.email = ${email}`,
  );
  expect(noted).toEqual([{ isOwn: true }]);
  // one more request is dropped: there is nothing left to verify
  await client.call('POST', '/mail/verification');
  await mail.settle();
  expect(mail.server.to(email)).toHaveLength(2);
});

test('a link verifies the address it was sent to and no other, for seven days', async () => {
  const pilot = await givenPerson(mail.service);
  await pilot.client.call('POST', '/mail/verification');
  const token = tokenOf(linkIn(await mail.mailTo(pilot.email), '/email/verify/'));
  await rows(
    sql`update app_user set email = 'other@example.org', email_key = 'other@example.org' where id = ${pilot.id}`,
  );
  expect(await verify(token)).toMatchObject(INVALID);
  const { mailLinks } = mail.service.app;
  const [, payload = ''] = /verify\/([^:]+:[^:]+):/.exec(decodeURIComponent(token).replace(/^/, 'verify/')) ?? [];
  const [userId = '', addressHash = ''] = payload.split(':');
  const late = mailLinks.verifyUrl({ userId, addressHash, expiresMs: Date.now() - 1 });
  expect(await verify(tokenOf(late))).toMatchObject(INVALID);
  const [row] = await rows<{ at: string | null }>(
    sql`select email_verified_at as at from app_user where id = ${pilot.id}`,
  );
  expect(row?.at).toBeNull();
});

test('an invite goes to addresses, except to members and to those who want none', async () => {
  const member = await givenPerson(mail.service);
  const invite = await admin.client.call('POST', '/admin/invites', { name: 'Autumn' });
  const send = (addresses: string[], by = admin) =>
    by.client.call('POST', `/admin/invites/${invite.body.id}/send`, { addresses });
  const sent = await send(['one@example.org', 'ONE@example.org', member.email.toUpperCase(), 'two@example.org']);
  expect(sent).toMatchObject({
    status: 200,
    body: { queued: 2, leftOut: [{ address: member.email.toUpperCase(), reason: 'account' }] },
  });
  const taken = await mail.mailTo('one@example.org');
  expect(taken.parsed.subject).toBe('You are invited to Lantern Wing');
  expect(linkIn(taken, '/join/')).toBe(invite.body.url);
  await mail.settle();
  expect(mail.server.to(member.email)).toEqual([]);
  // the addresses are not kept
  expect(await rows(sql`select 1 from delivery where kind = 'invite' and address is not null`)).toEqual([]);

  const out = linkIn(taken, '/email/unsubscribe/');
  expect((await fetch(out, { method: 'POST' })).status).toBe(200);
  expect((await send(['one@example.org'])).body).toEqual({
    queued: 0,
    leftOut: [{ address: 'one@example.org', reason: 'unsubscribed' }],
  });
  const [list] = await rows<{ text: string }>(sql`select string_agg(o::text, ' ') as text from mail_opt_out as o`);
  expect(list?.text).not.toContain('example');

  expect((await send([])).status).toBe(400);
  expect((await send(Array.from({ length: 51 }, (_, place) => `p${place}@example.org`))).body.message).toBe(
    'Please send to at most 50 addresses at once',
  );
  await admin.client.call('POST', `/admin/invites/${invite.body.id}/revoke`);
  expect(await send(['three@example.org'])).toMatchObject({ status: 403, body: { code: 'INVITE_INVALID' } });
  const { body } = await admin.client.call('GET', `/admin/audit?subjectId=${invite.body.id}`);
  expect(body.entries.map(({ summary }: { summary: string }) => summary)).toContain(
    'Emailed the invite to 2 recipients',
  );
});

test('personal links of an import are sent instead of copied', async () => {
  const imported = await givenPerson(mail.service, { displayName: 'Goose' });
  await rows(sql`update app_user set password_hash = null where id = ${imported.id}`);
  const send = (ids: string[]) => admin.client.call('POST', '/admin/users/password-links/send', { ids });
  expect(await send([imported.id])).toMatchObject({ status: 200, body: { queued: 1 } });
  const taken = await mail.mailTo(imported.email);
  expect(taken.parsed.subject).toBe('Your account at Lantern Wing');
  const done = await visitor().call('POST', '/auth/set-password', {
    token: tokenOf(linkIn(taken, '/set-password/')),
    password: 'three blind mice 7',
    confirmPassword: 'three blind mice 7',
  });
  expect(done).toMatchObject({ status: 200, body: { id: imported.id } });
  expect(await send([admin.id])).toMatchObject({ status: 403 });
  expect(await send(['0192c0de-0000-7000-8000-0000000000ff'])).toMatchObject({ status: 404 });
});

test('an admin sends a test to themselves, and reads what failed in the words of the server', async () => {
  expect((await admin.client.call('POST', '/admin/mail/test')).status).toBe(200);
  const taken = await mail.mailTo(admin.email);
  expect(taken.parsed.subject).toBe('Test email from Lantern Wing');
  const pilot = await givenPerson(mail.service);
  const before = (await admin.client.call('GET', '/admin/mail')).body;
  mail.server.reactTo((to) => (to === pilot.email ? { atRecipient: 550 } : 'take'));
  await pilot.client.call('POST', '/mail/verification');
  await mail.settle();
  const { body } = await admin.client.call('GET', '/admin/mail');
  expect(body).toMatchObject({ isOffered: true, from: 'marshal@example.org', waiting: 0, failed: before.failed + 1 });
  expect(body.failures[0]).toMatchObject({
    kind: 'verification',
    to: pilot.email,
    attempts: 1,
    error: 'The mail server answered: 550 no such mailbox',
    isOver: true,
    nextAttemptAt: null,
  });
  expect((await pilot.client.call('GET', '/admin/mail')).status).toBe(403);
});
