/** The orders on /home against a real server: pending, answered, undone, on standby, confirmed and cancelled. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { givenOrder, retirePilots } from '#tests/harness/orders.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOffLive, holdBack, openAs } from './pages.ts';

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
const card = (page: Page, mission: string) => page.getByRole('article', { name: mission });

async function openHome(browser: Browser, pilot: Person, options = {}): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto('/home');
  return page;
}

test('an order shows what it asks and why, and accepting it shows the real radio, package and level', async ({
  browser,
}) => {
  const pilot = await givenOrder(service, admin, 'Op Iron Hound', {}, { timeZone: 'Europe/Berlin' });
  await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/2`, { level: 'expert' });
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  const page = await openHome(browser, pilot);

  await expect(page.getByText('1 order needs an answer.')).toBeVisible();
  await expect(page).toHaveTitle('(1) Home · Marshal');
  await expect(
    page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Home' }),
  ).toHaveText('Home1 pending');
  await expect(region(page, 'Accepted Missions')).toHaveCount(0);
  const inbox = region(page, 'Inbox');
  await expect(inbox).toContainText('1 pending');
  const label = `FRAG-${String(order.seq).padStart(3, '0')}`;
  for (const text of [label, order.flightCallsign, order.aircraftName, 'Blue', order.title, ...order.reasons]) {
    await expect(card(page, 'Op Iron Hound')).toContainText(text);
  }
  const launch = Temporal.Instant.from(order.launchUtc);
  const wall = (zone: string) =>
    launch.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
  await expect(card(page, 'Op Iron Hound').getByRole('time')).toContainText(
    `${wall('UTC')}Z ${wall('Europe/Berlin')}L`,
  );
  // 30 h away: the order holds for a quarter of it
  await expect(inbox).toContainText('expires in 7 h');

  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(
    page.getByText(`You're in: ${order.flightCallsign}, seat ${order.seatIndex + 1}`, { exact: true }),
  ).toBeVisible();
  await expect(inbox).toContainText('No orders waiting');

  const [accepted] = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
  const tile = card(region(page, 'Accepted Missions') as unknown as Page, 'Op Iron Hound');
  for (const text of [
    label,
    accepted.radioFreq,
    accepted.package.callsign,
    accepted.package.objective,
    accepted.level,
    ...accepted.reasons,
    ...accepted.package.composition.map(
      (flight: { seats: number; aircraftName: string }) => `${flight.seats} × ${flight.aircraftName}`,
    ),
  ]) {
    await expect(tile).toContainText(text);
  }
  await expect(page.getByText(/Next launch in 1 d/)).toBeVisible();
  await expect(page).toHaveTitle('Home · Marshal');
  await expect(region(page, 'On standby')).toHaveCount(0);

  const files = tile.getByRole('group', { name: `Downloads for ${label}` });
  for (const [name, file] of [
    ['Kneeboard Day', 'kneeboard.png?scheme=day'],
    ['Kneeboard Night', 'kneeboard.png?scheme=night'],
    ['Calendar .ics', 'calendar.ics'],
  ] as const) {
    const link = files.getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', `/api/v1/pilot/inbox/${order.id}/${file}`);
    await expect(link).toHaveAttribute('download');
  }
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await files.getByRole('button', { name: 'Print' }).click();
  const sheet = page.getByRole('region', { name: `Kneeboard card of ${label}`, includeHidden: true });
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  for (const text of [label, 'Op Iron Hound', accepted.radioFreq, `${wall('UTC')}Z`, `${wall('Europe/Berlin')}L`]) {
    await expect(sheet).toContainText(text);
  }
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(sheet).toHaveCount(0);
});

test('an answer shows before the server responds, and a refusal restores the order with its sentence', async ({
  browser,
}) => {
  const pilot = await givenOrder(service, admin, 'Op Late Answer');
  // an open page hears of a suspension, and then says so instead of showing orders
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  await page.goto('/home');
  const release = await holdBack(page, 'pilot.rsvp');
  const order = card(page, 'Op Late Answer');
  const shown = await order.evaluate(async (article) => {
    article.querySelector<HTMLElement>('[role=group] button')?.click();
    // in the page's next turn, at any load of the machine
    await new Promise((resolve) => setTimeout(resolve));
    return article.getAttribute('data-answer');
  });
  expect(shown).toBe('accepted');
  await expect(order).toContainText('accepted', { timeout: 1000 });
  await expect(region(page, 'Inbox')).not.toContainText('pending');
  // Meanwhile the pilot is suspended: pilot calls answer 403.
  await admin.client.call('DELETE', `/admin/users/${pilot.id}/roles/user`);
  release();
  await expect(page.getByText('Your account is suspended. Please ask an admin.').first()).toBeVisible();
  await expect(order.getByRole('button', { name: 'Accept', exact: true })).toBeEnabled();
  await expect(order).not.toContainText('accepted');
});

for (const { answer, toast, key } of [
  { answer: 'Standby', toast: 'RSVP sent: Standby', key: 's' },
  { answer: 'Decline', toast: 'RSVP sent: Declined', key: 'd' },
]) {
  test(`${answer} by its key on the focused order can be exchanged for Accept from the toast, by keyboard`, async ({
    browser,
  }) => {
    const name = `Op Undo ${answer}`;
    const pilot = await givenOrder(service, admin, name);
    const page = await openHome(browser, pilot);
    await expect(card(page, name)).toBeVisible();
    // Without the focus in an order the key does nothing.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press(key);
    await expect(card(page, name).getByRole('button', { name: answer })).toBeEnabled();

    await card(page, name).getByRole('button', { name: 'Accept', exact: true }).focus();
    await page.keyboard.press(key);
    const notifications = page.getByRole('region', { name: 'Notifications' });
    await expect(notifications).toContainText(toast);
    await expect(notifications).toHaveAttribute('aria-live', 'polite');
    await expect(region(page, 'Inbox')).toContainText('No orders waiting');
    // nobody can return to "pending", so the button does not claim to undo
    await expect(notifications.getByRole('button', { name: 'Undo' })).toHaveCount(0);
    await notifications.getByRole('button', { name: 'Accept instead' }).focus();
    await page.keyboard.press('Enter');
    await expect(notifications).toContainText(/You're in: .+, seat \d/);
    await expect(card(region(page, 'Accepted Missions') as unknown as Page, name)).toBeVisible();
    const accepted = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
    expect(accepted.map(({ missionName }: { missionName: string }) => missionName)).toEqual([name]);
  });
}

test('when the seat is taken, Accept instead shows the sentence of the server, and a link to the other seats', async ({
  browser,
}) => {
  const pilot = await givenOrder(service, admin, 'Op Gone Seat');
  const other = await givenPerson(service);
  await givenAlwaysFree(service, other.id);
  const page = await openHome(browser, pilot);
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
  await expect.poll(async () => (await other.client.call('GET', '/pilot/inbox')).body.length).toBe(1);
  await page.getByRole('button', { name: 'Accept instead' }).click();
  await expect(page.getByText('No seat is free; you remain on standby.')).toBeVisible();
  const notifications = page.getByRole('region', { name: 'Notifications' });
  await notifications.getByRole('link', { name: 'See open seats' }).click();
  await expect(page).toHaveURL(`${service.url}/missions`);
  await expect(notifications.getByText('No seat is free')).toHaveCount(0);
});

test('a pilot sees their place in the standby queue, is told when no seat is free, and can leave and rejoin the queue', async ({
  browser,
}) => {
  const first = await givenOrder(service, admin, 'Op Long Line');
  const [second, holder] = [await givenPerson(service), await givenPerson(service)];
  const answers: ((response: string) => Promise<unknown>)[] = [];
  for (const [pilot, next] of [
    [first, second],
    [second, holder],
  ] as const) {
    const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
    const answer = (response: string) => pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response });
    await givenAlwaysFree(service, next.id);
    await answer('Declined');
    await expect.poll(async () => (await next.client.call('GET', '/pilot/inbox')).body.length).toBe(1);
    answers.push(answer);
  }
  // The seat is held, so a pilot who reconsiders joins the queue.
  for (const answer of answers) await answer('Standby');
  const page = await openHome(browser, second);
  await expect(region(page, 'Inbox')).toContainText('No orders waiting');
  const standby = region(page, 'On standby');
  await expect(standby).toContainText('Op Long Line');
  await expect(standby).toContainText('2nd in line');

  await standby.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('No seat is free; you remain on standby.')).toBeVisible();
  await expect(standby).toContainText('2nd in line');
  await standby.getByRole('button', { name: 'Leave the queue' }).click();
  await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
  await expect(standby).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(standby).toContainText('2nd in line');
});

test('Standby gives an accepted seat back for a place in the queue, after a confirmation', async ({ browser }) => {
  const pilot = await givenOrder(service, admin, 'Op Stand Down', {
    startLocal: hoursFromNow(30),
    endLocal: hoursFromNow(32),
  });
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
  const page = await openHome(browser, pilot);
  const button = card(page, 'Op Stand Down').getByRole('button', { name: 'Standby', exact: true });
  await button.click();
  const dialog = page.getByRole('dialog', { name: `Go on standby for ${order.label}?` });
  await expect(dialog).toContainText('in Op Stand Down and join its queue');
  await dialog.getByRole('button', { name: 'Keep my seat' }).click();
  await expect(button).toBeFocused();
  await button.click();
  await dialog.getByRole('button', { name: 'Go on standby' }).click();
  await expect(page.getByText('RSVP sent: Standby')).toBeVisible();
  await expect(region(page, 'Accepted Missions')).toHaveCount(0);
  await expect(region(page, 'On standby')).toContainText('1st in line');
  expect((await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.rsvp).toBe('standby');
});

for (const { hours, rule, sentence } of [
  {
    hours: 30,
    rule: 'Cancel without penalty until',
    sentence: "at least 24 hours' notice, so you are re-slotted in the next rotation",
  },
  {
    hours: 20,
    rule: 'Less than 24 hours to go: cancelling now counts as late.',
    sentence: 'starts in less than 24 hours',
  },
]) {
  test(`Confirm is recorded; ${hours} h before the start Cancel asks, tells the 24-hour rule and declines`, async ({
    browser,
  }) => {
    const name = `Op Notice ${hours}`;
    const pilot = await givenOrder(service, admin, name, {
      startLocal: hoursFromNow(hours),
      endLocal: hoursFromNow(hours + 2),
    });
    const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
    await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'Accepted' });
    const page = await openHome(browser, pilot);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(card(page, name)).toContainText('Confirmed');
    await expect(card(page, name)).toContainText(rule);
    await expect
      .poll(async () => (await pilot.client.call('GET', '/pilot/inbox/accepted')).body[0].confirmedAt)
      .toBeTruthy();

    const isInTime = hours >= 24;
    await expect(card(page, name).getByRole('button', { name: 'Standby', exact: true })).toHaveCount(isInTime ? 1 : 0);
    const cancel = card(page, name).getByRole('button', { name: 'Cancel', exact: true });
    await cancel.click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(sentence);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(cancel).toBeFocused();
    await cancel.click();
    await dialog.getByRole('button', { name: 'Give seat back' }).click();
    await expect(page.getByText('RSVP sent: Declined')).toBeVisible();
    await expect(region(page, 'Accepted Missions')).toHaveCount(0);
    expect((await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.rsvp).toBe('declined');
  });
}
