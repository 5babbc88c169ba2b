/** Recommended times by length and seats, against a real server with pilots whose weeks are known. */
import { expect, test } from '@playwright/test';
import { givenWeeks } from '#tests/harness/crowd-weeks.ts';
import { givenCrowd } from '#tests/harness/crowd.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { CROWD, inZone, panel, today, ZONE } from './board.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: ZONE });
  await givenWeeks(service, await givenCrowd(service, CROWD));
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('recommended times follow the length and the seats, which the address keeps and the form takes over', async ({
  browser,
}) => {
  const date = today().add({ days: 3 }).toString();
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin?day=${date}`);
  const times = panel(page, 'Recommended times');
  const first = times.getByRole('listitem').filter({ has: page.getByText('#1', { exact: true }) });
  const ask = async (search: string) =>
    (await admin.client.call('GET', `/admin/missions/recommended-time?date=${date}&tz=${ZONE}&limit=3&${search}`)).body;

  await times.getByLabel('Length').selectOption({ label: '1 h' });
  await expect(page).toHaveURL(/minutes=60/);
  const [short] = (await ask('minDuration=60')).recommendations;
  await expect(first).toContainText(short.reason);

  await times.getByLabel('Seats to fill').selectOption({ label: 'F-16C Viper' });
  await expect(page).toHaveURL(/seats=2x4/);
  await times.getByLabel('Seats in F-16C Viper').selectOption('60');
  await times.getByLabel('Seats to fill').selectOption({ label: 'A-10C II Warthog' });
  await expect(page).toHaveURL(/seats=2x60(,|%2C)3x4/);
  await times.getByLabel('Seats in A-10C II Warthog').selectOption('64');
  const { recommendations } = await ask('minDuration=60&seats=2x60,3x64');
  const [best] = recommendations;
  expect(best.fillableSeats).toBeGreaterThan(0);
  expect(best.fillableSeats).toBeLessThan(124);
  await expect(first).toContainText(`${best.fillableSeats} of 124 seats · ${best.participantCount} pilots`);
  await expect(times.getByRole('heading', { level: 3 })).toHaveCount(recommendations.length);

  await page.reload();
  await expect(first).toContainText(`${best.fillableSeats} of 124 seats`);
  await expect(times.getByLabel('Seats in F-16C Viper')).toHaveValue('60');
  await first.getByRole('link', { name: 'Use this time, number 1' }).click();
  const end = Temporal.Instant.from(best.startUtc).add({ hours: 1 }).toString();
  await expect(page.getByLabel('Start time')).toHaveValue(inZone(best.startUtc).toPlainTime().toString().slice(0, 5));
  await expect(page.getByLabel('End time')).toHaveValue(inZone(end).toPlainTime().toString().slice(0, 5));
  await expect(page.getByLabel('Slots', { exact: true })).toHaveCount(2);
  await expect(page.getByLabel('Slots', { exact: true }).first()).toHaveValue('60');
  await expect(page.getByLabel('Aircraft', { exact: true }).first()).toHaveValue('2');
  await expect(page.getByLabel('Aircraft', { exact: true }).nth(1)).toHaveValue('3');

  await page.goBack();
  await times.getByRole('button', { name: 'Remove F-16C Viper' }).click();
  await expect(page).toHaveURL(/seats=3x64/);
  await expect(times.getByLabel('Seats to fill')).toBeFocused();
  await times.getByRole('button', { name: 'Remove A-10C II Warthog' }).click();
  await expect(page).not.toHaveURL(/seats/);
  await expect(first).not.toContainText('seats');
});
