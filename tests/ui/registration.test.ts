/** Registration from Discord in the browser: the bot's link, the form, the success page, the first email and password. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { issueRegistrationSession, registrationUrl } from '#server/discord/registration/registration.ts';
import { givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes } from './faults.ts';
import { closePagesAfterEach, holdBack, openAs } from './pages.ts';

const GUILD = '889900112233445566';
const INVALID = 'Invalid registration link. Please start the registration process from Discord.';
const DEAD_LINK = 'This sign-in link has expired or was already used. Ask the bot for a new link.';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  await query(
    service.app.orm.em.fork(),
    sql`insert into guild (id, name, status, installed_at, accepted_at, last_seen_at)
        values (${GUILD}, 'Lantern Wing', 'active', now(), now(), now())`,
  );
});
test.afterAll(() => service.stop());
closePagesAfterEach();

let count = 0;

/** The bot's link for a member of no account. @param now when the bot gave it out */
async function givenLink(now = new Date()): Promise<string> {
  count += 1;
  // the last digits of such an id would be lost in a number
  const request = {
    guildId: GUILD,
    discordUserId: `12345678901234567${String(count).padStart(2, '0')}`,
    discordUsername: `glow.${count}`,
    campaignId: null,
  };
  return registrationUrl(service.url, request, await issueRegistrationSession(service.app.orm.em.fork(), request, now));
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const alert = (page: Page) => page.getByRole('alert');

async function fillAndSend(page: Page, callSign: string): Promise<void> {
  await page.getByLabel('Call Sign').fill(callSign);
  await button(page, 'Complete Registration').click();
}

async function register(page: Page, url: string, callSign: string): Promise<void> {
  await page.goto(url);
  await fillAndSend(page, callSign);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
}

test('a member registers from the link in Discord to the first page by keyboard only', async ({ browser }) => {
  const page = await openAs(browser, service, null, { timezoneId: 'Pacific/Auckland' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const release = await holdBack(page, 'discord.startRegistration');
  await page.goto(await givenLink());
  await expect(page.getByText('Loading Registration...')).toBeVisible();
  release();
  await expect(page.getByText('Lantern Wing')).toBeVisible();
  await expect(page.getByText("This is how you'll be identified in missions and the roster")).toBeVisible();
  await expect(page.getByText('Used for scheduling missions at convenient times')).toBeVisible();
  await expect(page.getByLabel('Time Zone')).toHaveValue('Pacific/Auckland');
  const choice = page.getByRole('checkbox', { name: 'Open missions and community news' });
  await expect(choice).not.toBeChecked();

  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const callSign = page.getByLabel('Call Sign');
  await callSign.focus();
  await press('Enter');
  await expect(page.getByText('Call sign is required')).toBeVisible();
  await expect(callSign).toBeFocused();
  await callSign.fill('x'.repeat(201));
  await press('Enter');
  await expect(page.getByText('Call sign too long')).toBeVisible();
  await press('Control+A');
  await page.keyboard.type('Afterglow');
  await press('Tab', 'Tab');
  await expect(button(page, 'Not right?')).toBeFocused();
  await choice.focus();
  await press('Space');
  await expect(choice).toBeChecked();
  const releaseSave = await holdBack(page, 'discord.completeRegistration');
  const sent = page.waitForRequest(/discord\.completeRegistration/);
  await press('Tab', 'Enter');
  await expect(button(page, 'Saving...')).toBeDisabled();
  releaseSave();
  expect(JSON.stringify((await sent).postDataJSON())).toContain('"discordUsername":"glow.1"');

  await expect(page).toHaveURL(`${service.url}/discord/registration/success`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('Registration complete. Welcome, Afterglow!')).toBeVisible();
  const [stored] = await query<{ id: string; zone: string; wants: boolean }>(
    service.app.orm.em.fork(),
    sql`select id, time_zone as zone, wants_global_events as wants from app_user where display_name = 'Afterglow'`,
  );
  expect(stored).toMatchObject({ zone: 'Pacific/Auckland', wants: true });
  await expect(page.getByText(stored?.id ?? 'no account')).toBeVisible();
  await press('Tab');
  await expect(button(page, 'Copy user ID')).toBeFocused();
  await press('Enter');
  await expect(button(page, 'Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(stored?.id);
  await expect(page.getByRole('list', { name: 'Next steps' }).getByRole('listitem')).toHaveText([
    'Registered (done)',
    'Email and password',
    'Availability',
    'Frag orders',
  ]);
  await expect(page.getByRole('link', { name: 'Sign in to the admin portal' })).toHaveAttribute('href', '/login');

  // the answer of the server survives a reload
  await page.reload();
  await expect(page.getByText(stored?.id ?? 'no account')).toBeVisible();
  await button(page, 'Set email and password').focus();
  await press('Enter');
  await expect(page).toHaveURL(`${service.url}/credentials`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set email and password');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByLabel('Email').focus();
  await page.keyboard.type('afterglow@example.org');
  await press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).focus();
  await page.keyboard.type(`${PASSWORD}!`);
  await press('Enter');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await press('Backspace', 'Enter');
  await expect(page).toHaveURL(`${service.url}/home`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Afterglow');

  // the history keeps no step in between: Back leads to where the visitor came from
  await page.goBack();
  await expect(page).not.toHaveURL(/discord|sign-in|credentials/);
  const fresh = await openAs(browser, service, null);
  await fresh.goto('/login');
  await fresh.getByLabel('Email').fill('afterglow@example.org');
  await fresh.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(fresh, 'Sign In').click();
  await expect(fresh.getByRole('heading', { level: 1 })).toHaveText('Welcome, Afterglow');
});

test('an incomplete link or an unknown server shows a Registration Error with a way out', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  for (const [search, message] of [
    ['', INVALID],
    [`?guild_id=${GUILD}&session=x`, INVALID],
    [`?discord_id=1234567890123456789&session=x`, INVALID],
    [`?discord_id=1234567890123456789&guild_id=${GUILD}`, INVALID],
    [`?discord_id=1234567890123456789&guild_id=${GUILD}&session=`, INVALID],
    ['?discord_id=1234567890123456789&guild_id=1&session=x', 'Guild not found'],
  ] as const) {
    await page.goto(`/discord/registration${search}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Error');
    await expect(alert(page)).toHaveText(message);
    await expect(button(page, 'Retry')).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Return to the start page' }).click();
  await expect(page).toHaveURL(`${service.url}/`);
});

test('an answer that is not from the server is shown as such, and Retry asks again', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const isCall = (url: URL): boolean => url.pathname.includes('Registration');
  await page.route(isCall, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }));
  const url = await givenLink();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Error');
  await expect(alert(page)).toContainText('API Error 502: Bad Gateway');
  await page.unroute(isCall);
  await button(page, 'Retry').click();
  await expect(page.getByText('Lantern Wing')).toBeVisible();

  await page.route(isCall, (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'Upstream away' }));
  await fillAndSend(page, 'Patience');
  await expect(alert(page)).toHaveText('API Error 503: Upstream away');
  await expect(page.getByLabel('Call Sign')).toHaveValue('Patience');
  await page.unroute(isCall);
  await page.route(isCall, (route) => route.abort('connectionrefused'));
  await button(page, 'Complete Registration').click();
  await expect(alert(page)).toHaveText('Registration failed');
  await page.unroute(isCall);
  await button(page, 'Complete Registration').click();
  await expect(page.getByText('Registration complete. Welcome, Patience!')).toBeVisible();
});

test('an expired, unknown or changed link says so when the page loads, not after the form', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const over = `${INVALID} Ask the bot for a new link.`;
  const link = await givenLink();
  for (const [url, sentence] of [
    [await givenLink(new Date(Date.now() - 21 * 60_000)), over],
    [link.replace(/session=[^&]+/, 'session=unknown'), over],
    [link.replace(/discord_id=\d+/, 'discord_id=1234567890123456700'), INVALID],
  ] as const) {
    await page.goto(url);
    await expect(alert(page)).toHaveText(sentence);
    await expect(page.getByLabel('Call Sign')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Return to the start page' })).toBeVisible();
  }
});

test('a registered pilot reads who they are, and changes the values they have', async ({ browser }) => {
  const em = service.app.orm.em.fork();
  const pilot = await givenPerson(service, { displayName: 'Vesper', timeZone: 'Europe/Berlin' });
  const link = await givenLink();
  const discordUserId = new URL(link).searchParams.get('discord_id');
  await query(
    em,
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
        values (${discordUserId}, ${pilot.id}, 'vesper', now())`,
  );
  await query(em, sql`update app_user set wants_global_events = true where id = ${pilot.id}`);
  const page = await openAs(browser, service, null, { timezoneId: 'Pacific/Auckland' });
  await page.goto(link);
  await expect(page.getByText('You are registered as Vesper. This form changes your profile.')).toBeVisible();
  await expect(page.getByLabel('Call Sign')).toHaveValue('Vesper');
  await expect(page.getByLabel('Time Zone')).toHaveValue('Europe/Berlin');
  await expect(page.getByLabel('Open missions and community news')).toBeChecked();
  await fillAndSend(page, 'Vesper Two');
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  const [row] = await query<{ name: string; zone: string }>(
    em,
    sql`select display_name as name, time_zone as zone from app_user where id = ${pilot.id}`,
  );
  expect(row).toEqual({ name: 'Vesper Two', zone: 'Europe/Berlin' });
});

test('a link that expires while the form is open is refused, and what was typed is kept', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto(await givenLink());
  await expect(page.getByLabel('Call Sign')).toBeVisible();
  await query(service.app.orm.em.fork(), sql`update registration_session set expires_at = now() where used_at is null`);
  await fillAndSend(page, 'Too Late');
  await expect(alert(page)).toHaveText(`${INVALID} Ask the bot for a new link.`);
  await expect(alert(page)).toBeFocused();
  await expect(page.getByLabel('Call Sign')).toHaveValue('Too Late');
});

test('where registration is by invite, the page says so before the form', async ({ browser }) => {
  const em = service.app.orm.em.fork();
  const link = await givenLink();
  await query(em, sql`insert into community (id, registration, updated_at) values (1, 'invite', now())`);
  const page = await openAs(browser, service, null);
  await page.goto(link);
  await expect(alert(page)).toHaveText('Registration is by invite here. Please ask an admin for an invite link.');
  await page.goto('/register/account');
  await expect(alert(page)).toHaveText('Registration is by invite here. Please ask an admin for an invite link.');
  await expect(page.getByLabel('Email')).toBeHidden();
  await query(em, sql`delete from community`);
});

test('two tabs with one link: the same registration counts once, a different one is refused', async ({ browser }) => {
  const url = await givenLink();
  const first = await openAs(browser, service, null);
  const [second, third] = [await first.context().newPage(), await first.context().newPage()];
  for (const page of [second, third]) {
    await page.goto(url);
    await expect(page.getByLabel('Call Sign')).toBeVisible();
  }
  await register(first, url, 'Twin');
  await fillAndSend(second, 'Twin');
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
  const idOf = (page: Page) => page.locator('code').textContent();
  expect(await idOf(second)).toBe(await idOf(first));
  await fillAndSend(third, 'Triplet');
  await expect(alert(third)).toHaveText(`${INVALID} Ask the bot for a new link.`);

  // both tabs show the way on; it works once
  await button(first, 'Set email and password').click();
  await expect(first).toHaveURL(`${service.url}/credentials`);
  await button(second, 'Set email and password').click();
  await expect(alert(second)).toHaveText(DEAD_LINK);
});

test('a signed-in user is told that this is another account, and stays signed in', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Resident' });
  const page = await openAs(browser, service, pilot);
  await page.goto(await givenLink());
  await expect(page.getByText('You are signed in as Resident.')).toContainText('registered separately');
  await fillAndSend(page, 'Guest');
  await expect(page.getByText('Registration complete. Welcome, Guest!')).toBeVisible();
  await expect(
    page.getByText('You are signed in as Resident; this signs you in to the new account instead'),
  ).toBeVisible();
  await page.goto('/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Resident');
});

test('a linked pilot registers again and keeps the account that is signed in', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Old Name' });
  const url = await givenLink();
  await query(
    service.app.orm.em.fork(),
    sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
        values (${new URL(url).searchParams.get('discord_id')}, ${pilot.id}, 'old', now() - interval '1 day')`,
  );
  const page = await openAs(browser, service, pilot);
  await register(page, url, 'New Name');
  await expect(
    page.getByText('Your Discord account was registered already. Your profile has been updated.'),
  ).toBeVisible();
  await expect(page.getByText(pilot.id)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('New Name');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, New Name');
});

test('the success page opened by hand says so and leads to the sign-in', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.goto('/discord/registration/success');
  await expect(page.getByText('No registration was completed in this tab')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in to the admin portal' }).click();
  await expect(page).toHaveURL(`${service.url}/login`);
});

test('a sign-in link does nothing until its button is pressed, and works once', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const answered = page.waitForResponse((response) => response.url().includes('completeRegistration'));
  await register(page, await givenLink(), 'Linked');
  const [answer] = await (await answered).json();
  const link: string = answer.result.data.signInUrl;

  const preview = await openAs(browser, service, null);
  await preview.goto(link);
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Sign in with your link');
  const holder = await openAs(browser, service, null);
  await holder.goto(link);
  await button(holder, 'Sign In').click();
  await expect(holder).toHaveURL(`${service.url}/credentials`);
  await expect(holder.getByText('You are signed in as Linked.')).toBeVisible();
  await holder.getByRole('link', { name: 'Not now' }).click();
  await expect(holder.getByRole('heading', { level: 1 })).toHaveText('Welcome, Linked');
  await button(preview, 'Sign In').click();
  await expect(alert(preview)).toHaveText(DEAD_LINK);

  // the profile links there, and shows no placeholder address
  await holder.goto('/profile/me');
  await expect(holder.getByRole('link', { name: 'Set email and password' }).first()).toHaveAttribute(
    'href',
    '/credentials',
  );
  await expect(holder.locator('body')).not.toContainText('.invalid');
});

test('every state: axe finds nothing in both schemes, and nothing overflows', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const found: string[] = [];
  const look = async (state: string) => {
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      if (overflows) found.push(`${state} at ${width} overflows`);
    }
    found.push(...(await findInSchemes(page)).map((violation) => `${state}: ${violation}`));
  };
  await page.goto('/discord/registration?discord_id=1234567890123456789&guild_id=1&session=x');
  await expect(alert(page)).toBeVisible();
  await look('error');
  await page.goto(await givenLink());
  await button(page, 'Complete Registration').click();
  await expect(page.getByText('Call sign is required')).toBeVisible();
  await look('form');
  await fillAndSend(page, 'Longnamewithoutanybreak'.repeat(8));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
  await look('success');
  await button(page, 'Set email and password').click();
  await expect(page.getByLabel('Email')).toBeVisible();
  await look('credentials');
  await page.goto('/sign-in/none');
  await expect(alert(page)).toHaveText(DEAD_LINK);
  await expect(button(page, 'Sign In')).toHaveCount(0);
  await look('dead sign-in link');
  expect(found).toEqual([]);
});
