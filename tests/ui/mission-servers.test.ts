/** The choice of Discord servers in the forms that create and edit a mission. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenGuild } from '#tests/harness/guilds.ts';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { loadMission } from '#tests/harness/mission-edits.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const [WING, HARBOUR, QUIET] = ['700600500400300100', '700600500400300200', '700600500400300300'] as const;

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  const can = ['send', 'embed'] as const;
  for (const [id, name] of [
    [WING, 'Lantern Wing'],
    [HARBOUR, 'Quiet Harbour'],
    [QUIET, 'No Missions Here'],
  ] as const) {
    await givenGuild(service, id, { name, channels: [{ name: 'missions', can }] });
  }
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const setUp = (...guildIds: string[]) =>
  query(
    service.app.orm.em.fork(),
    sql`update guild set missions_channel_id =
          case when id = any(${guildIds}::text[]) then (select c.id from guild_channel c where c.guild_id = guild.id) end`,
  );

const servers = (page: Page) => page.getByRole('group', { name: 'Discord servers' });
const times = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };

test('with one server set up there is nothing to choose', async ({ browser }) => {
  await setUp(WING);
  const page = await openAs(browser, service, admin);
  const listed = page.waitForResponse((response) => response.url().includes('discord.guilds'));
  await page.goto('/admin/missions');
  await listed;
  await expect(page.getByRole('button', { name: 'Create Mission' })).toBeVisible();
  await expect(servers(page)).toHaveCount(0);
});

test('a mission is created for one server, then edited to be for all', async ({ browser }) => {
  await setUp(WING, HARBOUR);
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions?start=${times.startLocal}&end=${times.endLocal}&seats=2x2`);
  await page.getByLabel('Mission name').fill('Op Lantern Only');
  await page.getByLabel('Theater').selectOption('Syria');
  await expect(servers(page)).toContainText('All of them show the mission');
  await expect(servers(page).getByRole('checkbox')).toHaveCount(2);
  await servers(page).getByLabel('Quiet Harbour').uncheck();
  await expect(servers(page)).toContainText('Only these show the mission.');
  const creating = page.waitForResponse((response) => response.url().includes('createMission'));
  await page.getByRole('button', { name: 'Create Mission' }).click();
  const [{ result }] = await (await creating).json();
  const missionId: string = result.data.mission.id;
  expect((await loadMission(admin, missionId)).guildIds).toEqual([WING]);

  await page.goto(`/admin/missions/${times.startLocal.slice(0, 10)}?mission=${missionId}`);
  await page.getByRole('button', { name: /^Edit/ }).click();
  await expect(servers(page).getByLabel('Lantern Wing')).toBeChecked();
  await servers(page).getByLabel('Lantern Wing').uncheck();
  await expect(servers(page)).toContainText('No server shows the mission.');
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowOf(page)).toBe(0);
  await servers(page).getByLabel('Lantern Wing').check();
  await servers(page).getByLabel('Quiet Harbour').check();
  await expect(servers(page)).toContainText('All of them show the mission');
  await expect(page.getByRole('status', { name: 'What happens when you save' })).toContainText(
    'No pilots are affected',
  );
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await loadMission(admin, missionId)).guildIds).toBeNull();
});
