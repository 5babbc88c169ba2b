/** Pilots who no longer fit an edited mission, named on the form before it is saved. */
import { expect, test } from '@playwright/test';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { dateIn, givenFlight, openMission, orderIn } from './mission-cards.ts';
import { closePagesAfterEach } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'UTC' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.beforeEach(() => retirePilots(service));

async function givenUntil(displayName: string, date: string, endLocal: string): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  const free = { dateLocal: date, kind: 'available', startLocal: '17:00', endLocal, aircraftCodeId: 0 };
  expect((await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, free)).status).toBe(201);
  return pilot;
}

test('the form names who no longer fits and why; one is kept, the other loses the seat and reads the reason', async ({
  browser,
}) => {
  const date = dateIn(10);
  const pilots = [
    await givenUntil('Anvil', date, '22:00'),
    await givenUntil('Birch', date, '22:30'),
    await givenUntil('Cedar', date, '23:30'),
  ];
  await givenFlight(service, admin, 'Op Later', date, 3);
  for (const pilot of pilots) await respond(pilot, await orderIn(pilot, 'Op Later'), 'accepted');
  const [page, card] = await openMission(browser, service, admin, date, 'Op Later');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('End time').fill('23:00');
  await card.getByLabel('Notes', { exact: true }).focus();
  const misfits = card.getByRole('group', { name: 'Pilots who no longer fit' });
  await expect(misfits).toContainText('2 pilots no longer fit and will lose their seats, unless you keep them:');
  await expect(misfits).toContainText('Anvil is not available from 2200Z to 2300Z.');
  await expect(misfits).toContainText('Birch is not available from 2230Z to 2300Z.');
  await expect(misfits).not.toContainText('Cedar');
  const said = card.getByRole('status', { name: 'What happens when you save' });
  await expect(said).toHaveText('End changed. 1 pilot, who had accepted, will be asked again.');
  await misfits.getByRole('checkbox', { name: /^Keep Birch on Viper 1, seat \d, accepted$/ }).check();
  await expect(misfits).toContainText('1 pilot no longer fits and will lose the seat, unless you keep them:');
  await expect(said).toHaveText('End changed. 2 pilots will be asked again; all had accepted.');
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 740 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(
    card.getByRole('status').filter({ hasText: 'Saved: 2 pilots asked again, 1 seat freed.' }),
  ).toBeVisible();

  const [lost, kept, fits] = await Promise.all(pilots.map((pilot) => orderIn(pilot, 'Op Later')));
  expect([lost, kept.rsvp, fits.rsvp]).toEqual([undefined, 'pending', 'pending']);
  expect(kept.reasons[0]).toBe('An admin kept you on this seat.');
  const { body: notices } = await (pilots[0] ?? admin).client.call('GET', '/pilot/notices');
  expect(notices[0].sentence).toContain('You are not available from 2200Z to 2300Z.');
});

test("a package's name and objective, and a flight's launch, are set on the form and shown on the mission's page", async ({
  browser,
}) => {
  const date = dateIn(12);
  const pilot = await givenUntil('Anvil', date, '23:00');
  const id = await givenFlight(service, admin, 'Op Terms', date, 1);
  await respond(pilot, await orderIn(pilot, 'Op Terms'), 'accepted');
  const [page, card] = await openMission(browser, service, admin, date, 'Op Terms');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('Package', { exact: true }).fill('HAMMER');
  await card.getByLabel('Objective').fill('Bridge at DT 45 12');
  await card.getByLabel('Launch (+min)').fill('soon');
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('alert')).toHaveText('Please enter whole minutes after the start, 0 to 1440');
  await card.getByLabel('Launch (+min)').fill('40');
  const said = card.getByRole('status', { name: 'What happens when you save' });
  await expect(said).toContainText('1 pilot will be notified.');
  await card.getByLabel('Launch (+min)').fill('55');
  await expect(said).toHaveText('Viper 1 launch changed. 1 pilot, who had accepted, will be asked again.');
  expect(await findViolations(page)).toEqual([]);
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('status').filter({ hasText: 'Saved: 1 pilot asked again.' })).toBeVisible();
  await page.goto(`${service.url}/missions/${id}`);
  await expect(page.locator('main')).toContainText('HAMMER');
  await expect(page.locator('main')).toContainText('Bridge at DT 45 12');
  await expect(page.locator('main')).toContainText('1855Z');
});
