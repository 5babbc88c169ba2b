/** Discord on the site: signing in by it, the profile's panel, and registering without the bot's link. */
import { expect, test, type Page } from '@playwright/test';
import { sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { linkAccount } from '#server/discord/sign-in/link.ts';
import { issueSignInLink, signInUrl } from '#server/accounts/sign-in-links.ts';
import { givenStoredGuild, givenStoredMember, startVisits, type VisitWorld } from '#tests/discord/visits.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, hearComplaints, openAs } from './pages.ts';
import { button, openProfile, region, toasts } from './profiles.ts';

const NOT_LINKED =
  'This Discord account is not linked to a pilot yet. Sign in with email and password and link it on your profile, or register from your Discord server.';
const INVALID = 'Invalid registration link. Please start the registration process from Discord.';

let world: VisitWorld;
test.beforeAll(async () => {
  world = await startVisits({ withClient: true, env: { DISCORD_TOKEN: 'a-bot' } });
  await givenStoredGuild(world, world.guildId);
});
test.afterAll(async () => {
  await world.service.stop();
  expect(world.emulator.violations).toEqual([]);
  await world.emulator.stop();
});
closePagesAfterEach();

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const panel = (page: Page) => region(page, 'Discord');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function giveLink(pilot: Person, discordUserId: string, username: string): Promise<void> {
  await transact(world.service.app.orm.em.fork(), (tx) =>
    linkAccount(tx, pilot.id, { discordUserId, username }, new Date()),
  );
}

/** Consents on Discord's page as a user, or presses Cancel. */
async function answerDiscord(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL((url) => url.origin === world.emulator.url);
  await button(page, name).click();
}

test('signing in with Discord leads back to the requested page', async ({ browser }) => {
  const pilot = await givenPerson(world.service, { displayName: 'Halo' });
  await giveLink(pilot, world.givenDiscordUser('halo'), 'halo');
  const page = await openAs(browser, world.service, null);
  const complaints = hearComplaints(page);
  await page.goto('/availability?view=list');
  await expect(page).toHaveURL(/\/login$/);
  await link(page, 'Sign in with Discord').click();
  await answerDiscord(page, 'halo');
  await expect(page).toHaveURL(`${world.service.url}/availability?view=list`);
  await expect(page.getByRole('banner')).toContainText('Halo');
  expect(complaints).toEqual([]);
});

test('with the service worker installed, the callback is requested once', async ({ browser }) => {
  const pilot = await givenPerson(world.service, { displayName: 'Keeper' });
  await giveLink(pilot, world.givenDiscordUser('keeper'), 'keeper');
  const page = await openAs(browser, world.service, null, { serviceWorkers: 'allow' });
  await page.goto('/login');
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  await link(page, 'Sign in with Discord').click();
  await answerDiscord(page, 'keeper');
  await expect(heading(page)).toHaveText('Welcome, Keeper');
});

test('an unlinked Discord account is told what to do, and signing in with a password continues', async ({
  browser,
}) => {
  const pilot = await givenPerson(world.service);
  world.givenDiscordUser('unknown');
  const page = await openAs(browser, world.service, null);
  await page.goto('/profile/me');
  await link(page, 'Sign in with Discord').click();
  await answerDiscord(page, 'unknown');
  await expect(page.getByRole('alert')).toHaveText(NOT_LINKED);
  await expect(page.getByRole('alert')).toBeFocused();
  // said once
  await expect(page).toHaveURL(`${world.service.url}/login`);
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign In').click();
  await expect(page).toHaveURL(`${world.service.url}/profile/me`);
});

test('no Discord sign-in is offered where it is not configured', async ({ browser }) => {
  const plain = await startService({ beside: world.service, withClient: true });
  const visitor = await openAs(browser, plain, null);
  const asked = visitor.waitForResponse((response) => response.url().includes('auth.ways'));
  await visitor.goto('/login');
  await asked;
  await expect(button(visitor, 'Sign In')).toBeVisible();
  await expect(link(visitor, 'Sign in with Discord')).toHaveCount(0);
  const page = await openAs(browser, plain, await givenPerson(plain));
  const known = page.waitForResponse((response) => response.url().includes('pilot.discord'));
  await page.goto('/profile/me');
  await known;
  await expect(region(page, 'Who you are')).toBeVisible();
  await expect(panel(page)).toHaveCount(0);
  await Promise.all([visitor.context().close(), page.context().close()]);
  await plain.stop();
});

test('the profile links a Discord account, chooses its messages, and unlinks it', async ({ browser }) => {
  const pilot = await givenPerson(world.service, { displayName: 'Reed' });
  world.givenDiscordUser('reed');
  const page = await openProfile(browser, world.service, pilot, '/profile/me');
  await link(page, 'Link Discord account').click();
  await answerDiscord(page, 'Cancel');
  await expect(panel(page).getByRole('alert')).toHaveText(
    'You declined to share your Discord account, so nothing has changed.',
  );
  await link(page, 'Link Discord account').click();
  await answerDiscord(page, 'reed');
  await expect(toasts(page)).toContainText('Your Discord account is linked.');
  await expect(page).toHaveURL(`${world.service.url}/profile/me#discord`);
  await expect(panel(page)).toContainText(/Linked\s*reed\s*since .*\d{4}Z/);
  await page.reload();
  await expect(panel(page)).toContainText('reed');
  await expect(toasts(page)).not.toContainText('Your Discord account is linked.');

  const choice = panel(page).getByRole('checkbox', { name: 'Frag orders as direct messages' });
  await expect(choice).toBeChecked();
  await choice.click();
  await expect(toasts(page)).toContainText('Frag orders will no longer arrive as direct messages');
  const wants = sql`select wants_orders as wants from discord_account where user_id = ${pilot.id}`;
  expect(await world.rows(wants)).toEqual([{ wants: false }]);
  const mend = await cutOff(page, 'pilot.setDiscord');
  await choice.click();
  await expect(panel(page).getByRole('alert')).toHaveText('Failed to save your choice');
  await expect(choice).not.toBeChecked();
  await mend();

  await button(page, 'Unlink Discord').click();
  const question = page.getByRole('dialog', { name: 'Unlink reed?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(button(page, 'Unlink Discord')).toBeFocused();
  await button(page, 'Unlink Discord').click();
  await question.getByRole('button', { name: 'Unlink' }).click();
  await expect(toasts(page)).toContainText('Discord account unlinked');
  await expect(link(page, 'Link Discord account')).toBeVisible();
  expect(await world.rows(wants)).toEqual([]);
});

test('the profile shows a new link and a refused message live', async ({ browser }) => {
  const pilot = await givenPerson(world.service);
  const page = await openProfile(browser, world.service, pilot, '/profile/me');
  await expect(link(page, 'Link Discord account')).toBeVisible();
  await giveLink(pilot, world.givenDiscordUser('late'), 'late');
  await expect(panel(page)).toContainText('late');
  await expect(panel(page)).not.toContainText('refused');
  await world.rows(sql`update discord_account set dm_closed_at = '2026-03-08T19:05:00Z' where user_id = ${pilot.id}`);
  await page.reload();
  await expect(panel(page)).toContainText(/Discord refused the last direct message: .*1905Z/);
});

test('an account without a password cannot unlink Discord, and signs in by a link from the bot', async ({
  browser,
}) => {
  const pilot = await givenPerson(world.service, { displayName: 'Quill' });
  await giveLink(pilot, world.givenDiscordUser('quill'), 'quill');
  const email = `${pilot.id}@discord.invalid`;
  await world.rows(sql`update app_user set password_hash = null, email = ${email}, email_key = ${email}
                       where id = ${pilot.id}`);
  const give = async (token: string): Promise<string> => {
    await issueSignInLink(world.service.app.orm.em.fork(), pilot.id, token, new Date());
    return signInUrl(world.service.url, token);
  };
  const page = await openAs(browser, world.service, null);
  await page.goto(await give('first'));
  await button(page, 'Sign In').click();
  await expect(page).toHaveURL(`${world.service.url}/credentials`);
  await page.goto('/profile/me');
  await expect(panel(page)).toContainText('Discord is the only way to sign in to this account.');
  await expect(button(page, 'Unlink Discord')).toHaveCount(0);
  await panel(page).getByRole('link', { name: 'Set email and password' }).click();
  await page.getByLabel('Email').fill('quill@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Save').click();
  await expect(heading(page)).toHaveText('Welcome, Quill');

  // now by the password, and with one a link leads home at once
  const fresh = await openAs(browser, world.service, null);
  await fresh.goto('/login');
  await fresh.getByLabel('Email').fill('quill@example.org');
  await fresh.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(fresh, 'Sign In').click();
  await expect(heading(fresh)).toHaveText('Welcome, Quill');
  await fresh.goto('/profile/me');
  await expect(button(fresh, 'Unlink Discord')).toBeVisible();
  const linked = await openAs(browser, world.service, null);
  await linked.goto(await give('second'));
  await button(linked, 'Sign In').click();
  await expect(linked).toHaveURL(`${world.service.url}/home`);
  await expect(heading(linked)).toHaveText('Welcome, Quill');
});

test('without a link from the bot, registration identifies the member by signing in with Discord', async ({
  browser,
}) => {
  const member = world.givenDiscordUser('fresh');
  await givenStoredMember(world, world.guildId, member);
  world.givenDiscordUser('outsider');
  const page = await openAs(browser, world.service, null);
  await page.goto(`/discord/registration?guild_id=${world.guildId}`);
  await expect(page.getByRole('alert')).toHaveText(INVALID);
  await link(page, 'Continue with Discord').click();
  await answerDiscord(page, 'outsider');
  await expect(heading(page)).toHaveText('Registration Error');
  await expect(page.getByRole('alert')).toContainText(INVALID);
  await expect(page.getByRole('alert')).toContainText('not a member of that server');
  await link(page, 'Continue with Discord').click();
  await answerDiscord(page, 'fresh');
  await expect(page.getByText('Lantern Wing')).toBeVisible();
  await page.getByLabel('Call Sign').fill('Fresh');
  await button(page, 'Complete Registration').click();
  await expect(page.getByText('Registration complete. Welcome, Fresh!')).toBeVisible();
});

test('every state: nothing overflows and axe finds nothing in both schemes', async ({ browser }) => {
  const pilot = await givenPerson(world.service);
  const page = await openAs(browser, world.service, pilot);
  const visitor = await openAs(browser, world.service, null);
  const found: string[] = [];
  const check = async (shown: Page, state: string): Promise<void> => {
    for (const width of [1440, 360]) {
      await shown.setViewportSize({ width, height: 900 });
      if ((await overflowOf(shown)) > 0) found.push(`${state} at ${width} overflows`);
    }
    found.push(...(await findInSchemes(shown)).map((violation) => `${state}: ${violation}`));
  };
  await visitor.goto('/login?discord=not-linked');
  await expect(link(visitor, 'Sign in with Discord')).toBeVisible();
  await expect(visitor.getByRole('alert')).toHaveText(NOT_LINKED);
  await check(visitor, 'login');
  await visitor.goto(`/discord/registration?guild_id=${world.guildId}&discord=denied`);
  await expect(link(visitor, 'Continue with Discord')).toBeVisible();
  await check(visitor, 'registration');
  await page.goto('/profile/me?discord=away');
  await expect(panel(page).getByRole('alert')).toBeVisible();
  await check(page, 'not-linked');
  const name = 'a_very_long_name.of_32_characters';
  await giveLink(pilot, world.givenDiscordUser(name), name);
  await world.rows(sql`update discord_account set dm_closed_at = now() where user_id = ${pilot.id}`);
  await page.goto('/profile/me');
  await expect(panel(page)).toContainText('refused');
  await check(page, 'linked');
  await button(page, 'Unlink Discord').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check(page, 'unlink');
  expect(found).toEqual([]);
});
