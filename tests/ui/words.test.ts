/** Specified sentences, defaults and intervals for pilots and visitors that no other file here tests. */
import { expect, test, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, cutOffLive, hearComplaints, holdBack, noteCalls, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const alert = (page: Page) => page.getByRole('main').getByRole('alert');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Fields that were refused: each is linked to its sentence, the first one has the focus. */
async function expectRefused(page: Page, refusals: readonly (readonly [label: string, sentence: string])[]) {
  for (const [index, [label, sentence]] of refusals.entries()) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
    if (index === 0) await expect(field).toBeFocused();
  }
}

/** A proxy's page where the server's answer should be. */
async function breakAnswers(page: Page, procedure: string): Promise<() => Promise<void>> {
  const isCall = (url: URL): boolean => url.pathname.includes(procedure);
  await page.route(isCall, (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }));
  return () => page.unroute(isCall);
}

test('sign-in: no answer shows "Login failed", a foreign answer shows its status, and what was typed is kept', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null);
  const complaints = hearComplaints(page);
  await page.goto('/login');
  await expect(page).toHaveTitle(/^Sign In/);
  await button(page, 'Sign In').click();
  await expectRefused(page, [
    ['Email', 'Invalid email address'],
    ['Password', 'Password is required'],
  ]);
  await page.getByLabel('Email').fill('nobody@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  // a visitor causes no error message
  expect(complaints).toEqual([]);
  const mend = await cutOff(page, 'auth.login');
  await button(page, 'Sign In').click();
  await expect(alert(page)).toHaveText('Login failed');
  await mend();
  await breakAnswers(page, 'auth.login');
  await button(page, 'Sign In').click();
  await expect(alert(page)).toHaveText('HTTP error! status: 502');
  await expect(alert(page)).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.org');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD);
  const box = await alert(page).boundingBox();
  const email = await page.getByLabel('Email').boundingBox();
  expect(box?.y).toBeLessThan(email?.y ?? 0);
});

