/**
 * Discord and the site together: an admin announces registration, a member without an account presses its button,
 * registers as a pilot, enters availability, gets an order and accepts it. Everything except the forms is in Discord.
 */
import { expect, test, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import type { SandboxPage } from '#tests/discord/sandbox/page.ts';
import type { WorldGuild } from '#tests/discord/sandbox/world.ts';
import { PASSWORD, type Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import { findViolations } from '#tests/ui/faults.ts';
import { button, createMission, type DiscordSite, startDiscordSite } from './discord-site.ts';

const NEWCOMER = 'afterglow';
const EMAIL = 'afterglow@example.org';
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

let site: DiscordSite;
let emulator: Emulator;
let service: Service;
let sandbox: SandboxPage;
let guild: WorldGuild;
let admin: Person;

test.beforeAll(async () => {
  site = await startDiscordSite();
  ({ emulator, service, sandbox, admin } = site);
  const [first] = site.world.guilds;
  if (!first) throw new Error('the sample has no server');
  guild = first;
});
test.afterAll(() => site.stop());

async function openPage(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options });
  return context.newPage();
}

/** The latest message in the sandbox's current channel. */
const newest = (discord: Page): Locator => discord.getByRole('list', { name: 'Messages' }).getByRole('article').last();

/** Presses until the result shows, because Discord fails an interaction after three seconds on a busy machine. */
async function pressUntil(discord: Page, name: string, shown: () => Locator): Promise<void> {
  await expect(async () => {
    if (!(await shown().isVisible())) await button(newest(discord), name).click({ timeout: 1_000 });
    await expect(shown().or(discord.getByText('This interaction failed')).first()).toBeVisible();
    await expect(shown()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 40_000 });
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/home');
}

test("a member registers from the announcement's button and answers the first order by button", async ({ browser }) => {
  test.setTimeout(120_000);

  // lose the response to the next post, with the sandbox's own control
  // the member lives in UTC, in which the times below are entered
  const discord = await openPage(browser, sandbox.url, { timezoneId: 'UTC' });
  await discord.goto('/');
  await button(discord, 'Next post is cut off after it is done').click();
  await expect(discord.getByText('The answer to the next post will be lost.')).toBeVisible();

  // an admin announces registration, and the post still appears only once
  const ops = await openPage(browser, service.url);
  await signIn(ops);
  await ops.goto('/admin/discord/guilds');
  await ops.getByRole('link', { name: guild.name }).first().click();
  await expect(ops.getByRole('heading', { level: 1 })).toContainText(guild.name);
  await button(ops, 'Resend Registration').click();
  await expect(ops.getByText('Registration announcement sent to #mission-briefs.')).toBeVisible();
  await ops.getByRole('tab', { name: /Roster|Members/ }).click();
  const row = ops.getByRole('row').filter({ hasText: NEWCOMER });
  await expect(row).toContainText('Not Registered');

  // a member without an account presses the button, and only they see the reply
  await discord.getByLabel('You are').selectOption({ label: NEWCOMER });
  await button(discord.getByRole('region', { name: guild.name }), '# mission-briefs').click();
  await expect(newest(discord)).toContainText(guild.name);
  const posts = discord.getByRole('list', { name: 'Messages' }).getByRole('article');
  await expect(posts.filter({ hasText: 'Fly with us' })).toHaveCount(1);
  await button(discord, 'Drop the gateway').click();
  await pressUntil(discord, 'Register', () => newest(discord).getByText('Only you can see this'));
  await discord.getByLabel('You are').selectOption({ label: 'Vesper' });
  await expect(newest(discord)).not.toContainText('Only you can see this');
  await discord.getByLabel('You are').selectOption({ label: NEWCOMER });
  await expect(newest(discord)).toContainText('Only you can see this');

  // the link opens the form, which creates an account
  const [pilot] = await Promise.all([
    discord.waitForEvent('popup'),
    newest(discord).getByRole('link', { name: 'Open registration' }).click(),
  ]);
  await expect(pilot).toHaveURL(/\/discord\/registration/);
  await pilot.getByLabel('Call Sign').fill('Afterglow');
  await button(pilot, 'Complete Registration').click();
  await expect(pilot.getByRole('heading', { level: 1 })).toHaveText('Registration Complete');
  await button(pilot, 'Set email and password').click();
  await pilot.waitForURL('**/credentials');
  await pilot.getByLabel('Email').fill(EMAIL);
  await pilot.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await pilot.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  await button(pilot, 'Save').click();
  await pilot.waitForURL('**/home');
  await expect(pilot.getByRole('heading', { level: 1 })).toHaveText('Welcome, Afterglow');

  // the roster updates without a reload
  await expect(row).toHaveText(/(?<!Not )Registered.*Linked/);

  // the pilot enters availability; times are UTC, the form's default
  const tomorrow = Temporal.Now.plainDateISO('UTC').add({ days: 1 });
  const weekday = WEEKDAYS[tomorrow.dayOfWeek % 7] ?? 'Sunday';
  await pilot.goto(`${service.url}/availability?view=list`);
  await button(pilot, `+ Add Time Slot, ${weekday}`).click();
  await pilot.getByLabel(`${weekday} start`).fill('18:00');
  await pilot.getByLabel(`${weekday} end`).fill('23:00');
  await pilot.getByLabel(`${weekday} aircraft`).selectOption('Any Aircraft');
  await button(pilot, 'Save Availability').click();
  await pilot.waitForURL('**/home');

  // a mission needs a pilot: the order arrives as a direct message, where the pilot accepts it
  await createMission(ops, 'Op Paper Lantern', tomorrow.toString(), 1);
  // registration opened in a new tab in front of this one, and a background tab may not be rendered
  await discord.bringToFront();
  await button(discord.getByRole('region', { name: 'Direct messages' }), /^Marshal/).click();
  const order = newest(discord);
  await expect(order).toContainText('Op Paper Lantern');
  await expect(order).toContainText('F-16C');
  await pressUntil(discord, 'Accept', () => button(order, 'Accepted'));
  await expect(button(order, 'Accepted')).toBeDisabled();
  await expect(button(order, 'Accept')).toHaveCount(0);
  await expect(order).toContainText('This seat is yours.');

  // the site shows the answer
  await pilot.goto(`${service.url}/home`);
  await expect(pilot.getByRole('region', { name: 'Accepted Missions' })).toContainText('Op Paper Lantern');

  await expect(discord.getByLabel('Contract violations')).toHaveText('0');
});

test('the sandbox takes commands with their options, shows user input as text, and is accessible', async ({
  browser,
}) => {
  const page = await openPage(browser, sandbox.url);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const [channel] = guild.channels;
  const hostile = '<img src=x onerror="document.title=1"> **bold** [here](javascript:alert(1)) \\*plain\\* <t:0:F>';
  const posted = await fetch(`${emulator.apiUrl}/v10/channels/${channel?.id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bot ${emulator.token}`,
      'content-type': 'application/json',
      'user-agent': 'DiscordBot (https://example.org, 1.0)',
    },
    body: JSON.stringify({ content: hostile, allowed_mentions: { parse: [] } }),
  });
  expect(posted.status).toBe(200);
  await page.goto('/');
  await page.getByLabel('You are').selectOption({ label: 'hushkit' });
  await button(page.getByRole('region', { name: guild.name }), '# mission-briefs').click();
  await expect(newest(page)).toContainText(
    '<img src=x onerror="document.title=1"> bold [here](javascript:alert(1)) *plain* Wednesday, December 31, 1969',
  );
  await expect(newest(page).locator('strong', { hasText: 'bold' })).toBeVisible();
  await expect(newest(page).locator('img, a')).toHaveCount(0);
  await expect(page).toHaveTitle('Discord sandbox');

  // only members who may manage the server are offered /setup; replies are private
  const commands = page.getByLabel('Command');
  await commands.selectOption('setup channel');
  await page.getByLabel('You are').selectOption({ label: 'pinfold' });
  await expect(commands.locator('option', { hasText: '/setup' })).toHaveCount(0);
  await commands.selectOption('status set');
  await expect(page.getByLabel('minutes (optional)')).toBeVisible();
  await commands.selectOption('help');
  await expect(async () => {
    await button(page, 'Use').click();
    await expect(newest(page)).toContainText('Only you can see this', { timeout: 4_000 });
  }).toPass({ timeout: 40_000 });

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(errors).toEqual([]);
});
