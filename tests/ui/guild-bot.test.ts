/** Bot status and latest announcement on the pages of Discord servers, kept up to date without a reload. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { beat } from '#server/discord/bot/lease.ts';
import type { BotState } from '#shared/schemas/bot.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenAnnouncement, givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, cutOffLive, holdBack, openAs } from './pages.ts';

const LIST = '/admin/discord/guilds';
const WING = '889900112233445601';
const QUIET = '889900112233445602';
const OPS = '889900112233445610';
const NEWS = '889900112233445611';
const UP: BotState = {
  isConnected: true,
  hasMembersIntent: true,
  botUserId: '99887766554433221',
  botName: 'Marshal',
  problem: null,
};

let discord: Emulator;
let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  discord = await startEmulator({ wideLimits: ['gateway'] });
  discord.addGuild({
    id: WING,
    name: 'Lantern Wing',
    channels: [
      { id: OPS, name: 'ops' },
      { id: NEWS, name: 'news' },
    ],
  });
  service = await startService({
    withClient: true,
    withJobs: true,
    env: {
      DISCORD_TOKEN: discord.token,
      DISCORD_CLIENT_ID: discord.applicationId,
      DISCORD_API_URL: discord.apiUrl,
    },
  });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Ember' });
  const can = ['send', 'embed'] as const;
  await givenGuild(service, WING, {
    name: 'Lantern Wing',
    memberCount: 120,
    byDefault: 'ops',
    channels: [
      { id: OPS, name: 'ops', can },
      { id: NEWS, name: 'news', can },
    ],
    members: [{ name: 'ember' }],
    roles: ['Pilots'],
  });
  await givenGuild(service, QUIET, { name: 'Quiet Field', memberCount: 42, channels: [{ name: 'ops', can }] });
});
test.afterAll(async () => {
  await service.stop();
  await discord.stop();
  expect(discord.violations).toEqual([]);
});
test.beforeEach(() => rows(sql`delete from bot_lease`));
closePagesAfterEach();

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}
const heartbeat = (state: BotState) => beat(service.app.orm.em.fork(), { instanceId: 'a', state });
const tell = () => transact(service.app.orm.em, async (tx) => emit(tx, { type: 'guild.changed' }));

const main = (page: Page): Locator => page.getByRole('main');
const notices = (page: Page): Locator => main(page).getByRole('status').first().getByRole('paragraph');
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });
const announcement = (page: Page): Locator => page.getByRole('region', { name: 'Registration Announcement' });
const tile = (page: Page, label: string): Locator =>
  main(page).locator('dl > div').filter({ hasText: label }).locator('dd');

async function openAdmin(browser: Parameters<typeof openAs>[0], path: string): Promise<Page> {
  const page = await openAs(browser, service, admin);
  await page.goto(path);
  await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible();
  return page;
}

test('every page that depends on the bot shows live when it connects and loses Discord', async ({ browser }) => {
  const list = await openAdmin(browser, LIST);
  await expect(notices(list)).toHaveText([
    "Bot offline. It has not connected to Discord yet. You're seeing saved data.",
  ]);
  const detail = await openAdmin(browser, `${LIST}/${WING}`);
  const board = await openAdmin(browser, '/admin');
  await expect(notices(board)).toHaveText([/^Bot offline\. It has not connected to Discord yet\./]);

  await heartbeat(UP);
  for (const page of [list, detail, board]) await expect(notices(page)).toHaveCount(0);
  await expect(main(list)).toContainText('Marshal is online');

  await heartbeat({ ...UP, isConnected: false, problem: 'Discord refuses the token.' });
  const since = /Bot offline since \w{3}, \w{3} \d+ \d{4}Z\. Discord refuses the token\./;
  for (const page of [list, detail, board]) await expect(notices(page)).toHaveText([since]);
  await expect(main(list)).not.toContainText('is online');
  expect(await findViolations(list)).toEqual([]);

  await heartbeat({ ...UP, problem: '1 of 3 connections to Discord is down.' });
  const partly = /^Bot not connected to all servers\. 1 of 3 connections to Discord is down\./;
  for (const page of [list, detail, board]) await expect(notices(page)).toHaveText([partly]);
  await expect(main(list)).toContainText('Marshal is online');
  expect(await findViolations(list)).toEqual([]);
  await notices(board).getByRole('link', { name: 'Discord Guilds' }).click();
  await expect(main(board).getByRole('heading', { level: 1 })).toHaveText('Discord Guilds');
});

test('an admin chooses the channel for missions, and a refusal stays beside the form', async ({ browser }) => {
  await heartbeat(UP);
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  const panel = page.getByRole('region', { name: 'Missions in this Server' });
  const save = panel.getByRole('button', { name: 'Save Missions' });
  await expect(save).toBeDisabled();
  await expect(panel.getByLabel('Missions channel').getByRole('option')).toHaveText(['No channel', '#ops', '#news']);
  await panel.getByLabel('Missions channel').selectOption('#news');
  await panel.getByLabel('Mention with each new mission').selectOption('@Pilots');
  await save.click();
  await expect(panel.getByRole('status')).toHaveText(/^Saved\./);
  expect(
    await rows(sql`select missions_channel_id as channel, missions_role_id as role from guild where id = ${WING}`),
  ).toEqual([{ channel: NEWS, role: `${WING}90` }]);
  expect(await findViolations(page)).toEqual([]);

  await rows(sql`update guild_channel set is_nsfw = true where id = ${OPS}`);
  await panel.getByLabel('Missions channel').selectOption('#ops');
  await save.click();
  await expect(panel.getByRole('alert')).toContainText('This channel is age-restricted');
  await rows(sql`update guild_channel set is_nsfw = false where id = ${OPS}`);
});

test('a bot that dies is shown as offline without any message from it', async ({ browser }) => {
  await heartbeat(UP);
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  await page.clock.install();
  await page.goto(LIST);
  await expect(main(page)).toContainText('Marshal is online');
  await rows(
    sql`update bot_lease set expires_at = now() - interval '1 second', beat_at = now() - interval '16 seconds'`,
  );
  await page.clock.runFor(11_000);
  await expect(notices(page)).toHaveText([/^Bot offline since .*\d{4}Z\. You're seeing saved data\.$/]);
});

test('without the members intent, pages explain it and show unknown counts instead of zero', async ({ browser }) => {
  await heartbeat({ ...UP, hasMembersIntent: false });
  const page = await openAdmin(browser, LIST);
  await expect(notices(page)).toHaveText([
    /^Members intent is off: Discord doesn't say who is in these servers\. Switch on/,
  ]);
  await expect(row(page, 'Quiet Field')).toHaveText(/ACTIVE.*42.*Unknown/i);
  await page.getByRole('link', { name: 'View Details of Quiet Field' }).click();
  await expect(notices(page)).toHaveText([/^Members intent is off: Discord doesn't say who is in this server\./]);
  await expect(tile(page, 'Total members')).toHaveText('42');
  await expect(tile(page, 'Registered members')).toHaveText('Unknown');
  await expect(tile(page, 'Global event opt-ins')).toHaveText('Unknown');
  await expect(page.getByRole('tabpanel')).toContainText(
    "Members intent is off, so Discord doesn't say who is in this server.",
  );
  expect(await findViolations(page)).toEqual([]);

  await heartbeat(UP);
  await expect(tile(page, 'Registered members')).toHaveText(/^0/);
  await expect(page.getByRole('tabpanel')).toContainText('No members known yet');
  await expect(notices(page)).toHaveCount(0);
});

test('the list has an install link with the permissions that the bot needs', async ({ browser }) => {
  const page = await openAdmin(browser, LIST);
  const link = main(page).getByRole('link', { name: 'Add to a server' });
  await expect(link).toHaveCount(1);
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.origin + address.pathname).toBe('https://discord.com/oauth2/authorize');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: discord.applicationId,
    permissions: '17918603643904',
    scope: 'bot applications.commands',
  });
  await page.route(
    (url) => url.pathname.includes('discord.guilds'),
    async (route) => {
      const answer = await route.fetch();
      const names = new URL(route.request().url()).pathname.replace('/trpc/', '').split(',');
      const all: unknown[] = await answer.json();
      await route.fulfill({
        json: all.map((one, at) => (names[at] === 'discord.guilds' ? { result: { data: [] } } : one)),
      });
    },
  );
  await page.reload();
  await expect(main(page)).toContainText('No Guilds Found');
  await expect(link).toHaveCount(1);
  await page.getByText('How to install').click();
  await expect(main(page)).toContainText('Choose the server. You need the Manage Server permission there.');
  await expect(main(page)).not.toContainText('DISCORD_TOKEN');
  // the page may be reading the list again while it closes
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the state of the announcement is shown next to the button and updates live', async ({ browser }) => {
  await heartbeat(UP);
  await rows(sql`delete from discord_post`);
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  await expect(announcement(page)).toContainText('Not announced in this server yet.');
  const time = /· \w{3}, \w{3} \d+ \d{4}Z/.source;
  await givenAnnouncement(service, WING, { channelId: OPS, state: 'dropped' });
  for (const [state, errorMessage, said] of [
    ['dropped', null, `Cancelled, not sent to #ops ${time}`],
    ['queued', null, `Sending to #ops ${time}`],
    ['sending', null, `Sending to #ops ${time}`],
    ['sent', null, `Sent to #ops ${time}`],
    ['failed', 'Missing Permissions', `Not sent to #ops ${time}Missing Permissions`],
    ['uncertain', 'Discord did not answer.', `May have been sent to #ops ${time}Discord did not answer\\.`],
  ] as const) {
    await rows(sql`update discord_post set updated_at = now()`);
    await rows(sql`update delivery set state = ${state}, error_message = ${errorMessage} where channel = 'discord'`);
    await tell();
    await expect(announcement(page).getByRole('paragraph').last()).toHaveText(new RegExp(`^${said}$`));
    await expect(announcement(page).getByRole('button', { name: 'Send again' })).toHaveCount(
      state === 'uncertain' ? 1 : 0,
    );
  }
  expect(await findViolations(page)).toEqual([]);
});

test('a newly linked account appears in the roster without a reload', async ({ browser }) => {
  await heartbeat(UP);
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  await expect(row(page, 'ember')).toHaveText(/Not Registered/);
  await rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                 values (${`${WING}0001`}, ${pilot.id}, 'ember', now())`);
  await tell();
  await expect(row(page, 'ember')).toHaveText(/(?<!Not )Registered.*Linked/);
  await expect(tile(page, 'Registered members')).toHaveText(/^1/);
});

test('several clicks on Resend post once, in the chosen channel, with a confirmation; a refusal by Discord is shown', async ({
  browser,
}) => {
  await heartbeat(UP);
  await rows(sql`delete from discord_post`);
  const page = await openAdmin(browser, `${LIST}/${WING}?tab=events`);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const alert = announcement(page).getByRole('alert');
  const channel = announcement(page).getByLabel('Channel');
  await expect(channel).toHaveValue(OPS);
  await expect(channel.getByRole('option')).toHaveText(['#ops (default)', '#news']);
  const release = await holdBack(page, 'discord.resendRegistration');
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes('resendRegistration')) asked.push(request.postDataJSON());
  });
  await button('Resend Registration').dblclick();
  await expect(button('Sending...')).toBeDisabled();
  await channel.selectOption('#news');
  release();
  const done = announcement(page).getByRole('status');
  await expect(done).toHaveText('Registration announcement sent to #ops.');
  await expect(announcement(page).getByRole('paragraph').last()).toHaveText(/^Sent to #ops · .*\d{4}Z$/);
  await expect(row(page, 'Announcement sent')).toContainText('ops');
  expect(asked).toEqual([{ 0: { guildId: WING, channelId: OPS, registrationBaseUrl: service.url } }]);
  expect([discord.messages(OPS).length, discord.messages(NEWS).length]).toEqual([1, 0]);

  // another channel at once is a flood, a minute later it is not
  await button('Resend Registration').click();
  await expect(alert).toHaveText(
    'Failed to send registration: 429 - The registration was announced in this server a moment ago. Please wait a minute.',
  );
  await expect(alert).toBeFocused();
  await rows(sql`update discord_post set created_at = created_at - interval '2 minutes'`);
  discord.fail({
    method: 'POST',
    path: /messages$/,
    kind: 'status',
    status: 403,
    code: 50001,
    message: 'Missing Access',
  });
  await button('Resend Registration').click();
  const refusal = 'The bot cannot post in #news. It lacks the permission View Channel.';
  await expect(alert).toHaveText(refusal);
  await expect(announcement(page).getByRole('paragraph').last()).toHaveText(
    new RegExp(`^Not sent to #news · .*${refusal}$`),
  );
  await expect(channel.getByRole('option')).toHaveText(['#ops (default)']);
  await expect(done).toBeHidden();

  // the delivery is uncertain: an admin who sends it again reads that there may be two
  await rows(sql`update delivery set state = 'uncertain' where state = 'failed' and channel = 'discord'`);
  await tell();
  const dialog = page.getByRole('dialog', { name: 'Send the announcement again?' });
  await expect(button('Send again')).toBeVisible();
  await button('Resend Registration').click();
  await expect(dialog).toContainText('If it was, there will be two posts.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(button('Resend Registration')).toBeFocused();
  await button('Send again').click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(done).toHaveText('Registration announcement sent to #ops.');
  await expect(button('Send again')).toHaveCount(0);
  expect(discord.messages(OPS).length).toBe(2);
  expect(asked).toHaveLength(4);
});

test('without a token the pages name the setting, and posting is disabled', async ({ browser }) => {
  const plain = await startService({ withClient: true, beside: service });
  try {
    const page = await openAs(browser, plain, admin);
    await page.goto(LIST);
    await expect(notices(page)).toHaveText([/^Discord is not configured\. .*Set DISCORD_TOKEN and DISCORD_CLIENT_ID/]);
    await expect(main(page).getByRole('link', { name: 'Add to a server' })).toHaveCount(0);
    await page.getByRole('link', { name: 'View Details of Lantern Wing' }).click();
    await expect(notices(page)).toHaveText([/^Discord is not configured\./]);
    await expect(announcement(page)).toContainText(
      'Discord is not configured: DISCORD_TOKEN is not set, so nothing can be posted.',
    );
    await expect(announcement(page)).not.toContainText('No postable channels');
    await expect(main(page)).not.toContainText('The bot needs the permission');
    await expect(tile(page, 'Postable channels')).toHaveText('Unknown');
    await page.goto(`${LIST}/${QUIET}`);
    await expect(main(page)).toContainText('The bot loads them once Discord is configured.');
    await expect(tile(page, 'Postable channels')).toHaveText('Unknown');
    await expect(page.getByRole('button', { name: 'Resend Registration' })).toBeDisabled();
    await page.goto('/admin');
    await expect(page.getByRole('heading', { name: 'Next 7 Days', exact: true })).toBeVisible();
    await expect(notices(page)).toHaveCount(0);
    expect((await admin.client.call('GET', '/discord/bot')).body).toMatchObject({ isConfigured: true });
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await plain.stop();
  }
});

test('a new installation without a token has no saved data, and no link that installs a bot which does not run', async ({
  browser,
}) => {
  const fresh = await startService({ withClient: true, env: { DISCORD_CLIENT_ID: discord.applicationId } });
  try {
    const page = await openAs(browser, fresh, await givenAdmin(fresh));
    await page.goto(LIST);
    await expect(main(page)).toContainText('No Guilds Found');
    await expect(notices(page)).toHaveText([/^Discord is not configured\. Set DISCORD_TOKEN/]);
    await expect(main(page)).not.toContainText('saved data');
    await expect(main(page).getByRole('link', { name: 'Add to a server' })).toHaveCount(0);
    await main(page).getByText('How to install').click();
    await expect(main(page).getByRole('listitem').nth(1)).toContainText('DISCORD_TOKEN');
    expect(await findViolations(page)).toEqual([]);
  } finally {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await fresh.stop();
  }
});

test('threads for missions are turned on and stay so, and the page says which permissions they need', async ({
  browser,
}) => {
  const id = '700600500400300777';
  await givenGuild(service, id, { name: 'Thread Wing', channels: [{ name: 'missions', can: ['send', 'embed'] }] });
  const page = await openAs(browser, service, admin);
  await page.goto(`${LIST}/${id}`);
  const box = page.getByRole('checkbox', { name: 'Start a thread for each mission' });
  await expect(box).not.toBeChecked();
  await expect(page.getByText('Create Public Threads and Send Messages in Threads')).toBeVisible();
  await box.check();
  await page.getByRole('button', { name: 'Save Missions' }).click();
  await expect(page.getByText('Saved. Missions')).toBeVisible();
  await page.reload();
  await expect(box).toBeChecked();
});