test('the wizard: every step names its failure, keeps what was typed, and leads forward and back in order', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null);
  // a page that begins to get live updates asks once more who is signed in
  await cutOffLive(page);
  const readNoted = await noteCalls(page);
  await page.goto('/register/account');
  await expect(heading(page)).toHaveText('Create Account');
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  await button(page, 'Continue').click();
  await expectRefused(page, [
    ['Email', 'Invalid email address'],
    ['Password', 'Password must be at least 8 characters'],
    ['Confirm Password', 'Please confirm your password'],
  ]);
  await page.getByLabel('Email').fill('words@example.org');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password', { exact: true }).fill(PASSWORD);
  let mend = await cutOff(page, 'auth.register');
  await button(page, 'Continue').click();
  await expect(alert(page)).toHaveText('Registration failed');
  await expect(page.getByLabel('Email')).toHaveValue('words@example.org');
  await mend();
  const { calls: before } = await readNoted();
  await button(page, 'Continue').click();

  await expect(heading(page)).toHaveText('Your Profile');
  const calls = (await readNoted()).calls
    .slice(before.length)
    .map(({ url }) => new URL(url, service.url).pathname.split('/').at(-1) ?? '')
    .filter((name) => /auth\.(register|viewer)/.test(name));
  expect(calls).toEqual(['auth.register', 'auth.viewer']);
  await expect(page.getByLabel('Time Zone').getByRole('option')).toHaveText([
    'UTC',
    'America/New_York',
    'America/Chicago',
    'America/Denver',
    'America/Los_Angeles',
    'Europe/London',
    'Europe/Paris',
    'Europe/Berlin',
    'Asia/Tokyo',
    'Australia/Sydney',
  ]);
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/register/account');
  await button(page, 'Continue').click();
  await expectRefused(page, [['Call Sign', 'Call sign is required']]);
  await page.getByLabel('Call Sign').fill('Wordsmith');
  mend = await cutOff(page, 'pilot.updateProfile');
  await button(page, 'Continue').click();
  await expect(alert(page)).toHaveText('Failed to update profile');
  await expect(page.getByLabel('Call Sign')).toHaveValue('Wordsmith');
  await mend();
  const showWeek = await holdBack(page, 'availability.templates');
  await button(page, 'Continue').click();

  await expect(heading(page)).toHaveText('Weekly Availability');
  await expect(page.getByText('Loading your availability...')).toBeVisible();
  showWeek();
  await expect(page.locator('[role=group] > span').filter({ hasText: /day$/ })).toHaveText([
    'Sunday',
    'Monday',
    'Tuesday',
    'Wednesday',
    'Thursday',
    'Friday',
    'Saturday',
  ]);
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/register/profile');
  await button(page, '+ Add Time Slot, Sunday').click();
  await page.getByLabel('Sunday aircraft').selectOption('Any Aircraft');
  mend = await cutOff(page, 'availability.createTemplate');
  await button(page, 'Continue').click();
  await expect(alert(page)).toHaveText('Failed to save preferences');
  await expect(page.getByLabel('Sunday start')).toHaveValue('18:00');
  await mend();
  await button(page, 'Continue').click();

  await expect(heading(page)).toHaveText('Initial Status');
  await expect(page.getByRole('radio')).toHaveText([/^Available/, /^Do Not Disturb/, /^Available Now/]);
  await expect(page.getByRole('radio', { name: 'Available', exact: true })).toBeChecked();
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/register/preferences');
  await page.getByRole('radio', { name: 'Available Now' }).click();
  for (const [minutes, sentence] of [
    ['', 'Minutes required when selecting "Available Now"'],
    ['481', 'Minutes must be a whole number from 1 to 480'],
  ] as const) {
    await page.getByLabel('Minutes').fill(minutes);
    await button(page, 'Complete Registration').click();
    await expectRefused(page, [['Minutes', sentence]]);
    await expect(page.getByLabel('Minutes')).toHaveValue(minutes);
  }
  await page.getByRole('radio', { name: 'Do Not Disturb' }).click();
  mend = await cutOff(page, 'pilot.setStatus');
  await button(page, 'Complete Registration').click();
  await expect(alert(page)).toHaveText('Failed to set status');
  await expect(page.getByRole('radio', { name: 'Do Not Disturb' })).toBeChecked();
  await mend();
  const release = await holdBack(page, 'pilot.setStatus');
  await button(page, 'Complete Registration').click();
  await expect(button(page, 'Saving...')).toBeDisabled();
  release();
  await expect(heading(page)).toHaveText('Welcome, Wordsmith');
  await expect(page.getByRole('radio', { name: 'Do Not Disturb' })).toBeChecked();
});

/** Everything of a pilot that the wizard writes. */
interface Stored {
  weeks: { name: string }[];
}

async function readStored(pilot: Person): Promise<Stored> {
  const [row] = await query<{ stored: Stored }>(
    service.app.orm.em.fork(),
    sql`select jsonb_build_object(
          'account', (select to_jsonb(u) - '{inbox_read_at,look}'::text[] from app_user u where u.id = ${pilot.id}),
          'status', (select to_jsonb(s) from pilot_status s where s.user_id = ${pilot.id}),
          'weeks', (select jsonb_agg(to_jsonb(t) - 'updated_at' order by t.id) from availability_template t where t.user_id = ${pilot.id}),
          'slots', (select jsonb_agg(to_jsonb(s) - 'id' order by s.weekday, s.start_local) from availability_slot s
                    join availability_template t on t.id = s.template_id where t.user_id = ${pilot.id})) as stored`,
  );
  if (!row) throw new Error('nothing is stored');
  return row.stored;
}

