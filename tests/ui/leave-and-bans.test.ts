/** Leaves of absence on the pilot's screens and the admins', and bans from the users list and their own page. */
import { expect, test, type Page } from '@playwright/test';
import { backfillForPilot } from '#server/orders/pilot-backfill.ts';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { button, choose, done, menuOf, openUsers, rowOf } from './users-page.ts';
import { PHONE } from './weeks.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();
test.beforeEach(() => retirePilots(service));

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const words = (ahead: number) =>
  new Date(day(ahead)).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });
const named = async (pilot: Person, displayName: string) => {
  const { status } = await pilot.client.call('PUT', `/users/${pilot.id}`, { displayName, timeZone: 'UTC' });
  expect(status).toBe(200);
};
async function expectSound(page: Page): Promise<void> {
  // sticky bars cover content that scrolls beneath them: check the whole length at once
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: 1280, height });
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
}

test('a pilot sets a leave, reads first what it takes away, and comes back', async ({ browser }) => {
  const pilot = await givenPilot(service);
  await named(pilot, 'Goose');
  await givenMissionIn(service, admin, 30, { name: 'Op Lantern' });
  await respond(pilot, await orderOf(pilot), 'accepted');

  const page = await openAs(browser, service, pilot);
  await page.goto('/availability#leave');
  const panel = page.getByRole('region', { name: 'Leave of absence' });
  await panel.getByLabel('First date').fill(day(0));
  await panel.getByLabel('Last date').fill(day(-1));
  await panel.getByRole('button', { name: 'Set leave' }).click();
  await expect(panel.getByText('The last date must not be before the first')).toBeVisible();
  await panel.getByLabel('Last date').fill(day(4));
  await panel.getByLabel('Reason (optional)').fill('Moving house');
  await panel.getByRole('button', { name: 'Set leave' }).click();
  const taken = panel.getByRole('status');
  await expect(taken).toContainText('This leave covers missions that you would give up:');
  await expect(taken).toContainText(/Op Lantern, .+: the seat goes to another pilot/);
  // other dates are previewed again
  await panel.getByLabel('Reason (optional)').fill('Moving');
  await expect(taken).toBeEmpty();
  await panel.getByRole('button', { name: 'Set leave' }).click();
  await expectSound(page);
  await panel.getByRole('button', { name: 'Save leave anyway' }).click();
  await expect(notices(page)).toContainText('Leave saved');
  await expect(panel).toContainText(`On leave until ${words(4)}.`);
  await expect(panel.getByLabel('Reason (optional)')).toHaveValue('Moving');

  await backfillForPilot(service.app.orm.em.fork(), pilot.id, new Date());
  await page.goto('/home');
  const line = page.getByRole('main').getByRole('region', { name: 'Leave of absence' });
  await expect(line).toContainText(`On leave until ${words(4)}. Nobody asks you to fly until it ends.`);
  await expect(page.getByText(/^You lost .+ in “Op Lantern” on .+\. You are on leave until .+\.$/)).toBeVisible();
  await page.getByRole('radio', { name: 'Find Flight' }).click();
  await expect(notices(page)).toContainText('End your leave to look for a flight.');
  await expectSound(page);
  await line.getByRole('button', { name: "I'm back" }).click();
  await expect(line).toHaveCount(0);
  expect((await pilot.client.call('GET', `/users/${pilot.id}/leave`)).body).toBeNull();
});

