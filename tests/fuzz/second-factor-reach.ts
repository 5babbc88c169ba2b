/** Accounts with second factors, so that each of their operations succeeds once. */
import { query, sql } from '#server/schema/query.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { codeOf, givenAuthenticator } from '#tests/harness/second-factor.ts';
import type { Service } from '#tests/harness/service.ts';
import type { Reach } from './reach.ts';

const PASSKEY_ID = '0192c0de-0000-7000-8000-0000000000d1';
const REMOVED_ID = '0192c0de-0000-7000-8000-0000000000d2';
const DEVICE_ID = '0192c0de-0000-7000-8000-0000000000d3';
const proof = { currentPassword: PASSWORD };

/** `auth.secondFactor.addPasskey` is missing: only a device can make its answer (tests/ui/passkeys.test.ts). */
export async function givenSecondFactorReach(service: Service): Promise<Reach['once']> {
  const run = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
  const givenApp = async () => {
    const person = await givenPerson(service);
    return { person, ...(await givenAuthenticator(person)) };
  };
  /** A sign-in that waits. @returns its cookie */
  const waitAs = async ({ id }: Person): Promise<string> => {
    await run(
      sql`insert into pending_sign_in (token_hash, user_id, way, password_mark, created_at, expires_at)
          select encode(sha256(('waits-' || id)::bytea), 'hex'), id, 'password',
                 encode(sha256(convert_to(password_hash, 'utf8')), 'hex'), now(), now() + interval '1 day'
          from app_user where id = ${id}`,
    );
    return `second-step=waits-${id}`;
  };
  const addPasskey = (passkeyId: string, { id }: Person) =>
    run(
      sql`insert into passkey (id, user_id, name, credential_id, public_key, counter, transports, is_syncable, is_backed_up, created_at)
          values (${passkeyId}, ${id}, 'Laptop', ${passkeyId.replaceAll('-', '')}, 'a2V5', 0, '{internal}', false, false, now())`,
    );

  const [waiting, removing, renewing, lost] = [await givenApp(), await givenApp(), await givenApp(), await givenApp()];
  const [fresh, begun, owner] = [await givenPerson(service), await givenPerson(service), await givenPerson(service)];
  const { body } = await begun.client.call('POST', '/auth/second-factor/authenticator', proof);
  await addPasskey(PASSKEY_ID, owner);
  await addPasskey(REMOVED_ID, owner);
  await run(
    sql`insert into remembered_device (id, user_id, token_hash, created_at, expires_at)
        values (${DEVICE_ID}, ${owner.id}, 'a-device', now(), now() + interval '1 day')`,
  );
  return {
    'auth.secondFactor.challenge': { input: {}, as: owner.id, cookie: await waitAs(owner) },
    'auth.secondFactor.finish': {
      input: { recoveryCode: waiting.recoveryCodes[0] },
      as: waiting.person.id,
      cookie: await waitAs(waiting.person),
    },
    'auth.secondFactor.beginAuthenticator': { input: proof, as: fresh.id },
    'auth.secondFactor.confirmAuthenticator': { input: () => ({ code: codeOf(body.key) }), as: begun.id },
    'auth.secondFactor.removeAuthenticator': { input: proof, as: removing.person.id },
    'auth.secondFactor.beginPasskey': { input: proof, as: fresh.id },
    'auth.secondFactor.renamePasskey': { input: { passkeyId: PASSKEY_ID, name: 'Old laptop' }, as: owner.id },
    'auth.secondFactor.removePasskey': { input: { passkeyId: REMOVED_ID, ...proof }, as: owner.id },
    'auth.secondFactor.renewRecoveryCodes': { input: proof, as: renewing.person.id },
    'auth.secondFactor.forgetDevice': { input: { deviceId: DEVICE_ID }, as: owner.id },
    'admin.resetSecondFactor': { input: { id: lost.person.id } },
  };
}
