/** What the pages of Discord servers say of the bot and of the latest announcement, and that it stays true by itself. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/db/query.ts';
import { announce } from '#server/services/announce.ts';
import { beat } from '#server/services/discord/lease.ts';
import type { BotState } from '#shared/schemas/bot.ts';
import { givenAdmin, givenPerson, type Person } from '#tests/given.ts';
import { givenAnnouncement, givenGuild } from '#tests/guilds.ts';
import { startService, type Service } from '#tests/service.ts';
import { findViolations } from './faults.ts';
import { closePagesAfterEach, cutOffLive, openAs } from './pages.ts';

const LIST = '/admin/discord/guilds';
const WING = '889900112233445601';
const QUIET = '889900112233445602';
const APPLICATION = '112233445566778899';
const UP: BotState = {
  isConnected: true,
  hasMembersIntent: true,
  botUserId: '99887766554433221',
  botName: 'Marshal',
  problem: null,
};

let service: Service;
let admin: Person;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({
    withClient: true,
    env: { DISCORD_TOKEN: 'not-a-token', DISCORD_CLIENT_ID: APPLICATION, DISCORD_API_URL: 'http://127.0.0.1:9' },
  });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Ember' });
  const can = ['send', 'embed'] as const;
  await givenGuild(service, WING, {
    name: 'Lantern Wing',
    memberCount: 120,
    byDefault: 'ops',
    channels: [
      { name: 'ops', can },
      { name: 'news', can },
    ],
    members: [{ name: 'ember' }],
  });
  await givenGuild(service, QUIET, { name: 'Quiet Field', memberCount: 42, channels: [{ name: 'ops', can }] });
});
test.afterAll(() => service.stop());
test.beforeEach(() => rows(sql`delete from bot_lease`));
closePagesAfterEach();

function rows<Row>(statement: Parameters<typeof query<Row>>[1]): Promise<Row[]> {
  return query<Row>(service.app.orm.em.fork(), statement);
}
const heartbeat = (state: BotState) => beat(service.app.orm.em.fork(), { instanceId: 'a', state });
const tell = () => announce(service.app.orm.em.fork(), ['guilds', 'admins']);

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

test('a bot that connects and loses Discord is followed live on every page it matters to', async ({ browser }) => {
  const list = await openAdmin(browser, LIST);
  await expect(notices(list)).toHaveText([
    'Bot offline. It has not connected to Discord yet. What stands here is what it last saw.',
  ]);
  const detail = await openAdmin(browser, `${LIST}/${WING}`);
  const board = await openAdmin(browser, '/admin');
  await expect(notices(board)).toHaveText([/^Bot offline\. It has not connected to Discord yet\./]);

  await heartbeat(UP);
  for (const page of [list, detail, board]) await expect(notices(page)).toHaveCount(0);
  await expect(main(list)).toContainText('Marshal is online');

  await heartbeat({ ...UP, isConnected: false, problem: 'Discord refuses the token.' });
  const since = /Bot offline since \w{3}, \w{3} \d+ \d{4}Z \d{4}L\. Discord refuses the token\./;
  for (const page of [list, detail, board]) await expect(notices(page)).toHaveText([since]);
  await expect(main(list)).not.toContainText('is online');
  expect(await findViolations(list)).toEqual([]);
  await notices(board).getByRole('link', { name: 'Discord Guilds' }).click();
  await expect(main(board).getByRole('heading', { level: 1 })).toHaveText('Discord Guilds');
});

test('a bot that dies is seen to be gone without a word from anybody', async ({ browser }) => {
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
  await expect(notices(page)).toHaveText([/^Bot offline since .*Z .*L\. What stands here is what it last saw\.$/]);
});

test('without the members intent nobody is counted as nobody', async ({ browser }) => {
  await heartbeat({ ...UP, hasMembersIntent: false });
  const page = await openAdmin(browser, LIST);
  await expect(notices(page)).toHaveText([
    /^Members intent is off: Discord does not tell who is in these servers\. Switch on/,
  ]);
  await expect(row(page, 'Quiet Field')).toHaveText(/ACTIVE.*42.*Unknown/i);
  await page.getByRole('link', { name: 'View Details of Quiet Field' }).click();
  await expect(notices(page)).toHaveText([/^Members intent is off: Discord does not tell who is in this server\./]);
  await expect(tile(page, 'Total members')).toHaveText('42');
  await expect(tile(page, 'Registered members')).toHaveText('Unknown');
  await expect(tile(page, 'Global event opt-ins')).toHaveText('Unknown');
  await expect(page.getByRole('tabpanel')).toContainText(
    'Members intent is off: Discord does not tell who is in this server.',
  );
  expect(await findViolations(page)).toEqual([]);

  await heartbeat(UP);
  await expect(tile(page, 'Registered members')).toHaveText(/^0/);
  await expect(page.getByRole('tabpanel')).toContainText('No members known yet');
  await expect(notices(page)).toHaveCount(0);
});

test('the bot is added to a server from the list, with what it needs', async ({ browser }) => {
  const page = await openAdmin(browser, LIST);
  const link = main(page).getByRole('link', { name: 'Add to a server' });
  await expect(link).toHaveCount(1);
  const address = new URL((await link.getAttribute('href')) ?? '');
  expect(address.origin + address.pathname).toBe('https://discord.com/oauth2/authorize');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: APPLICATION,
    permissions: '17867064036352',
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
  await expect(main(page)).toContainText('Choose the server. You need its permission Manage Server.');
  await expect(main(page)).not.toContainText('DISCORD_TOKEN');
});

test('what became of the announcement stands beside the button, and follows it', async ({ browser }) => {
  await heartbeat(UP);
  await rows(sql`delete from outbox_message`);
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  await expect(announcement(page)).toContainText('Not announced in this server yet.');
  const time = /· \w{3}, \w{3} \d+ \d{4}Z \d{4}L/.source;
  await givenAnnouncement(service, WING, { channel: 'ops', state: 'queued' });
  for (const [state, errorMessage, said] of [
    ['queued', null, `Being sent to #ops ${time}`],
    ['sending', null, `Being sent to #ops ${time}`],
    ['sent', null, `Sent to #ops ${time}`],
    ['failed', 'Missing Permissions', `Not sent to #ops ${time}Missing Permissions`],
    ['cancelled', null, `Cancelled, not sent to #ops ${time}`],
    ['uncertain', 'Discord did not answer.', `Perhaps sent, perhaps not, to #ops ${time}Discord did not answer\\.`],
  ] as const) {
    await rows(sql`update outbox_message set state = ${state}, error_message = ${errorMessage}, updated_at = now()`);
    await tell();
    await expect(announcement(page).getByRole('paragraph').last()).toHaveText(new RegExp(`^${said}$`));
    await expect(announcement(page).getByRole('button', { name: 'Send again' })).toHaveCount(
      state === 'uncertain' ? 1 : 0,
    );
  }
  expect(await findViolations(page)).toEqual([]);
});

test('an account that is linked shows in the roster by itself', async ({ browser }) => {
  await heartbeat(UP);
  const page = await openAdmin(browser, `${LIST}/${WING}`);
  await expect(row(page, 'ember')).toHaveText(/Not Registered/);
  await rows(sql`insert into discord_account (discord_user_id, user_id, username, linked_at)
                 values (${`${WING}0001`}, ${pilot.id}, 'ember', now())`);
  await tell();
  await expect(row(page, 'ember')).toHaveText(/(?<!Not )Registered.*Linked/);
  await expect(tile(page, 'Registered members')).toHaveText(/^1/);
});
