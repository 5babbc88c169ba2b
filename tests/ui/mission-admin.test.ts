/** An admin's work on a mission at /admin/missions/{date} against a real server, checked by what its pilots read. */
import { expect, test, type Locator } from '@playwright/test';
import { givenAdmin, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { inbox, respond, retirePilots } from '#tests/harness/orders.ts';
import { query, sql } from '#server/schema/query.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { dateIn, givenFlight, givenFree, openMission, orderIn } from './mission-cards.ts';
import { closePagesAfterEach, cutOff, cutOffLive, holdBack, openAs } from './pages.ts';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: 'UTC' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();
// Pilots of one test are no candidates in the next.
test.beforeEach(() => retirePilots(service));

const ordersOf = async (id: string) => (await admin.client.call('GET', `/admin/missions/${id}/orders`)).body;
const consequences = (card: Locator): Locator => card.getByRole('status', { name: 'What happens when you save' });
const notice = (card: Locator, text: string): Locator => card.getByRole('status').filter({ hasText: text });
const seat = (card: Locator, flight: string, number: number): Locator =>
  card
    .getByRole('list', { name: `Seats of ${flight}` })
    .getByRole('listitem')
    .nth(number - 1);

test('an edit shows in advance who is asked again and who is informed, and the pilots read exactly that', async ({
  browser,
}) => {
  const date = dateIn(10);
  const pilots = [await givenFree(service, 'Maverick'), await givenFree(service, 'Merlin')];
  await givenFlight(service, admin, 'Op Edit', date, 2);
  for (const pilot of pilots) await respond(pilot, await orderIn(pilot, 'Op Edit'), 'accepted');
  const [page, card] = await openMission(browser, service, admin, date, 'Op Edit');
  await expect(seat(card, 'Viper 1', 1)).toContainText('accepted');

  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(consequences(card)).toHaveText('Nothing has been changed yet.');
  await expect(card.getByLabel('Mission name')).toBeFocused();
  await expect(card.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  await card.getByLabel('Notes', { exact: true }).fill('Bring tanks.');
  await expect(consequences(card)).toHaveText('Notes changed. 2 pilots will be notified.');
  await page.getByRole('link', { name: /^Next day/ }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toContainText(
    'The changes to this mission are not saved.',
  );
  await page.getByRole('button', { name: 'Stay' }).click();
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(notice(card, 'Saved: 2 pilots notified.')).toBeFocused();
  for (const pilot of pilots) {
    expect(await orderIn(pilot, 'Op Edit')).toMatchObject({
      rsvp: 'accepted',
      changes: [{ field: 'notes', from: null, to: 'Bring tanks.' }],
    });
  }

  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('Start time').fill('18:30');
  await card.getByLabel('Radio').fill('251');
  await card.getByRole('button', { name: 'Save changes' }).click();
  const refusal = 'Please enter a radio frequency in MHz with three decimals, such as 251.000';
  await expect(card.getByRole('alert')).toHaveText(refusal);
  await card.getByLabel('Radio').fill('251.000');
  await expect(consequences(card)).toContainText('Start changed. 2 pilots will be asked again; all had accepted.');
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(notice(card, 'Saved: 2 pilots asked again.')).toBeVisible();
  await expect(card).toContainText('1830–2100Z');
  await expect(seat(card, 'Viper 1', 1)).toContainText('pending');
  const day = new Date(date).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const { rsvp, changes } = await orderIn(pilots[0] ?? admin, 'Op Edit');
  expect(rsvp).toBe('pending');
  expect(changes).toContainEqual({ field: 'start', from: `${day} 1800Z`, to: `${day} 1830Z` });

  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('Start date').fill(dateIn(11));
  await card.getByRole('combobox', { name: 'Seats' }).selectOption('1');
  await expect(consequences(card)).toContainText(
    "Start and end changed. 1 pilot, who hadn't accepted, will be asked again.",
  );
  await expect(consequences(card)).toContainText('1 pilot will lose their seat: Viper 1 has fewer seats.');
  await card.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(`**/admin/missions/${dateIn(11)}?mission=*`);
  const moved = page.getByRole('region', { name: 'Op Edit' });
  await expect(notice(moved, 'Saved: 1 pilot asked again, 1 seat freed.')).toBeVisible();

  // an editor stays on its day
  await moved.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(notice(moved, 'Saved: 1 pilot asked again')).toHaveCount(0);
  await expect(moved.getByLabel('Mission name')).toBeFocused();
  await page.getByRole('link', { name: /^Next day/ }).click();
  await expect(page.getByText(`No missions found for ${dateIn(12)}`)).toBeVisible();
  await expect(moved).toHaveCount(0);
});

test('an edit that conflicts with another admin’s keeps what was typed and continues from the new state', async ({
  browser,
}) => {
  const date = dateIn(12);
  const id = await givenFlight(service, admin, 'Op Clash', date, 1, { startLocal: `${date}T18:07` });
  await givenFlight(service, admin, 'Op Beside', date, 1);
  const [page, card] = await openMission(browser, service, admin, date, 'Op Clash');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  // a time off the quarter hours is kept when the field is only passed
  await card.getByLabel('Start time').focus();
  await card.getByLabel('Mission name').focus();
  await expect(card.getByLabel('Start time')).toHaveValue('18:07');
  await expect(consequences(card)).toHaveText('Nothing has been changed yet.');
  await card.getByRole('button', { name: /^Remove flight/ }).click();
  await expect(card.getByRole('button', { name: /^Keep/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card.getByRole('button', { name: /^Fields of/ })).toBeFocused();
  await card.getByLabel('Mission name').fill('Op Clash Two');
  const { status } = await admin.client.call('PUT', `/admin/missions/${id}`, { notes: 'From the other admin.' });
  expect(status).toBe(200);
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('alert')).toHaveText('Someone else has changed this mission. Please load it again.');
  const mend = await cutOff(page, 'admin.mission.get');
  await card.getByRole('button', { name: 'Load the new version' }).click();
  await expect(card.getByRole('alert')).toHaveText('Error loading mission: Unknown error occurred');
  await mend();
  await card.getByRole('button', { name: 'Load the new version' }).click();
  await expect(card.getByText('Your edits are kept on top of the new version.')).toBeVisible();
  await expect(card.getByLabel('Mission name')).toHaveValue('Op Clash Two');
  await expect(card.getByLabel('Notes', { exact: true })).toHaveValue('From the other admin.');
  await card.getByRole('button', { name: 'Save changes' }).click();
  const renamed = page.getByRole('region', { name: 'Op Clash Two' });
  await expect(renamed).toContainText('Saved.');
  const { body } = await admin.client.call('GET', `/admin/missions/${id}`);
  expect([body.name, body.notes]).toEqual(['Op Clash Two', 'From the other admin.']);

  // a mission that moves to another day keeps what is typed in other forms
  const beside = page.getByRole('region', { name: 'Op Beside' });
  await beside.getByRole('button', { name: 'Edit', exact: true }).click();
  await beside.getByLabel('Notes', { exact: true }).fill('Half typed');
  await renamed.getByRole('button', { name: 'Edit', exact: true }).click();
  await renamed.getByLabel('Start date').fill(dateIn(13));
  await renamed.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText(/^Op Clash Two is on .* now\. Saved\.$/)).toBeVisible();
  await expect(renamed).toHaveCount(0);
  await expect(beside.getByLabel('Notes', { exact: true })).toHaveValue('Half typed');
});

test('a refusal in other words is the same refusal: the new version is on offer by its code', async ({ browser }) => {
  const date = dateIn(16);
  const id = await givenFlight(service, admin, 'Op Reworded', date, 1);
  const [page, card] = await openMission(browser, service, admin, date, 'Op Reworded');
  await page.route(/admin\.mission\.edit/, async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replace(/"message":"[^"]*"/, '"message":"You were not alone."');
    await route.fulfill({ response, body: text });
  });
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('Notes', { exact: true }).fill('Mine');
  await admin.client.call('PUT', `/admin/missions/${id}`, { notes: 'From the other admin.' });
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('alert')).toHaveText('You were not alone.');
  await expect(card.getByRole('button', { name: 'Load the new version' })).toBeVisible();
});

test('a chosen pilot is assigned despite a warning, never despite another mission, and removed again', async ({
  browser,
}) => {
  const date = dateIn(14);
  await givenFree(service, 'Committed');
  await givenFlight(service, admin, 'Op Other', date, 1, {
    aircraftSlots: [{ aircraftId: 3, slotCount: 1, side: 1, notes: 'CAS' }],
  });
  const late = await givenPerson(service, { displayName: 'Latecomer' });
  const substitute = await givenPerson(service, { displayName: 'Substitute' });
  await givenFlight(service, admin, 'Op Seats', date, 2, { startLocal: `${date}T20:00`, endLocal: `${date}T22:00` });
  const [page, card] = await openMission(browser, service, admin, date, 'Op Seats');
  await expect(card.getByText('No pilots assigned')).toBeVisible();
  await card.getByRole('button', { name: 'Assign pilot to Viper 1, seat 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign a pilot to Viper 1, seat 2' });
  const option = (name: string): Locator => dialog.getByRole('option').filter({ hasText: name });
  await expect(option('Committed')).toHaveAttribute('aria-disabled', 'true');
  await expect(option('Committed')).toContainText('on another mission at that time');
  await option('Committed').click({ force: true });
  await expect(dialog.getByRole('combobox', { name: 'Pilot' })).toBeFocused();
  await dialog.getByRole('combobox', { name: 'Pilot' }).fill('late');
  await expect(dialog.getByText('1 pilot', { exact: true })).toBeVisible();
  await expect(option('Latecomer')).toContainText('not available at that time');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('list', { name: 'Warnings' })).toContainText(
    'Latecomer is not available for the whole mission.',
  );
  expect(await inbox(late)).toEqual([]);
  await expect(dialog.getByRole('button', { name: 'Assign anyway' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Latecomer has an order for Viper 1, seat 2.')).toBeVisible();
  await expect(seat(card, 'Viper 1', 2)).toContainText(/Latecomer pending expires in/);
  await expect(card.getByRole('button', { name: 'Replace Latecomer on Viper 1, seat 2' })).toBeFocused();
  expect(await orderIn(late, 'Op Seats')).toMatchObject({ rsvp: 'pending', seatIndex: 1 });

  await card.getByRole('button', { name: 'Replace Latecomer on Viper 1, seat 2' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Pilot' }).fill('sub');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('Latecomer loses this seat.');
  await page.keyboard.press('Enter');
  await expect(seat(card, 'Viper 1', 2)).toContainText(/Substitute pending/);
  expect(await inbox(late)).toEqual([]);
  expect(await orderIn(substitute, 'Op Seats')).toMatchObject({ rsvp: 'pending', seatIndex: 1 });

  await card.getByRole('button', { name: 'Remove Substitute from Viper 1, seat 2' }).click();
  const confirm = page.getByRole('dialog', { name: 'Remove Substitute from Viper 1, seat 2?' });
  await expect(confirm).toContainText(
    'Substitute will be notified, and the seat is offered to the next suitable pilot.',
  );
  await confirm.getByRole('button', { name: 'Remove' }).click();
  await expect(seat(card, 'Viper 1', 2)).toContainText('open');
  await expect(card.getByRole('button', { name: 'Assign pilot to Viper 1, seat 2' })).toBeFocused();
  expect(await inbox(substitute)).toEqual([]);
});

test('orders are grouped by state with the queue, and cancelling says how many end', async ({ browser }) => {
  const date = dateIn(16);
  const pilots: Person[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) pilots.push(await givenFree(service, name));
  const id = await givenFlight(service, admin, 'Op Orders', date, 3);
  const asked = async (): Promise<Person[]> => {
    const pending = await Promise.all(pilots.map(async (pilot) => (await inbox(pilot)).length > 0));
    return pilots.filter((_pilot, index) => pending[index]);
  };
  const [accepts, declines] = await asked();
  if (accepts === undefined || declines === undefined) throw new Error('three orders were expected');
  await respond(accepts, await orderIn(accepts, 'Op Orders'), 'accepted');
  await respond(declines, await orderIn(declines, 'Op Orders'), 'declined');
  const [queues] = await asked();
  if (queues === undefined) throw new Error('an order went on to nobody');
  await respond(queues, await orderIn(queues, 'Op Orders'), 'standby');

  const [page, card] = await openMission(browser, service, admin, date, 'Op Orders');
  const counts = { accepted: 0, pending: 0, standby: 0, declined: 0 };
  for (const { rsvp, status } of await ordersOf(id)) {
    if (status === 'issued') counts[rsvp as keyof typeof counts] += 1;
  }
  expect(counts).toMatchObject({ accepted: 1, standby: 1, declined: 1 });
  const bar = card.getByRole('group', { name: 'Answers in Op Orders' });
  await expect(bar).toContainText('1 accepted');
  await expect(bar).toContainText('1 on standby');
  await card.getByRole('tab', { name: /^Orders/ }).click();
  const table = (state: string): Locator => card.getByRole('table', { name: `${state} orders of Op Orders` });
  await expect(table('Accepted')).toContainText(accepts.displayName ?? '');
  await expect(table('Declined')).toContainText(declines.displayName ?? '');
  await expect(table('Standby')).toContainText(queues.displayName ?? '');
  await expect(table('Standby')).toContainText('place 1');
  await expect(table('Pending').getByRole('row')).toHaveCount(counts.pending + 1);
  await expect(table('Pending')).toContainText('expires in');
  await expect(table('Pending').getByText('issued', { exact: true })).toHaveCount(counts.pending);

  // A change elsewhere shows without a reload.
  const [answers] = await asked();
  if (answers === undefined) throw new Error('nobody is asked any more');
  await respond(answers, await orderIn(answers, 'Op Orders'), 'accepted');
  await expect(table('Accepted')).toContainText(answers.displayName ?? '');

  const live = counts.accepted + counts.pending + counts.standby;
  await card.getByRole('button', { name: 'Cancel mission', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel Op Orders?' });
  await expect(dialog).toContainText(/2 pilots who accepted(?:, | and ).+ will be told\. This can't be undone\./);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await card.getByRole('button', { name: 'Cancel mission', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel mission', exact: true }).click();
  await expect(notice(card, `Mission cancelled: ${live} orders ended.`)).toBeFocused();
  await expect(card.getByRole('button', { name: /^(Edit|Cancel mission|Assign pilot.*)$/ })).toHaveCount(0);
  await expect(card.getByText('cancelled', { exact: true }).first()).toBeVisible();
  const reasons = (await ordersOf(id)).map(({ statusReason }: { statusReason: string }) => statusReason);
  expect(new Set(reasons)).toEqual(new Set(['mission cancelled']));
});

test('a draft is published from its card, and a mission can be repeated', async ({ browser }) => {
  const date = dateIn(18);
  const pilot = await givenFree(service, 'Drafted');
  const id = await givenFlight(service, admin, 'Op Draft', date, 2, { publish: false });
  const [page, card] = await openMission(browser, service, admin, date, 'Op Draft');
  await expect(card.getByText('draft', { exact: true })).toBeVisible();
  await expect(card.getByRole('button', { name: /^Assign pilot/ })).toHaveCount(0);
  await expect(card.getByRole('link', { name: 'Duplicate' })).toHaveAttribute('href', `/admin/missions?from=${id}`);
  // repeated from its current state, not from that of the previous repetition
  for (const name of ['Op Draft', 'Op Draft B']) {
    await admin.client.call('PUT', `/admin/missions/${id}`, { name });
    await page.getByRole('region', { name, exact: true }).getByRole('link', { name: 'Duplicate' }).click();
    await expect(page.getByText(`Copied from ${name} of`)).toBeVisible();
    await expect(page.getByLabel('Mission name')).toHaveValue(name);
    await page.goBack();
  }
  await admin.client.call('PUT', `/admin/missions/${id}`, { name: 'Op Draft' });
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await card.getByLabel('Notes', { exact: true }).fill('Soon.');
  await expect(consequences(card)).toHaveText('This is a draft, so no pilots are notified.');
  await card.getByRole('button', { name: 'Discard' }).click();
  expect(await inbox(pilot)).toEqual([]);
  await card.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish Op Draft?' });
  await expect(dialog).toContainText('Orders for its 2 seats go out to suitable pilots at once.');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(notice(card, 'Published: 1 order issued, 1 seat open.')).toBeVisible();
  await expect(card.getByText('scheduled', { exact: true })).toBeVisible();
  expect(await inbox(pilot)).toHaveLength(1);
});

test('attendance is marked after a mission, all at once or one by one, and undone', async ({ browser }) => {
  const pilots = [await givenFree(service, 'Came'), await givenFree(service, 'Stayed')];
  const id = await givenFlight(service, admin, 'Op Over', dateIn(20), 2);
  for (const pilot of pilots) await respond(pilot, await orderIn(pilot, 'Op Over'), 'accepted');
  const [, coming] = await openMission(browser, service, admin, dateIn(20), 'Op Over');
  await expect(coming.getByRole('region', { name: 'Attendance' })).toHaveCount(0);
  await query(
    service.app.orm.em.fork(),
    sql`with m as (update mission set starts_at = now() - interval '29 hours', ends_at = now() - interval '26 hours'
                   where id = ${id} returning *)
        update seat s set starts_at = m.starts_at, ends_at = m.ends_at from m where s.mission_id = m.id`,
  );
  const [page, card] = await openMission(browser, service, admin, hoursFromNow(-29).slice(0, 10), 'Op Over');
  const panel = card.getByRole('region', { name: 'Attendance' });
  const marks = async () =>
    Object.fromEntries(
      (await ordersOf(id)).map((order: { userDisplayName: string; attendance: string | null }) => [
        order.userDisplayName,
        order.attendance,
      ]),
    );
  await expect(panel).toContainText('2 pilots not marked yet');
  await panel.getByRole('button', { name: 'All attended' }).click();
  await expect(page.getByText('2 pilots marked as attended.')).toBeVisible();
  await expect(panel).toContainText('Everyone is marked.');
  expect(await marks()).toEqual({ Came: 'attended', Stayed: 'attended' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(panel).toContainText('2 pilots not marked yet');
  await expect(page.getByText('Attendance restored.')).toBeVisible();
  expect(await marks()).toEqual({ Came: null, Stayed: null });
  await panel.getByRole('radiogroup', { name: 'Attendance of Stayed' }).getByText('No-show').click();
  await expect(page.getByText('Stayed: no-show.')).toBeVisible();
  expect(await marks()).toEqual({ Came: null, Stayed: 'no_show' });
  await page.reload();
  await expect(panel.getByRole('radiogroup', { name: 'Attendance of Stayed' }).getByLabel('No-show')).toBeChecked();
});

test('failures are named and keep the page, and Retry loads what is missing', async ({ browser }) => {
  const date = dateIn(26);
  await givenFlight(service, admin, 'Op Broken', date, 1);
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  let mend = await cutOff(page, 'admin.mission.orders');
  await page.goto(`/admin/missions/${date}`);
  const card = page.getByRole('region', { name: 'Op Broken' });
  await card.getByRole('tab', { name: 'Orders' }).click();
  await expect(card.getByRole('alert')).toContainText('Error loading orders: Unknown error occurred');
  await mend();
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(card.getByText('No frag orders have gone out for this mission.')).toBeVisible();
  await card.getByRole('tab', { name: 'Roster' }).click();

  mend = await cutOff(page, 'admin.mission.candidates');
  let release = await holdBack(page, 'admin.mission.candidates');
  await card.getByRole('button', { name: /^Assign pilot/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Loading pilots...')).toBeVisible();
  release();
  await expect(dialog.getByRole('alert')).toContainText('Error loading pilots: Unknown error occurred');
  await mend();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('combobox')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  mend = await cutOff(page, 'admin.mission.get');
  release = await holdBack(page, 'admin.mission.get');
  await card.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(card.getByText('Loading mission...')).toBeVisible();
  release();
  await expect(card.getByRole('alert')).toContainText('Error loading mission: Unknown error occurred');
  await mend();
  await card.getByRole('button', { name: 'Retry' }).click();
  await card.getByLabel('Mission name').fill('Op Mended');
  mend = await cutOff(page, 'admin.mission.edit');
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(card.getByRole('alert')).toHaveText('Failed to save the mission');
  await expect(card.getByLabel('Mission name')).toHaveValue('Op Mended');
  await mend();
  await card.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('region', { name: 'Op Mended' })).toContainText('Saved.');
});
