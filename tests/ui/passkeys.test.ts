/** Passkeys as a second factor, with the browser's own virtual authenticator: added, used, renamed, removed, and attacked. */
import { expect, test, type Browser, type CDPSession, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { finish, givenFirstStep, isSignedIn } from '#tests/harness/second-factor.ts';
import { startService, type Client, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, openProfile, region, toasts } from './profiles.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const TITLE = 'Two-step sign-in';
const OWN = '/auth/second-factor';
const dialog = (page: Page) => page.getByRole('dialog');
const REFUSED = { status: 400, body: { code: 'PASSKEY_REFUSED' } };

interface Device {
  cdp: CDPSession;
  id: string;
}

/** A device with passkeys, which confirms everything. @param transport `usb` is a security key */
async function plugIn(page: Page, transport: 'internal' | 'usb' = 'internal'): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await region(page, TITLE).getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByLabel('Current Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

/** A pilot with a passkey in a virtual device, and the page that it is in. */
async function givenPasskey(browser: Browser): Promise<{ pilot: Person; page: Page; device: Device }> {
  const pilot = await givenPerson(service);
  const page = await openProfile(browser, service, pilot, '/profile/security');
  const device = await plugIn(page);
  await addPasskey(page, 'Laptop');
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
  return { pilot, page, device };
}

/** The browser's answer to a question, as the page would send it. */
const answerIn = (
  page: Page,
  { challenge, rpId, allow }: { challenge: string; rpId: string; allow: { id: string }[] },
) =>
  page.evaluate(
    async (asked) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
        challenge: asked.challenge,
        rpId: asked.rpId,
        allowCredentials: asked.allow.map(({ id }) => ({ id, type: 'public-key' })),
      });
      const credential = await navigator.credentials.get({ publicKey });
      if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey');
      return credential.toJSON();
    },
    { challenge, rpId, allow },
  );

async function askIn(client: Client) {
  const { status, body } = await client.call('POST', '/auth/second-step/challenge');
  expect(status).toBe(200);
  return body;
}

const counterOf = async ({ id }: Person): Promise<number> => {
  const [row] = await query<{ counter: number }>(
    service.app.orm.em.fork(),
    sql`select counter::int as counter from passkey where user_id = ${id}`,
  );
  return row?.counter ?? Number.NaN;
};

