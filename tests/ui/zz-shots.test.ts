import { test } from '@playwright/test';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from '#tests/harness/orders.ts';
import { startService } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
test('shots', async ({ browser }) => {
  test.setTimeout(300_000);
  const service = await startService({ withClient: true });
  const admin = await givenAdmin(service, 'Europe/Berlin');
  const pilot = await givenPilot(service);
  await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName: 'Goose', timeZone: 'Europe/Berlin' });
  await givenMissionIn(service, admin, 30, { name: 'Op Lantern' });
  await respond(pilot, await orderOf(pilot), 'accepted');
  const jester = await givenPerson(service, { displayName: 'Jester' });
  await admin.client.call('POST', `/admin/users/${jester.id}/ban`, { reason: 'Harassed other pilots' });
  await admin.client.call('POST', '/admin/bans', {
    email: 'a@b.example',
    discordUserId: '700800900100200300',
    label: 'The troll of November',
    reason: 'Spam in every channel, with three accounts',
  });
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 360]) {
      const shot = (page: import('@playwright/test').Page, name: string, full = true) =>
        page.screenshot({ path: `/tmp/shots/${name}-${scheme}-${width}.png`, fullPage: full });
      const options = { colorScheme: scheme, viewport: { width, height: 900 } };
      const page = await openAs(browser, service, pilot, options);
      await pilot.client.call('DELETE', `/users/${pilot.id}/leave`);
      await page.goto('/availability');
      const panel = page.getByRole('region', { name: 'Leave of absence' });
      await panel.getByLabel('First date').fill(day(0));
      await panel.getByLabel('Last date').fill(day(4));
      await panel.getByRole('button', { name: 'Set leave' }).click();
      await panel.getByText('Save leave anyway').waitFor();
      await panel.scrollIntoViewIfNeeded();
      await panel.screenshot({ path: `/tmp/shots/leave-${scheme}-${width}.png` });
      await pilot.client.call('PUT', `/users/${pilot.id}/leave`, {
        firstDate: day(0),
        lastDate: day(12),
        reason: 'Moving house',
      });
      await page.goto('/home');
      await page.getByText("I'm back").waitFor();
      await page.waitForTimeout(800);
      await shot(page, 'home', false);
      const boss = await openAs(browser, service, admin, options);
      await boss.goto('/admin/users');
      await boss.getByText('Banned', { exact: true }).waitFor();
      await shot(boss, 'users');
      await boss.getByRole('button', { name: 'Actions for Goose' }).click();
      await boss.waitForTimeout(300);
      await shot(boss, 'menu', false);
      await boss.getByRole('menuitem', { name: 'Leave of absence…' }).click();
      await boss.waitForTimeout(300);
      await shot(boss, 'leave-dialog', false);
      await boss.keyboard.press('Escape');
      await boss.getByRole('button', { name: 'Actions for Goose' }).click();
      await boss.getByRole('menuitem', { name: 'Ban Goose…' }).click();
      await boss.waitForTimeout(300);
      await shot(boss, 'ban-dialog', false);
      await boss.goto('/admin/users/bans');
      await boss.getByText('Jester').waitFor();
      await shot(boss, 'bans');
      await boss.getByRole('button', { name: 'Add', exact: true }).click();
      await boss.waitForTimeout(300);
      await shot(boss, 'add-ban', false);
      await boss.goto(`/admin/users/${pilot.id}/availability`);
      await boss.getByText(/On leave until/).waitFor();
      await shot(boss, 'pilot', false);
      await page.context().close();
      await boss.context().close();
    }
  await service.stop();
});
