/** A week that is saved without a network: kept on the device, sent when the network is back, compared where it changed meanwhile. */
import { expect, test, type Page } from '@playwright/test';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach } from './pages.ts';
import { block, cell, givenWeek, openWeek, readTemplates, saveButton, slot } from './weeks.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Waiting for network.' });

async function slotsOf(pilot: Person) {
  const [template] = await readTemplates(pilot);
  return template?.slots.map(({ weekday, startLocal, endLocal }: ReturnType<typeof slot>) =>
    [weekday, startLocal, endLocal].join(' '),
  );
}

test('a week saved without a network waits, can be taken back, and is stored once the network is back', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const page = await openWeek(browser, service, pilot);
  const saves: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('availability.saveWeek')) saves.push(request.url());
  });
  await cell(page, 'Thursday 19:00 to 20:00').click();
  await page.context().setOffline(true);
  await saveButton(page).click();
  await expect(notice(page)).toContainText("Your week is kept on this device and sent when you're back online.");
  await expect(page.getByText('Waiting for network', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
  await notice(page).getByRole('button', { name: 'Take back' }).click();
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
  await saveButton(page).click();
  await expect(notice(page)).toBeVisible();

  await page.context().setOffline(false);
  await expect(page.getByText('Your week is saved', { exact: true })).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
  await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
  expect(await slotsOf(pilot)).toEqual(['1 18:00 22:00', '4 19:00 20:00']);
  expect(saves).toHaveLength(1);
  // the form goes on with the week that is stored now
  await cell(page, 'Friday 19:00 to 20:00').click();
  await saveButton(page).click();
  await expect(page).toHaveURL(`${service.url}/home`);
  expect(await slotsOf(pilot)).toEqual(['1 18:00 22:00', '4 19:00 20:00', '5 19:00 20:00']);
});

for (const choice of ['Keep mine', 'Take theirs'] as const) {
  test(`a kept week that was saved elsewhere meanwhile is compared, also after a reload: ${choice}`, async ({
    browser,
  }) => {
    const pilot = await givenPerson(service);
    await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
    const page = await openWeek(browser, service, pilot);
    await cell(page, 'Thursday 19:00 to 20:00').click();
    await page.context().setOffline(true);
    await saveButton(page).click();
    await expect(notice(page)).toBeVisible();
    const [{ id }] = await readTemplates(pilot);
    const path = `/users/${pilot.id}/availability/templates/${id}`;
    await pilot.client.call('PUT', path, { slots: [slot(6, '10:00', '12:00')] });
    await page.context().setOffline(false);
    const conflict = page.getByRole('alert').filter({ hasText: 'Your week was saved somewhere else' });
    await expect(conflict).toContainText('Thu 19:00–20:00');
    await expect(conflict).toContainText('Sat 10:00–12:00');
    await page.goto('/home');
    const link = page.getByRole('link', { name: 'Choose between them' });
    await link.click();
    await expect(block(page, 'Thursday 19:00 to 20:00, Any Aircraft')).toBeVisible();
    await conflict.getByRole('button', { name: choice }).click();
    if (choice === 'Take theirs') {
      await expect(block(page, 'Saturday 10:00 to 12:00, Any Aircraft')).toBeVisible();
      await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
      await page.goto('/home');
    }
    await expect(page).toHaveURL(`${service.url}/home`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
    await expect(link).toHaveCount(0);
    expect(await slotsOf(pilot)).toEqual(
      choice === 'Keep mine' ? ['1 18:00 22:00', '4 19:00 20:00'] : ['6 10:00 12:00'],
    );
  });
}