test('a passkey is added, signs in, is renamed, and turns the second step off when it is removed', async ({
  browser,
}) => {
  const { pilot, page } = await givenPasskey(browser);
  const panel = region(page, TITLE);
  await expect(panel).toContainText('Laptop');
  await expect(panel).toContainText('Not used yet');

  await page.context().clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(button(page, 'Use a passkey')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/home`);
  await page.goto('/profile/security');
  await expect(panel).toContainText('Last used');
  await expect(region(page, 'Recent sign-ins')).toContainText('Signed in with a password and a passkey');
  expect(await counterOf(pilot)).toBeGreaterThan(1);

  await panel.getByRole('button', { name: 'Rename Laptop' }).click();
  await dialog(page).getByLabel('Name').fill('Old laptop');
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('Passkey renamed');
  await panel.getByRole('button', { name: 'Remove Old laptop' }).click();
  await dialog(page).getByLabel('Current Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await expect(panel).toContainText('Off');
});

test('a device is added once, and a second key beside it', async ({ browser }) => {
  const { pilot, page, device } = await givenPasskey(browser);
  await addPasskey(page, 'Again');
  await expect(dialog(page).getByRole('alert')).toHaveText('This device already has a passkey for this account.');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await device.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: device.id });
  await plugIn(page, 'usb');
  await addPasskey(page, 'Blue key');
  await expect(dialog(page)).toHaveCount(0);
  await expect(region(page, TITLE)).toContainText('Blue key');
  const { body } = await pilot.client.call('GET', OWN);
  expect(body.passkeys.map(({ name }: { name: string }) => name)).toEqual(['Laptop', 'Blue key']);
});

test('an answer counts once, for its own sign-in, account and site', async ({ browser }) => {
  const { pilot, page } = await givenPasskey(browser);
  const first = await givenFirstStep(service, pilot);
  const question = await askIn(first);
  const passkey = await answerIn(page, question);

  // the question of another sign-in
  const second = await givenFirstStep(service, pilot);
  await askIn(second);
  expect(await finish(second, { passkey })).toMatchObject(REFUSED);
  // a wrong answer has used the question up
  expect(await finish(second, { passkey })).toMatchObject(REFUSED);

  const changed = { ...passkey, response: { ...passkey.response, signature: passkey.response.clientDataJSON } };
  const forged = await givenFirstStep(service, pilot);
  await askIn(forged);
  expect(await finish(forged, { passkey: changed })).toMatchObject(REFUSED);

  const { page: elsewhere, pilot: other } = await givenPasskey(browser);
  const theirs = await givenFirstStep(service, other);
  const theirAnswer = await answerIn(elsewhere, await askIn(theirs));
  const mixed = await givenFirstStep(service, pilot);
  await askIn(mixed);
  expect(await finish(mixed, { passkey: theirAnswer })).toMatchObject(REFUSED);

  expect(await finish(first, { passkey })).toMatchObject({ status: 200 });
  expect(await isSignedIn(first)).toBe(true);
  const replay = await givenFirstStep(service, pilot);
  expect(await finish(replay, { passkey })).toMatchObject(REFUSED);
  await askIn(replay);
  expect(await finish(replay, { passkey })).toMatchObject(REFUSED);
});

test('an answer for another origin of the same host is refused', async ({ browser }) => {
  const { pilot, device } = await givenPasskey(browser);
  const { credentials } = await device.cdp.send('WebAuthn.getCredentials', { authenticatorId: device.id });
  const neighbour = await startService({ withClient: true });
  try {
    const page = await openAs(browser, neighbour, null);
    await page.goto('/login');
    const { cdp, id: authenticatorId } = await plugIn(page);
    for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
    const waiting = await givenFirstStep(service, pilot);
    const passkey = await answerIn(page, await askIn(waiting));
    expect(await finish(waiting, { passkey })).toMatchObject(REFUSED);
    // the same key answers on the right site
    const there = await openAs(browser, service, null);
    await there.goto('/login');
    const right = await plugIn(there);
    for (const credential of credentials) {
      await right.cdp.send('WebAuthn.addCredential', { authenticatorId: right.id, credential });
    }
    expect(await finish(waiting, { passkey: await answerIn(there, await askIn(waiting)) })).toMatchObject({
      status: 200,
    });
  } finally {
    await neighbour.stop();
  }
});

test('a copy of a key, whose counter is behind, is refused', async ({ browser }) => {
  const { pilot, page, device } = await givenPasskey(browser);
  const { cdp, id: authenticatorId } = device;
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  const owner = await givenFirstStep(service, pilot);
  expect(await finish(owner, { passkey: await answerIn(page, await askIn(owner)) })).toMatchObject({ status: 200 });
  const counted = await counterOf(pilot);

  await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
  for (const credential of credentials) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  const thief = await givenFirstStep(service, pilot);
  expect(await finish(thief, { passkey: await answerIn(page, await askIn(thief)) })).toMatchObject(REFUSED);
  expect(await isSignedIn(thief)).toBe(false);
  expect(await counterOf(pilot)).toBe(counted);
});

test('at most 10 passkeys, and a question is one session’s', async ({ browser }) => {
  const { pilot, page } = await givenPasskey(browser);
  await query(
    service.app.orm.em.fork(),
    sql`insert into passkey (id, user_id, name, credential_id, public_key, counter, transports, is_syncable, is_backed_up, created_at)
        select gen_random_uuid(), ${pilot.id}, 'Key ' || n, replace(gen_random_uuid()::text, '-', ''), 'a2V5', 0, '{}', false, false, now()
        from generate_series(2, 10) as n`,
  );
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.disable');
  await page.reload();
  await plugIn(page);
  await addPasskey(page, 'Eleventh');
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'An account can have at most 10 passkeys. Please remove one first.',
  );
  const stranger = await givenPerson(service);
  const { body } = await stranger.client.call('POST', `${OWN}/passkeys/challenge`, { currentPassword: PASSWORD });
  expect(body.rp).toEqual({ id: 'localhost', name: 'Marshal' });
});
