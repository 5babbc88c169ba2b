/** A Marshal with its bot, an emulated Discord with the sample's servers, and the sandbox page to click in. */
import { query, sql } from '#server/schema/query.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { startBot } from '#bot/start.ts';
import { startEmulator } from '#tests/discord/emulator/start.ts';
import { startSandboxPage } from '#tests/discord/sandbox/page.ts';
import { addSampleWorld } from '#tests/discord/sandbox/world.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { startService } from '#tests/harness/service.ts';

export type DiscordSite = Awaited<ReturnType<typeof startDiscordSite>>;

/** Everything is real except Discord. */
export async function startDiscordSite() {
  const emulator = await startEmulator({ wideLimits: ['gateway'] });
  const world = addSampleWorld(emulator);
  const service = await startService({
    withClient: true,
    withJobs: true,
    host: '127.0.0.1',
    env: {
      DISCORD_TOKEN: emulator.token,
      DISCORD_API_URL: emulator.apiUrl,
      DISCORD_CLIENT_ID: emulator.applicationId,
      DISCORD_CLIENT_SECRET: emulator.clientSecret,
    },
  });
  const admin = await givenAdmin(service);
  // an admin who accepts every server; tests/ui/guild-acceptance.test.ts has one who looks first
  await query(service.app.orm.em.fork(), sql`alter table guild alter accepted_at set default now()`);
  const bot = startBot({
    token: emulator.token,
    apiUrl: emulator.apiUrl,
    serverUrl: service.url,
    serverToken: service.app.botToken,
    publicUrl: service.url,
    instanceId: 'e2e',
    log: service.app.log,
  });
  const sandbox = await startSandboxPage({ emulator, world, siteUrl: service.url });
  return {
    emulator,
    world,
    service,
    admin,
    sandbox,
    /** Stop everything, and check that there was no violation of Discord's contract. */
    async stop(): Promise<void> {
      await bot.stop();
      await sandbox.stop();
      await service.stop();
      const violations = [...emulator.violations];
      await emulator.stop();
      expect(violations).toEqual([]);
    },
  };
}

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true });

/** Creates a mission of Vipers for CAP with the form, 19:00 to 22:00 in the admin's zone. */
export async function createMission(ops: Page, name: string, date: string, seats: number): Promise<void> {
  await ops.goto('/admin/missions');
  await ops.getByLabel('Mission name').fill(name);
  await ops.getByLabel('Theater').selectOption('Syria');
  await ops.getByLabel('Start date').fill(date);
  await ops.getByLabel('Start time').fill('19:00');
  await ops.getByLabel('End date').fill(date);
  await ops.getByLabel('End time').fill('22:00');
  await button(ops, 'Add Aircraft').click();
  const group = ops.getByRole('group', { name: 'Aircraft 1' });
  const aircraft = group.getByLabel('Aircraft', { exact: true });
  const viper = await aircraft.locator('option').filter({ hasText: /F-16C/ }).first().getAttribute('value');
  await aircraft.selectOption(viper ?? '');
  await group.getByLabel('Slots').fill(String(seats));
  await group.getByLabel('Role').selectOption('CAP');
  await group.getByText('Blue', { exact: true }).click();
  await button(ops, 'Create Mission').click();
  await expect(ops.getByText('Mission Created Successfully!')).toBeVisible();
}
