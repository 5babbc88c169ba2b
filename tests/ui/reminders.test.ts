/** Reminders on the pages: the choices of a pilot, the question a day before, and what an admin sees of both. */
import { expect, test, type Page } from '@playwright/test';
import { remindPilots } from '#server/missions/reminders/send-reminders.ts';
import { givenAdmin, type Person } from '#tests/harness/given.ts';
import { startMailServer, type MailServer } from '#tests/harness/mail-server.ts';
import { retirePilots } from '#tests/harness/orders.ts';
import { givenSeat, passTime } from '#tests/harness/reminders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { openMission } from './mission-cards.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, openProfile, region } from './profiles.ts';

let service: Service;
let server: MailServer;
let admin: Person;
test.beforeAll(async () => {
  server = await startMailServer();
  service = await startService({
    withClient: true,
    env: { SMTP_URL: server.url, MAIL_FROM: 'Marshal <marshal@example.org>' },
  });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await service.stop();
  await server.stop();
});
closePagesAfterEach();
test.afterEach(() => retirePilots(service));

const choicesOf = async ({ id, client }: Person) => (await client.call('GET', `/users/${id}/notifications`)).body;
const soon = (page: Page) => page.getByRole('region', { name: 'Your answer' });

/** A pilot who has been reminded of a mission that starts in a day. */
async function givenAsked(name: string, hasMail = true) {
  const seat = await givenSeat(service, admin, 25, { name });
  await passTime(service, 61);
  await remindPilots(service.app.orm.em.fork(), { discord: null, discordTurnout: null, hasMail }, new Date());
  return seat;
}

test('a pilot chooses up to four lead times and the channels, and keeps them', async ({ browser }) => {
  const { pilot } = await givenSeat(service, admin, 60);
  const page = await openProfile(browser, service, pilot, '/profile/notifications');
  const panel = region(page, 'Notify me about');
  const choice = (name: string) => panel.getByRole('checkbox', { name, exact: true });
  await expect(choice('24 hours')).toBeChecked();
  await expect(choice('1 hour')).toBeChecked();
  await expect(panel).toContainText('Reminders arrive even while your status is Do Not Disturb.');
  await choice('48 hours').click();
  await choice('15 minutes').click();
  await expect(choice('3 hours')).toBeDisabled();
  await choice('24 hours').click();
  await choice('3 hours').click();
  await panel.getByRole('checkbox', { name: 'Reminders by email' }).click();
  await expect(panel).toContainText('Unsaved: 2 changes');
  await button(page, 'Save Notifications').click();
  await expect
    .poll(() => choicesOf(pilot))
    .toMatchObject({
      reminderMinutes: [2880, 180, 60, 15],
      remindByDiscord: true,
      remindByPush: true,
      remindByEmail: false,
    });
  await page.reload();
  await expect(choice('3 hours')).toBeChecked();
  for (const name of ['48 hours', '3 hours', '1 hour', '15 minutes']) await choice(name).click();
  await expect(panel.getByRole('checkbox', { name: 'Reminders in Discord' })).toHaveCount(0);
  await button(page, 'Save Notifications').click();
  await expect.poll(() => choicesOf(pilot)).toMatchObject({ reminderMinutes: [] });
});

test('the order page asks, and Confirm is recorded', async ({ browser }) => {
  const { pilot, order } = await givenAsked('Op Still');
  const page = await openAs(browser, service, pilot);
  await page.goto(`/orders/${order.id}`);
  await expect(soon(page)).toContainText('Still flying?');
  await expect(soon(page).getByRole('button', { name: "Can't make it" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await soon(page).getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(soon(page)).toContainText('Confirmed');
  await expect(soon(page)).not.toContainText('Still flying?');
  await expect(soon(page).getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  // the page shows the answer before the server has it
  const confirmedAt = async () => (await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.confirmedAt;
  await expect.poll(confirmedAt).not.toBeNull();
});

test("/home asks too, and Can't make it gives the seat back", async ({ browser }) => {
  const { pilot, order } = await givenAsked('Op Home');
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  const missions = region(page, 'Accepted Missions');
  await expect(missions).toContainText('Still flying?');
  await missions.getByRole('button', { name: "Can't make it" }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Give seat back' }).click();
  await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
  expect((await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.rsvp).toBe('declined');
});

test('an admin sees who has confirmed, who has not, and who could not be reached and why', async ({ browser }) => {
  const { mission, pilot } = await givenAsked('Op Roll', false);
  const { startUtc } = (await admin.client.call('GET', `/admin/missions/${mission.id}`)).body;
  const [page, card] = await openMission(browser, service, admin, startUtc.slice(0, 10), 'Op Roll');
  await card.getByRole('tab', { name: /Orders/ }).click();
  await expect(card).toContainText('not confirmed yet');
  await expect(card).toContainText('0 confirmed');
  await expect(card).toContainText('Not reminded 24 hours before. No way to reach this pilot');
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  const [order] = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'accepted' });
  await expect(card).toContainText('1 confirmed');
});
