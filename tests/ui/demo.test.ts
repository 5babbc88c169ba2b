/** /demo: the home screens with sample data. Everything works, nothing is saved, and no call is made. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const toasts = (page: Page) => region(page, 'Notifications');

/** The demo, and every request that was neither the page, its own files nor a file of the site's front. */
async function openDemo(browser: Browser, options = {}): Promise<{ page: Page; calls: string[] }> {
  const page = await openAs(browser, service, null, { timezoneId: 'Europe/Berlin', ...options });
  const calls: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    const isOwnFile =
      origin === service.url && /^\/(demo|assets\/[^/]+|[\w-]+\.(js|svg|png|webmanifest))$/.test(pathname);
    if (request.method() !== 'GET' || !isOwnFile) calls.push(`${request.method()} ${request.url()}`);
  });
  await page.goto('/demo');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Maverick');
  return { page, calls };
}

test('orders, lamps and files all work by local state alone, without one call to the server', async ({ browser }) => {
  test.setTimeout(90_000);
  const { page, calls } = await openDemo(browser);
  const strip = page.getByRole('complementary', { name: 'Demo Mode' });
  await expect(strip).toHaveText(/^Demo Mode: sample data, nothing is saved/);
  await expect(strip.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register/account');
  await expect(page).toHaveTitle(/^Demo Mode/);

  // The way out of the demo is not walked ahead either.
  for (const way of [page.getByRole('link', { name: 'Leave the demo' }), page.getByRole('link', { name: 'Marshal' })]) {
    await way.hover();
    await way.focus();
  }

  const inbox = region(page, 'Inbox');
  const accepted = region(page, 'Accepted Missions');
  const standby = region(page, 'On standby');
  await test.step('accept', async () => {
    await expect(inbox).toContainText('2 pending');
    await inbox.getByRole('article', { name: 'Op Iron Hound' }).getByRole('button', { name: 'Accept' }).click();
    await expect(toasts(page)).toContainText(/You're in: .+, seat \d/);
    await expect(inbox).toContainText('1 pending');
    await expect(accepted.getByRole('article')).toHaveCount(2);
  });
  await test.step('decline by key, and undo', async () => {
    await inbox.getByRole('article', { name: 'Strike Night Ops' }).getByRole('button', { name: 'Standby' }).focus();
    await page.keyboard.press('d');
    await expect(inbox).toContainText('No orders waiting');
    await toasts(page).getByRole('button', { name: 'Accept instead' }).click();
    await expect(accepted.getByRole('article', { name: 'Strike Night Ops' })).toBeVisible();
  });
  await test.step('a place in line: no seat is free; leave, and undo', async () => {
    await expect(standby).toContainText('2nd in line');
    await standby.getByRole('button', { name: 'Accept' }).click();
    await expect(toasts(page)).toContainText('No seat is free; you remain on standby.');
    await standby.getByRole('button', { name: 'Leave the queue' }).click();
    await expect(standby).toHaveCount(0);
    await toasts(page).getByRole('button', { name: 'Undo' }).last().click();
    await expect(standby).toContainText('2nd in line');
  });
  await test.step('confirm and cancel', async () => {
    const mission = accepted.getByRole('article', { name: 'Capture the Flag' });
    await mission.getByRole('button', { name: 'Confirm' }).click();
    await expect(mission).toContainText('Confirmed');
    await mission.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toContainText('starts in less than 24 hours');
    await page.getByRole('button', { name: 'Give seat back' }).click();
    await expect(mission).toHaveCount(0);
  });
  await test.step('the status lamps light up and count down', async () => {
    const status = region(page, 'Your Status');
    await status.getByRole('button', { name: '15 minutes more' }).click();
    await status.getByRole('radio', { name: 'Find Flight', exact: true }).click();
    await expect(status.getByRole('radio', { name: 'Find Flight', exact: true })).toBeChecked();
    await expect(status).toContainText('75 min left');
  });
  await test.step('actions that need an account say so', async () => {
    for (const [name, sentence] of [
      ['Kneeboard Day', 'The kneeboard card works after you register.'],
      ['Calendar .ics', 'The calendar file works after you register.'],
    ] as const) {
      await accepted.getByRole('button', { name }).first().click();
      await expect(toasts(page)).toContainText(sentence);
    }
    await page.getByRole('button', { name: 'Edit Availability' }).first().click();
    await expect(toasts(page)).toContainText('Editing availability works after you register.');
  });
  await test.step('the order page shares its answers with the home page', async () => {
    await accepted.getByRole('link', { name: 'FRAG-007' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('FRAG-007 Op Iron Hound');
    await expect(page.getByRole('list', { name: 'Crew of Viper 1' }).getByRole('listitem').first()).toHaveText(
      '1 You Maverick',
    );
    await expect(page.getByRole('list', { name: 'Crew of Dude 1' }).getByRole('listitem')).toHaveText([
      '1 Cobalt',
      '2 Rook',
    ]);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(region(page, 'Your answer')).toContainText("This seat is yours, and you've confirmed it.");
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Maverick');
    await expect(accepted.getByRole('article', { name: 'Op Iron Hound' })).toContainText('Confirmed');
  });
  await test.step('nothing was saved', async () => {
    await page.reload();
    await expect(inbox).toContainText('2 pending');
    await expect(accepted.getByRole('article')).toHaveCount(1);
    await expect(region(page, 'Your Status').getByRole('radio', { name: 'Idle' })).toBeChecked();
  });
  expect(calls).toEqual([]);
});

test('a toast closes by itself, but not under the pointer; a fifth toast replaces the oldest', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  await page.clock.install();
  await page.goto('/demo');
  const file = page.getByRole('button', { name: 'Kneeboard Day' }).first();
  await file.click();
  const toast = toasts(page).getByText('The kneeboard card works after you register.');
  await toast.hover();
  await page.clock.runFor(20_000);
  await expect(toast).toBeVisible();
  await page.getByRole('heading', { level: 1 }).hover();
  await page.clock.runFor(20_000);
  await expect(toast).toHaveCount(0);

  await file.click();
  await expect(toast).toBeVisible();
  for (let more = 0; more < 4; more += 1) await page.getByRole('button', { name: 'Edit Availability' }).first().click();
  await expect(toasts(page).getByText('Editing availability works after you register.')).toHaveCount(4);
  await expect(toast).toHaveCount(0);
});

for (const { day, rule } of [
  { day: '2031-02-03', rule: 'in winter' },
  { day: '2034-07-31', rule: 'on the last day of a month in summer' },
]) {
  test(`times are relative to the moment the demo is opened, ${rule}`, async ({ browser }) => {
    const page = await openAs(browser, service, null, { timezoneId: 'Australia/Sydney' });
    await page.clock.setFixedTime(new Date(`${day}T04:10:00Z`));
    await page.goto('/demo');
    // the next quarter of an hour after 3 hours
    const start = Temporal.PlainDateTime.from(`${day}T07:15`).toZonedDateTime('UTC').withTimeZone('Australia/Sydney');
    const local = start.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
    await expect(page.getByRole('group', { name: 'Your next seat' })).toContainText(
      `Tonight 0715Z ${local}L · Venom 1-3 · in 3 h 5 min`,
    );
    const week = region(page, 'Next 7 Days');
    const first = Temporal.PlainDate.from(day);
    for (const days of [0, 1, 2]) {
      const name = first.add({ days }).toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
      await expect(week).toContainText(name);
    }
    await expect(week).toContainText('Australia/Sydney (L)');
    // An evening order of tomorrow: 18:30 and 35 minutes, on the reader's wall.
    const launch = first.add({ days: 1 }).toZonedDateTime({ timeZone: 'Australia/Sydney', plainTime: '19:05' });
    const zulu = launch.withTimeZone('UTC').toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
    await expect(page.getByRole('article', { name: 'Op Iron Hound' })).toContainText(`${zulu}Z 1905L`);
  });
}

test('axe finds nothing on orders that wait, are accepted or in line, and nothing overflows', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  for (const [id, name] of [
    ['sample-7', 'FRAG-007 Op Iron Hound'],
    ['sample-3', 'FRAG-003 Capture the Flag 8v8'],
    ['sample-9', 'FRAG-009 Op Cold Front'],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/demo/orders/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    found.push(...(await findInSchemes(page)).map((violation) => `${name}, ${violation}`));
    await page.setViewportSize({ width: 320, height: 740 });
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${name} overflows by ${overflow} px`);
  }
  expect(found).toEqual([]);
});