test('an admin sets, changes and ends a leave from the users list and the pilot’s page', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Iceman' });
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=Iceman');
  await choose(page, 'Iceman', 'Leave of absence…');
  const dialog = page.getByRole('dialog', { name: 'Leave of Iceman' });
  await dialog.getByLabel('First date').fill(day(2));
  await dialog.getByLabel('Last date').fill(day(9));
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Set leave' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(menuOf(page, 'Iceman')).toBeFocused();
  await expect(rowOf(page, 'Iceman')).toContainText(`On leave ${words(2)} to ${words(9)}`);

  // the pilot reads of it without a reload, and sees that it has yet to begin
  const own = await openAs(browser, service, pilot, PHONE);
  await own.goto('/home');
  await expect(own.getByText(`On leave ${words(2)} to ${words(9)}.`)).toBeVisible();
  await expect(own.getByRole('link', { name: 'Change leave' })).toBeVisible();

  await page.getByRole('link', { name: 'Iceman', exact: true }).click();
  await expect(page.getByText(`On leave ${words(2)} to ${words(9)}`)).toBeVisible();
  await button(page, 'Leave…').click();
  await dialog.getByLabel('First date').fill(day(0));
  await dialog.getByRole('button', { name: 'Change leave' }).click();
  await expect(page.getByText(`On leave until ${words(9)}`, { exact: true })).toBeVisible();
  await expect(own.getByText(`On leave until ${words(9)}.`, { exact: true })).toBeVisible();
  await expectSound(page);
  await button(page, 'Leave…').click();
  await dialog.getByRole('button', { name: 'End leave' }).click();
  await expect(page.getByText(/^On leave/)).toHaveCount(0);
  await expect(own.getByText(/^On leave/)).toHaveCount(0);
});

test('a leave that an admin changes meanwhile is asked about, and what was typed stays', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Merlin' });
  const path = `/users/${pilot.id}/leave`;
  const set = (last: number) =>
    admin.client.call('PUT', path, { firstDate: day(1), lastDate: day(last), reason: 'Exams' });
  const stored = async () => (await pilot.client.call('GET', path)).body;
  await set(3);
  const page = await openAs(browser, service, pilot);
  await page.goto('/availability#leave');
  const panel = page.getByRole('region', { name: 'Leave of absence' });
  const last = panel.getByLabel('Last date');
  // an open form without changes shows the new dates
  await expect(last).toHaveValue(day(3));
  await set(4);
  await expect(last).toHaveValue(day(4));

  await last.fill(day(9));
  await set(6);
  await expect(panel).toContainText(`On leave ${words(1)} to ${words(6)}.`);
  await expect(last).toHaveValue(day(9));
  await panel.getByRole('button', { name: 'Change leave' }).click();
  const question = panel.getByRole('alert');
  await expect(question).toContainText('The leave was changed somewhere else while this page was open.');
  await expect(question).toContainText(`Mine${words(1)} to ${words(9)}, Exams`);
  await expect(question).toContainText(`Theirs${words(1)} to ${words(6)}, Exams`);
  await expectSound(page);
  expect((await stored()).lastDate).toBe(day(6));
  await panel.getByRole('button', { name: 'Keep mine' }).click();
  await expect(notices(page)).toContainText('Leave saved');
  await expect(question).toHaveCount(0);
  expect((await stored()).lastDate).toBe(day(9));

  await last.fill(day(11));
  await admin.client.call('DELETE', path);
  await panel
    .getByRole('button', { name: /leave$/ })
    .first()
    .click();
  await expect(question).toContainText('Theirsno leave');
  await panel.getByRole('button', { name: 'Take theirs' }).click();
  await expect(last).toHaveValue('');
  await expect(question).toHaveCount(0);
  expect(await stored()).toBeNull();
});

test('a leave that was changed meanwhile is not ended unseen', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Sundown' });
  const path = `/users/${pilot.id}/leave`;
  const set = (last: number) => pilot.client.call('PUT', path, { firstDate: day(1), lastDate: day(last) });
  await set(3);
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=Sundown');
  await choose(page, 'Sundown', 'Leave of absence…');
  const dialog = page.getByRole('dialog', { name: 'Leave of Sundown' });
  await expect(dialog).toContainText(`On leave ${words(1)} to ${words(3)}.`);
  await set(7);
  await dialog.getByRole('button', { name: 'End leave' }).click();
  await expect(notices(page)).toContainText(
    'The leave was changed somewhere else. Look at its dates before you end it.',
  );
  await expect(rowOf(page, 'Sundown')).toContainText(`On leave ${words(1)} to ${words(7)}`);
  expect((await pilot.client.call('GET', path)).body).toMatchObject({ lastDate: day(7) });
  await choose(page, 'Sundown', 'Leave of absence…');
  await dialog.getByRole('button', { name: 'End leave' }).click();
  await expect(rowOf(page, 'Sundown')).not.toContainText('On leave');
});