test('a registered pilot who goes through the wizard again sees what is stored, and changes nothing by continuing', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Returner', timeZone: 'Asia/Kathmandu' });
  await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, {
    name: 'Winter',
    slots: [
      { weekday: 6, startLocal: '22:00', endLocal: '01:00', aircraftCodeId: 3, notes: 'late crew' },
      { weekday: 2, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null },
    ],
  });
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'now', minutes: 90 });
  const before = await readStored(pilot);
  expect(before).toMatchObject({ status: { minutes: 90 }, weeks: [{ name: 'Winter' }], slots: [{}, {}] });

  const page = await openAs(browser, service, pilot);
  await page.goto('/register/account');
  await expect(page.getByText('Your account Returner exists and is signed in.')).toBeVisible();
  await page.getByRole('link', { name: 'Continue to your profile' }).click();
  await expect(page.getByLabel('Call Sign')).toHaveValue('Returner');
  await expect(page.getByLabel('Time Zone')).toHaveValue('Asia/Kathmandu');
  await button(page, 'Continue').click();
  await expect(page.getByLabel('Saturday end')).toHaveValue('01:00');
  await expect(page.getByLabel('Saturday notes')).toHaveValue('late crew');
  const saved = page.waitForResponse(/availability\.updateTemplate/);
  await button(page, 'Continue').click();
  expect((await saved).ok()).toBe(true);
  await expect(page.getByRole('radio', { name: 'Available Now' })).toBeChecked();
  await expect(page.getByLabel('Minutes')).toHaveValue('90');
  await button(page, 'Complete Registration').click();
  await expect(heading(page)).toHaveText('Welcome, Returner');
  // the week is saved under the one name that the screens give it, and is the same
  const weeks = before.weeks.map((week) => ({ ...week, name: 'Default Weekly Availability' }));
  expect(await readStored(pilot)).toEqual({ ...before, weeks });

  // and changes there are saved
  await page.goto('/register/status');
  await page.getByLabel('Minutes').fill('45');
  await button(page, 'Complete Registration').click();
  await expect(heading(page)).toHaveText('Welcome, Returner');
  expect(await readStored(pilot)).toMatchObject({ status: { minutes: 45 } });
});

test('/availability names its failures, offers every aircraft, and keeps unsaved changes', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await cutOffLive(page);
  let mend = await cutOff(page, 'availability.templates');
  await page.goto('/availability');
  await expect(alert(page)).toHaveText('Failed to load availabilityRetry');
  await mend();
  // the exceptions are shown with the week
  mend = await cutOff(page, 'availability.overrides');
  await alert(page).getByRole('button', { name: 'Retry' }).click();
  await expect(alert(page)).toHaveText('Failed to load dated exceptionsRetry');
  await mend();
  await alert(page).getByRole('button', { name: 'Retry' }).click();
  await expect(alert(page)).toHaveCount(0);
  await expect(page.getByText('No exceptions. Every week follows the grid.')).toBeVisible();
  await button(page, '+ Add Time Slot, Wednesday').click();
  const { body } = await pilot.client.call('GET', '/aircraft?activeOnly=true');
  const names = body.map(({ name }: { name: string }) => name);
  const offered = page
    .getByLabel('Wednesday aircraft')
    .getByRole('option')
    .filter({ hasNotText: /^Choose/ });
  expect((await offered.allTextContents()).filter((name) => name === 'Any Aircraft' || names.includes(name))).toEqual([
    'Any Aircraft',
    ...names,
  ]);
  await page.getByLabel('Wednesday aircraft').selectOption('Any Aircraft');
  mend = await cutOff(page, 'availability.createTemplate');
  await button(page, 'Save Availability').click();
  await expect(alert(page)).toHaveText('Failed to save availability');
  await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
  await mend();
  await button(page, 'Save Availability').click();
  await expect(page).toHaveURL(`${service.url}/home`);
  await expect(page.getByText('+4 more days')).toBeVisible();
});

