/** The backups page: what is there, another one at once, what went wrong, and how to restore. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { nameOf } from '#server/backup/rules/names.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { startService } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, hearComplaints, openAs } from './pages.ts';

const DAY_MS = 86_400_000;
const root = mkdtempSync(join(tmpdir(), 'marshal-backups-page-'));
test.afterAll(() => rmSync(root, { recursive: true, force: true }));
closePagesAfterEach();

const button = (page: Page) => page.getByRole('button', { name: 'Back up now' });
const rows = (page: Page) => page.getByRole('table').locator('tbody tr');

test('an old backup is warned of; another is made by keyboard and listed; the commands to restore can be copied', async ({
  browser,
}) => {
  const folder = join(root, 'kept');
  mkdirSync(folder);
  writeFileSync(join(folder, nameOf(new Date(Date.now() - 2 * DAY_MS))), 'x'.repeat(4_800_000));
  const service = await startService({ withClient: true, withJobs: true, env: { BACKUP_DIR: folder } });
  const page = await openAs(browser, service, await givenAdmin(service, 'Europe/Berlin'), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const complaints = hearComplaints(page);
  await page.goto('/admin/backups');
  await expect(page.getByText('The newest backup is more than 30 hours old.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Newest backup' })).toContainText(/2 d.*4\.8 MB.*0317Z/s);
  await expect(rows(page)).toHaveCount(1);
  expect(await findInSchemes(page)).toEqual([]);

  await button(page).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'The backup is done.' })).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  const [, made = ''] = readdirSync(folder).toSorted();
  await expect(rows(page).first()).toContainText(made);
  await expect(page.getByRole('region', { name: 'Newest backup' })).toContainText('under a minute');
  await expect(page.getByText('The newest backup is more than 30 hours old.')).toHaveCount(0);
  await expect(button(page)).toBeEnabled();

  await page.getByRole('button', { name: 'Copy the command: Restore the newest backup' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/restore( --)? latest --replace$/);
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflowOf(page)).toBe(0);
  }
  expect(complaints).toEqual([]);
  await page.goto('/admin/audit');
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText('Started a backup');
  await service.stop();
});

test('a backup that fails says why; a list that does not load offers Retry', async ({ browser }) => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  const service = await startService({ withClient: true, withJobs: true, env: { BACKUP_DIR: file } });
  const page = await openAs(browser, service, await givenAdmin(service));
  const restore = await cutOff(page, 'admin.backups.list');
  await page.goto('/admin/backups');
  await expect(page.getByRole('alert')).toContainText('Error loading backups: ');
  await restore();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('There is no backup yet.')).toBeVisible();
  await button(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The last backup failed: ' })).toContainText(
    `The folder ${file} cannot be made: correct BACKUP_DIR, or give it to this user.`,
  );
  await expect(button(page)).toBeEnabled();
  expect(await findInSchemes(page)).toEqual([]);
  await service.stop();
});

test('without a place for backups, the page says what to set', async ({ browser }) => {
  const service = await startService({ withClient: true, env: { DATA_DIR: root } });
  const page = await openAs(browser, service, await givenAdmin(service));
  await page.goto('/admin/backups');
  await expect(page.getByText('Marshal makes no backups by itself.')).toBeVisible();
  await expect(page.getByText('No backups here yet')).toBeVisible();
  await expect(button(page)).toBeDisabled();
  await service.stop();
});
