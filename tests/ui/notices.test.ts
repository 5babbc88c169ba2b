/** The notices on /home against a real server: live updates, permanent dismissal, keyboard use. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const notice = (page: Page, mission: string) => page.getByRole('article', { name: `Notice of ${mission}` });
const gotIt = (page: Page, mission: string) => page.getByRole('button', { name: `Got it: ${mission}` });

/** A pilot with a pending order for each of these missions, far from one another. */
async function givenOrders(...names: string[]): Promise<{ pilot: Person; missionIds: string[] }> {
  const pilot = await givenPilot(service);
  const missionIds: string[] = [];
  for (const [index, name] of names.entries()) {
    const { mission } = await givenMissionIn(service, admin, 60 + 10 * index, { name });
    missionIds.push(mission.id);
  }
  return { pilot, missionIds };
}

const cancel = (id: string | undefined) => admin.client.call('POST', `/admin/missions/${id}/cancel`);

async function openHome(browser: Browser, pilot: Person): Promise<Page> {
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await expect(region(page, 'Inbox')).not.toContainText('Loading');
  return page;
}

test('a cancelled mission shows on an open page at once, and Got it dismisses the notice permanently', async ({
  browser,
}) => {
  const { pilot, missionIds } = await givenOrders('Op Iron Hound');
  const page = await openHome(browser, pilot);
  await expect(page.getByRole('article', { name: 'Op Iron Hound' })).toBeVisible();
  await expect(region(page, 'Notices')).toHaveCount(0);

  await cancel(missionIds[0]);
  await expect(notice(page, 'Op Iron Hound')).toContainText(
    /“Op Iron Hound” on \w{3} \d+ \d{4}Z was cancelled\.Start \w{3}, \w{3} \d+ \d{4}Z · cancelled under a minute ago/,
  );
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');

  await gotIt(page, 'Op Iron Hound').click();
  await expect(region(page, 'Notices')).toHaveCount(0);
  await expect.poll(async () => (await pilot.client.call('GET', '/pilot/notices')).body).toEqual([]);
  await page.reload();
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  await expect(region(page, 'Notices')).toHaveCount(0);
});

test('the focus moves to the next notice, and after the last one to the orders', async ({ browser }) => {
  const names = ['Op First', 'Op Second', 'Op Third'];
  const { pilot, missionIds } = await givenOrders(...names, 'Op Stands');
  // newest first: the last cancelled one is on top
  for (const id of missionIds.slice(0, 3).toReversed()) await cancel(id);
  const page = await openHome(browser, pilot);
  await expect(region(page, 'Notices').getByRole('article')).toHaveCount(3);
  await gotIt(page, 'Op Second').focus();
  await page.keyboard.press('Enter');
  await expect(notice(page, 'Op Second')).toHaveCount(0);
  await expect(notice(page, 'Op Third')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(notice(page, 'Op First')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(region(page, 'Notices')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(region(page, 'Inbox').getByRole('button', { name: 'frag orders' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /^FRAG-/ })).toBeFocused();
});

test('the focus is moved once: a notice that comes later does not take it', async ({ browser }) => {
  const { pilot, missionIds } = await givenOrders('Op Gone', 'Op Later');
  await cancel(missionIds[0]);
  const page = await openHome(browser, pilot);
  await gotIt(page, 'Op Gone').press('Enter');
  await expect(region(page, 'Notices')).toHaveCount(0);
  const term = region(page, 'Inbox').getByRole('button', { name: 'frag orders' });
  await term.focus();
  await term.blur();
  await cancel(missionIds[1]);
  await expect(notice(page, 'Op Later')).toBeVisible();
  await expect(page.locator(':focus')).toHaveCount(0);
});

test('a notice that cannot be dismissed returns with the reason', async ({ browser }) => {
  const { pilot, missionIds } = await givenOrders('Op Stubborn');
  await cancel(missionIds[0]);
  const page = await openHome(browser, pilot);
  await expect(notice(page, 'Op Stubborn')).toBeVisible();
  const mend = await cutOff(page, 'pilot.closeNotice');
  const release = await holdBack(page, 'pilot.closeNotice');
  await gotIt(page, 'Op Stubborn').click();
  // gone before the server has answered
  await expect(region(page, 'Notices')).toHaveCount(0);
  release();
  await expect(page.getByText('Failed to dismiss the notice')).toBeVisible();
  await expect(notice(page, 'Op Stubborn')).toBeVisible();
  await mend();
  await page.unrouteAll();
  await gotIt(page, 'Op Stubborn').click();
  await expect(region(page, 'Notices')).toHaveCount(0);
});

test('notices that fail to load say so, and Retry loads them', async ({ browser }) => {
  const { pilot, missionIds } = await givenOrders('Op Lost Mail');
  await cancel(missionIds[0]);
  const page = await openAs(browser, service, pilot);
  const mend = await cutOff(page, 'pilot.notices');
  await page.goto('/home');
  const panel = region(page, 'Notices');
  await expect(panel.getByRole('alert')).toContainText('Failed to load notices');
  await mend();
  await panel.getByRole('button', { name: 'Retry' }).click();
  await expect(notice(page, 'Op Lost Mail')).toBeVisible();
});

test('a pilot reads their attendance mark, and a pilot on standby reads what changed about the mission', async ({
  browser,
}) => {
  const { pilot, missionIds } = await givenOrders('Op Roll Call');
  const flown = await orderOf(pilot);
  await respond(pilot, flown, 'accepted');
  const page = await openHome(browser, pilot);
  await query(
    service.app.orm.em.fork(),
    sql`with m as (update mission set starts_at = now() - interval '5 hours', ends_at = now() - interval '2 hours'
                   where id = ${missionIds[0]} returning *)
        update seat s set starts_at = m.starts_at, ends_at = m.ends_at from m where s.mission_id = m.id`,
  );
  await admin.client.call('PUT', `/admin/missions/${missionIds[0]}/attendance`, {
    attendance: [{ orderId: flown.id, attendance: 'no_show' }],
  });
  await expect(notice(page, 'Op Roll Call')).toContainText('An admin marked you as a no-show for “Op Roll Call”');

  const { mission } = await givenMissionIn(service, admin, 60, { name: 'Op Waiting Room' });
  const order = await orderOf(pilot);
  await givenPilot(service);
  await respond(pilot, order, 'standby');
  const row = region(page, 'On standby').getByRole('article', { name: 'Op Waiting Room' });
  await expect(row).toBeVisible();
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const [flight] = body.packages[0].flights;
  await admin.client.call('PUT', `/admin/missions/${mission.id}`, {
    flights: [{ id: flight.id, callsign: 'Waiting 1', radioFreq: '251.000' }],
  });
  // without a seat, pilots read no frequencies
  const changed = row.getByRole('group', { name: 'Changed' });
  await expect(changed).toContainText(`Callsign ${flight.callsign} is now Waiting 1`);
  await expect(changed).not.toContainText('251.000');
});
