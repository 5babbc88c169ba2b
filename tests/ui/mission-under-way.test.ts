/** The edit form of a mission that has started, against a real server. */
import { expect, test } from '@playwright/test';
import { givenAdmin, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { query, sql } from '#server/schema/query.ts';
import { dateIn, givenFlight, openMission } from './mission-cards.ts';
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

test('a mission under way offers its end, notes, packages, callsigns, TOT and radio, and saves them', async ({
  browser,
}) => {
  const id = await givenFlight(service, admin, 'Op Flying', dateIn(17), 1);
  await query(
    service.app.orm.em.fork(),
    sql`update mission set starts_at = now() - interval '1 hour', ends_at = now() + interval '3 hours' where id = ${id}`,
  );
  const [, card] = await openMission(browser, service, admin, hoursFromNow(-1).slice(0, 10), 'Op Flying');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = card.getByRole('form', { name: 'Edit Op Flying' });
  const labels = [
    'End date *',
    'End time *',
    'Notes',
    'Secret sides',
    'Package',
    'Objective',
    'Callsign',
    'TOT (+min)',
    'Radio',
    'Flight notes',
  ];
  await expect(form.locator('label').filter({ visible: true })).toHaveText(labels);
  await expect(form.getByRole('button', { name: /^Remove flight/ })).toHaveCount(0);
  await expect(form.getByRole('button', { name: 'Add Aircraft' })).toHaveCount(0);
  await form.getByLabel('Notes', { exact: true }).fill('Divert to Batumi.');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('status').filter({ hasText: 'Saved.' })).toBeVisible();
  expect((await admin.client.call('GET', `/admin/missions/${id}`)).body.notes).toBe('Divert to Batumi.');
});