test('home reads the status every 10 s and the rest every 30 s, asks for 7 days, and tries a failed read once more', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  // live updates would read on top of it
  await cutOffLive(page);
  await page.clock.install();
  const readNoted = await noteCalls(page);
  await page.goto('/home');
  await expect(page.getByText('No orders waiting')).toBeVisible();
  await expect(page.getByText('+4 more days')).toBeVisible();

  // The page's time stands still while a call is on its way, however slow the machine: an interval counts from the
  // answer before it.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5000);
  const pausedAt = await page.evaluate(() => Date.now());
  for (let seconds = 0; seconds < 75; seconds += 1) {
    await page.clock.runFor(1000);
    await expect.poll(async () => (await readNoted()).open).toBe(0);
  }
  const reads = (await readNoted()).calls.flatMap(({ url, at }) => {
    const { pathname, searchParams } = new URL(url, service.url);
    const inputs: Record<string, unknown> = JSON.parse(searchParams.get('input') ?? '{}');
    const names = pathname.startsWith('/trpc/') ? (pathname.split('/').at(-1) ?? '').split(',') : [];
    return names.map((name, index) => ({ name, input: inputs[index], at }));
  });
  expect(reads.find(({ name }) => name === 'availability.window')?.input).toMatchObject({ id: pilot.id, days: 7 });
  const everySeconds = (what: string): number[] => {
    const times = reads
      .filter(({ at }) => at > pausedAt)
      .map(({ name, input, at }) => ({
        what: name === 'pilot.inbox' ? `${name} ${JSON.stringify(input ?? {})}` : name,
        at,
      }))
      .filter((read) => read.what === what)
      .map(({ at }) => at / 1000);
    return times.slice(1).map((time, index) => time - (times[index] ?? 0));
  };
  const INTERVALS = [
    ['pilot.status', 10, 4],
    ['pilot.inboxStatus', 30, 1],
    ['pilot.inbox {}', 30, 1],
    ['pilot.inbox {"includeCompleted":true}', 30, 1],
    ['pilot.accepted', 30, 1],
    ['pilot.stats', 30, 1],
  ] as const;
  for (const [what, interval, atLeast] of INTERVALS) {
    const gaps = everySeconds(what);
    expect(gaps.length, what).toBeGreaterThanOrEqual(atLeast);
    for (const gap of gaps) {
      expect(gap, what).toBeGreaterThanOrEqual(interval);
      // a second for each timer that a call and its answer wait for
      expect(gap, what).toBeLessThanOrEqual(interval + 3);
    }
  }

  const failing = await openAs(browser, service, pilot);
  await cutOffLive(failing);
  let tries = 0;
  await failing.route(/pilot\.stats/, async (route) => {
    tries += 1;
    await route.abort();
  });
  await failing.goto('/home');
  await expect(failing.getByText('Failed to load stats')).toBeVisible();
  expect(tries).toBe(2);
});

test('a session check that fails counts as signed out; an ended session leads to the sign-in and back', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Sleeper' });
  const page = await openAs(browser, service, pilot);
  // else the page would learn of the end of its session by the stream, before anything is pressed
  await cutOffLive(page);
  const mend = await cutOff(page, 'auth.viewer');
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Login →' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await mend();

  await page.goto('/register/profile');
  await page.getByLabel('Call Sign').fill('Awake');
  await pilot.client.call('POST', '/auth/logout');
  const refused = page.waitForResponse(/pilot\.updateProfile/);
  await button(page, 'Continue').click();
  expect(await (await refused).text()).toContain('User not authenticated');
  await expect(page).toHaveURL(`${service.url}/login`);
  await page.getByLabel('Email').fill(pilot.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign In').click();
  await expect(page).toHaveURL(`${service.url}/register/profile`);
});

test('a saved exception is confirmed with its dates', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPerson(service));
  await page.goto('/availability');
  const day = (inDays: number) => new Date(Date.now() + inDays * 86_400_000);
  const words = (date: Date) =>
    date.toLocaleDateString('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
  const form = page.getByRole('form', { name: 'Add a dated exception' });
  await form.getByLabel('Date', { exact: true }).fill(day(3).toISOString().slice(0, 10));
  await button(page, 'Add exception').click();
  await expect(page.getByText(`Saved: away ${words(day(3))}`, { exact: true })).toBeVisible();
  await form.getByLabel('Date', { exact: true }).fill(day(5).toISOString().slice(0, 10));
  await form.getByLabel('Until (optional)').fill(day(6).toISOString().slice(0, 10));
  await button(page, 'Add exception').click();
  await expect(page.getByText(`Saved: away ${words(day(5))} to ${words(day(6))}`, { exact: true })).toBeVisible();
});
