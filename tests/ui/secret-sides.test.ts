/** The choice of secret sides in the forms that create and edit a mission, and what a member without a seat reads. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow } from '#tests/harness/given.ts';
import { loadMission } from '#tests/harness/mission-edits.ts';
import { orderOf, respond } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const secret = (page: Page) => page.getByRole('checkbox', { name: 'Secret sides' });
const times = { startLocal: hoursFromNow(40), endLocal: hoursFromNow(42) };

test('sides are secret once both have seats, until an admin opens them; members then read who flies', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const vesper = await givenPerson(service, { displayName: 'Vesper' });
  await givenAlwaysFree(service, vesper.id, 2);
  const wanda = await givenPerson(service, { displayName: 'Wanda' });
  const page = await openAs(browser, service, admin);
  await page.goto(`/admin/missions?start=${times.startLocal}&end=${times.endLocal}&seats=2x2`);
  await page.getByLabel('Mission name').fill('Op Open Sides');
  await page.getByLabel('Theater').selectOption('Syria');
  await expect(secret(page)).not.toBeChecked();
  await expect(secret(page)).toHaveAccessibleDescription(/^All members, and Discord, see who flies where\./);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await page.getByLabel('Aircraft', { exact: true }).last().selectOption({ label: 'A-10C II Warthog (A-10C_2)' });
  await page.getByText('Red', { exact: true }).last().click();
  await expect(secret(page)).toBeChecked();
  await expect(secret(page)).toHaveAccessibleDescription(/^Pilots see their own side only\./);
  const creating = page.waitForResponse((response) => response.url().includes('createMission'));
  await page.getByRole('button', { name: 'Create Mission' }).click();
  const [{ result }] = await (await creating).json();
  const missionId: string = result.data.mission.id;
  expect((await loadMission(admin, missionId)).secretSides).toBeNull();
  await respond(vesper, await orderOf(vesper), 'accepted');

  const member = await openAs(browser, service, wanda);
  await member.goto(`/missions/${missionId}`);
  await expect(member.getByText('The sides of this mission are secret.')).toBeVisible();
  await expect(member.getByText('1 seat open').first()).toBeVisible();
  await expect(member.getByText('Vesper')).toHaveCount(0);

  await page.goto(`/admin/missions/${times.startLocal.slice(0, 10)}?mission=${missionId}`);
  await page.getByRole('button', { name: /^Edit/ }).click();
  await expect(secret(page)).toBeChecked();
  await secret(page).uncheck();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowOf(page)).toBe(0);
  await expect(page.getByRole('status', { name: 'What happens when you save' })).toContainText(
    'No pilots are affected',
  );
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await loadMission(admin, missionId)).secretSides).toBe(false);

  await member.reload();
  await expect(member.getByRole('list', { name: /^Crew of/ }).first()).toContainText('Vesper');
  await expect(member.getByText('You see frequencies, flight notes and links once you have a seat')).toBeVisible();
  await expect(member.getByRole('table', { name: 'Comm ladder' })).toHaveCount(0);
  expect(await findViolations(member)).toEqual([]);
  await expect(member.getByText('Radio')).toHaveCount(0);
});
