/** /admin while time passes: midnight, launches that go, and the days on which clocks change. */
import { expect, test } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { panel, ZONE } from './board.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Ops', timeZone: ZONE });
  const times = { startLocal: hoursFromNow(50), endLocal: hoursFromNow(52) };
  await givenMission(service, admin, { name: 'Op Iron Hound', ...times });
  // without anybody's times the board shows no heat grid
  await givenAlwaysFree(service, admin.id);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('the board moves on at midnight, launches become past, and days at clock changes have 23 or 25 hours', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await page.clock.install({ time: new Date('2027-03-27T22:59:30Z') }); // half a minute to midnight in Berlin
  await page.goto('/admin');
  await expect(page.getByRole('group', { name: 'Day' }).getByRole('button').first()).toContainText('Sat, Mar 27 today');
  await page.clock.runFor(31_000);
  await expect(page.getByRole('group', { name: 'Day' }).getByRole('button').first()).toContainText('Sun, Mar 28 today');
  const short = page.getByRole('grid').getByRole('row', { name: /^Sun 28/ });
  await expect(short.locator('[data-start]')).toHaveCount(23);
  await expect(short.getByText('no such hour')).toHaveCount(1);
  const waiting = await openAs(browser, service, admin);
  await waiting.clock.install();
  await waiting.goto('/admin');
  // not by the date of its row, which is the Zulu date and may differ from the reader's
  const launch = panel(waiting, 'Upcoming launches').locator('time');
  await expect(launch).not.toHaveCount(0);
  await waiting.clock.fastForward('53:00:00');
  await expect(launch).toHaveCount(0);
  const autumn = await openAs(browser, service, admin);
  await autumn.clock.install({ time: new Date('2027-10-30T12:00:00Z') });
  await autumn.goto('/admin');
  const long = autumn.getByRole('grid').getByRole('row', { name: /^Sun 31/ });
  await expect(long.locator('[data-start]')).toHaveCount(25);
  await expect(autumn.getByRole('columnheader', { name: '02L again' })).toHaveCount(1);
  await expect(autumn.getByRole('grid').getByText('no such hour')).toHaveCount(6);
});