test('an admin bans an account with a reason, and lifts the ban before restoring it', async ({ browser }) => {
  const pilot = await givenPerson(service, { displayName: 'Jester' });
  const page = await openAs(browser, service, admin);
  await openUsers(page, '?query=Jester');
  await choose(page, 'Jester', 'Ban Jester…');
  const dialog = page.getByRole('dialog', { name: 'Ban Jester?' });
  await button(page, 'Ban').click();
  await expect(dialog.getByText('Please give a reason')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Harassed other pilots');
  expect(await findViolations(page)).toEqual([]);
  await button(page, 'Ban').click();
  await expect(done(page)).toContainText('Banned');
  await expect(rowOf(page, 'Jester')).toContainText('Banned');
  await expect(rowOf(page, 'Jester')).toContainText('Suspended');
  await menuOf(page, 'Jester').click();
  await expect(page.getByRole('menuitem', { name: 'Restore' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  const visitor = await openAs(browser, service, null);
  await visitor.goto('/login');
  await visitor.getByLabel('Email').fill(pilot.email);
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(visitor, 'Sign In').click();
  const sentence = "This account can't be created or used here. Please ask an admin of this community.";
  await expect(visitor.getByRole('alert')).toContainText(sentence);

  await choose(page, 'Jester', 'Lift ban…');
  await expect(page.getByRole('dialog')).toContainText('Reason: Harassed other pilots');
  await button(page, 'Lift ban').click();
  await expect(done(page)).toContainText('Ban lifted');
  await choose(page, 'Jester', 'Restore');
  await button(page, 'Add').click();
  await expect(rowOf(page, 'Jester')).not.toContainText('Suspended');
});

test('an address without an account is banned, refused at registration, and lifted', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/users');
  await page.getByRole('main').getByRole('link', { name: 'Bans' }).click();
  await expect(page.getByText('Nobody is banned', { exact: true })).toBeVisible();
  await button(page, 'Add').click();
  const dialog = page.getByRole('dialog', { name: 'Add a ban' });
  await button(page, 'Ban').click();
  await expect(dialog.getByText('Enter an email, a Discord id, or both')).toBeVisible();
  await dialog.getByLabel('Email').fill('Troll@Example.org');
  await dialog.getByLabel('Label').fill('The troll of November');
  await dialog.getByLabel('Reason').fill('Spam');
  await expectSound(page);
  await button(page, 'Ban').click();
  await expect(notices(page)).toContainText('Banned');
  await expect(page.getByRole('row', { name: /The troll of November/ })).toContainText('Email');
  await expectSound(page);

  const answer = await service.app.orm.em.fork().getConnection().execute('select label from ban');
  expect(JSON.stringify(answer)).not.toContain('example.org');
  const visitor = await openAs(browser, service, null);
  await visitor.goto('/register/account');
  await visitor.getByLabel('Email').fill('troll@example.ORG');
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visitor.getByLabel('Confirm Password').fill(PASSWORD);
  await visitor.getByRole('button', { name: /Create|Continue|Register/ }).click();
  await expect(visitor.getByRole('alert')).toContainText("This account can't be created or used here.");

  await button(page, 'Lift the ban on The troll of November').click();
  await button(page, 'Lift ban').click();
  await expect(page.getByText('Nobody is banned', { exact: true })).toBeVisible();
});
