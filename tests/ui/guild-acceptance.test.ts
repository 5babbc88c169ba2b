/** A Discord server that waits for an admin, accepted and left on its page. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import type { Emulator } from '#tests/discord/emulator/types.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const LIST = '/admin/discord/guilds';
const NEW = '889900112233445801';
const OPS = '889900112233445810';

let discord: Emulator;
let service: Service;
let admin: Person;

test.beforeAll(async () => {
  discord = await startEmulator({ wideLimits: ['gateway'] });
  discord.addGuild({ id: NEW, name: 'Unknown Wing', channels: [{ id: OPS, name: 'ops' }] });
  service = await startService({
    withClient: true,
    withJobs: true,
    env: { DISCORD_TOKEN: discord.token, DISCORD_CLIENT_ID: discord.applicationId, DISCORD_API_URL: discord.apiUrl },
  });
  admin = await givenAdmin(service);
  await givenGuild(service, NEW, {
    name: 'Unknown Wing',
    isAccepted: false,
    memberCount: 12,
    channels: [{ id: OPS, name: 'ops', can: ['send', 'embed'] }],
  });
});
test.afterAll(async () => {
  await service.stop();
  await discord.stop();
  expect(discord.violations).toEqual([]);
});
closePagesAfterEach();

const main = (page: Page): Locator => page.getByRole('main');
const button = (page: Page, name: string): Locator => main(page).getByRole('button', { name, exact: true });

test('a new server says that it waits; accepting shows its settings, and leaving makes the bot leave', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await page.goto(LIST);
  await expect(page.getByRole('row').filter({ hasText: 'Unknown Wing' })).toContainText('pending');
  await page.getByRole('link', { name: 'View Details of Unknown Wing' }).click();

  const acceptance = page.getByRole('region', { name: 'Accept this Server' });
  const announcement = page.getByRole('region', { name: 'Registration Announcement' });
  const missions = page.getByRole('region', { name: 'Missions in this Server' });
  await expect(acceptance).toContainText('Until you accept this one, it gets no missions');
  await expect(announcement).toContainText('This server waits until an admin accepts it.');
  await expect(announcement).not.toContainText('No postable channels');
  await expect(button(page, 'Resend Registration')).toBeDisabled();
  await expect(missions).toHaveCount(0);
  await expect(main(page)).toContainText('The bot reads the members once you accept this server.');
  expect(await findInSchemes(page)).toEqual([]);

  await button(page, 'Accept server').click();
  await expect(acceptance.getByRole('status')).toHaveText('Server accepted. Choose below where it shows missions.');
  await expect(main(page)).toContainText('active');
  await expect(missions).toBeVisible();
  await expect(button(page, 'Resend Registration')).toBeEnabled();
  await expect
    .poll(() => discord.messages(OPS).map(({ content }) => content.split('.')[0]))
    .toEqual(["Hello, I'm Marshal"]);
  expect(await findInSchemes(page)).toEqual([]);

  await button(page, 'Leave this server').click();
  const dialog = page.getByRole('dialog', { name: 'Leave this server?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await button(page, 'Leave this server').click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(main(page)).toContainText("The bot is no longer in this server. You're seeing saved data.");
  await expect(button(page, 'Leave this server')).toHaveCount(0);
  await expect(button(page, 'Accept server')).toHaveCount(0);
  const audited = await query(
    service.app.orm.em.fork(),
    sql`select action from audit_entry where subject_id = ${NEW} order by occurred_at`,
  );
  expect(audited).toEqual([{ action: 'guild_accepted' }, { action: 'guild_left' }]);
  await page.goto('/admin/audit');
  await expect(main(page)).toContainText('Made the bot leave the server');
});
