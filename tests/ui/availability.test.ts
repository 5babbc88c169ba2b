/** The form of /availability against a real server: one week in two views, changed, taken back, refused, saved. */
import { expect, test, type Locator } from '@playwright/test';
import { givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, cutOff, holdBack, noteCalls, openAs } from './pages.ts';
import {
  block,
  cell,
  givenWeek,
  openWeek,
  PHONE,
  readTemplates,
  save,
  saveButton,
  slot,
  type Slot,
  WIDE,
} from './weeks.ts';

const SENTENCE =
  'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

test('the address holds the view: switching keeps unsaved changes, a reload keeps the view, and an unknown view falls back to the default', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
  page.on('dialog', (dialog) => void dialog.accept());
  await cell(page, 'Thursday 19:00 to 20:00').click();
  await page.getByText('List', { exact: true }).click();
  await expect(page).toHaveURL(`${service.url}/availability?view=list`);
  await expect(page.getByRole('grid')).toHaveCount(0);
  await expect(page.getByLabel('Thursday start')).toHaveValue('19:00');
  await page.getByLabel('Thursday end').fill('20:30');
  await page.goBack();
  await expect(block(page, 'Thursday 19:00 to 20:30, Any Aircraft')).toBeVisible();
  await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
  await page.getByText('List', { exact: true }).click();
  await expect(page).toHaveURL(/view=list/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked();
  await expect(page.getByRole('grid')).toHaveCount(0);
  await page.goto('/availability?view=x&page=-3');
  await expect(page.getByRole('radio', { name: 'Grid' })).toBeChecked();

  const phone = await openWeek(browser, service, pilot, PHONE);
  await expect(phone.getByRole('radio', { name: 'Grid' })).toBeChecked();
  await expect(phone.getByRole('columnheader', { name: /day$/ })).toHaveCount(1);
  await expect(phone.getByRole('group', { name: 'Monday', exact: true })).toHaveCount(0);
});

test('undo and redo restore the last change exactly, by button and by key, but not while typing', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(5, '18:00', '22:00', { notes: 'crew' })]);
  const page = await openWeek(browser, service, pilot);
  const [undo, redo] = [page.getByRole('button', { name: 'Undo' }), page.getByRole('button', { name: 'Redo' })];
  const friday = block(page, 'Friday 18:00 to 22:00, Any Aircraft, with notes');
  await expect(undo).toBeDisabled();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(friday).toHaveCount(0);
  await undo.click();
  await expect(friday).toHaveCount(1);
  await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
  await redo.click();
  await expect(friday).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(friday).toHaveCount(1);
  await page.keyboard.press('Control+Shift+z');
  await expect(friday).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+y');
  await expect(friday).toHaveCount(0);
  await page.keyboard.press('Control+z');

  await page.getByLabel('Friday notes').press('End');
  await page.keyboard.type(' of two');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Control+z');
  await expect(page.getByLabel('Friday notes')).toHaveValue('crew');

  await cell(page, 'Monday 18:00 to 19:00').click();
  await page.getByLabel('Friday notes').focus();
  await page.keyboard.press('Control+z');
  await expect(block(page, 'Monday 18:00 to 19:00, Any Aircraft')).toBeVisible();
});

test('leaving with unsaved changes asks first; Cancel stays, and there is no question after saving or undoing all changes', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
  const home = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Home/ });
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('button', { name: 'Weekends 18–22' }).click();
  await home.click();
  await expect(question).toContainText('2 changes to your week are not saved.');
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(block(page, 'Sunday 18:00 to 22:00, Any Aircraft')).toBeVisible();
  await home.click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${service.url}/home`);

  const leaveBy = [
    async () => page.getByRole('button', { name: 'Cancel' }).click(),
    async () => saveButton(page).click(),
    async () => {
      await page.keyboard.press('Control+z');
      await home.click();
    },
  ];
  for (const leave of leaveBy) {
    await page.goto('/availability');
    await page.getByRole('button', { name: 'Weeknights 18–22' }).click();
    await leave();
    await expect(page).toHaveURL(`${service.url}/home`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Welcome');
    await expect(question).toHaveCount(0);
  }
});

test('presets, Copy day to…, Invert week and Clear work on the whole week', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(3, '19:00', '20:00', { aircraftCodeId: 2, notes: 'crew' })]);
  const page = await openWeek(browser, service, pilot, { view: '?view=list' });
  await page.getByRole('button', { name: 'Copy day to…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy a day' });
  await expect(dialog.getByLabel('From')).toHaveValue('3');
  await expect(dialog.getByRole('button', { name: 'Copy' })).toBeDisabled();
  await dialog.getByLabel('Sunday').check();
  await dialog.getByLabel('Saturday').check();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Weeknights 18–22' }).click();
  const crew = { aircraftCodeId: 2, notes: 'crew' };
  expect(await save(page)).toEqual([
    slot(0, '19:00', '20:00', crew),
    slot(1, '18:00', '22:00'),
    slot(2, '18:00', '22:00'),
    slot(3, '18:00', '19:00'),
    slot(3, '19:00', '20:00', crew),
    slot(3, '20:00', '22:00'),
    slot(4, '18:00', '22:00'),
    slot(5, '18:00', '22:00'),
    slot(6, '19:00', '20:00', crew),
  ]);

  await page.goto('/availability');
  await page.getByRole('button', { name: 'Clear' }).click();
  await cell(page, 'Sunday 12:00 to 13:00').click();
  await page.getByRole('button', { name: 'Invert week' }).click();
  expect((await save(page)).map(({ weekday, startLocal, endLocal }) => `${weekday} ${startLocal} ${endLocal}`)).toEqual(
    [
      '0 00:00 12:00',
      '0 13:00 00:00',
      ...[1, 2, 3, 4, 5, 6].flatMap((day) => [`${day} 00:00 12:00`, `${day} 12:00 00:00`]),
    ],
  );
});

test('a refused week shows its sentence, marks the field and focuses it, in both views', async ({ browser }) => {
  const pilot = await givenPerson(service);
  for (const view of ['?view=grid', '?view=list']) {
    const page = await openWeek(browser, service, pilot, { view });
    await page.getByRole('button', { name: '+ Add Time Slot, Monday' }).click();
    await page.getByLabel('Monday aircraft').selectOption('Any Aircraft');
    await page.getByLabel('Monday end').fill('18:00');
    await saveButton(page).click();
    await expect(page.getByRole('alert')).toHaveText('A time slot needs an end that differs from its start');
    await expect(page.getByLabel('Monday end')).toBeFocused();
    await page.getByLabel('Monday end').fill('22:00');
    await expect(page.getByRole('alert')).toHaveCount(0);

    await page.getByRole('button', { name: 'Remove Monday' }).click();
    await page.getByRole('button', { name: '+ Add Time Slot, Friday' }).click();
    await saveButton(page).click();
    await expect(page.getByRole('alert')).toHaveText(SENTENCE);
    const field = page.getByLabel('Friday aircraft');
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(SENTENCE);
    await expect(page.getByLabel('Friday start')).not.toHaveAttribute('aria-invalid', 'true');
  }
  expect(await readTemplates(pilot)).toEqual([]);
});

test('a day takes twelve slots, and the thirteenth is refused with a sentence', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const times = Array.from({ length: 12 }, (_slot, index) => String(index).padStart(2, '0'));
  await givenWeek(
    pilot,
    times.map((hour) => slot(2, `${hour}:00`, `${hour}:30`)),
  );
  const page = await openWeek(browser, service, pilot);
  await cell(page, 'Tuesday 18:00 to 19:00').click();
  await expect(page.getByRole('alert')).toHaveText('A day can hold at most 12 time slots');
  await expect(page.getByRole('button', { name: '+ Add Time Slot, Tuesday' })).toBeDisabled();
  await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
});

test('the page says that it is loading or saving', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  const show = await holdBack(page, 'availability.templates');
  await page.goto('/availability');
  await expect(page.getByText('Loading your availability...')).toBeVisible();
  show();
  await page.getByRole('button', { name: 'Weekends 18–22' }).click();
  const answer = await holdBack(page, 'availability.createTemplate');
  await saveButton(page).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  answer();
  await expect(page).toHaveURL(`${service.url}/home`);
});

test('saving sends the week even when nothing changed', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const page = await openWeek(browser, service, pilot);
  const sent = page.waitForRequest(/availability\.updateTemplate/);
  expect(await save(page)).toEqual([slot(1, '18:00', '22:00')]);
  expect(JSON.stringify((await sent).postDataJSON())).toContain('"name":"Default Weekly Availability"');
});

test('a week that was changed elsewhere is not overwritten without a question', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const page = await openWeek(browser, service, pilot);
  await cell(page, 'Saturday 18:00 to 19:00').click();
  await givenWeek(pilot, [slot(3, '10:00', '12:00')]);
  await saveButton(page).click();
  const question = page.getByRole('alert');
  await expect(question).toContainText('Your week was saved somewhere else while this page was open.');
  await expect(question).toContainText('Only in mineMon 18:00–22:00, Sat 18:00–19:00');
  await expect(question).toContainText('Only in theirsWed 10:00–12:00');
  const active = async () =>
    (await readTemplates(pilot)).find(({ isActive }: { isActive: boolean }) => isActive).slots as Slot[];
  expect(await active()).toEqual([slot(3, '10:00', '12:00')]);
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await expect(block(page, 'Wednesday 10:00 to 12:00, Any Aircraft')).toBeAttached();
  await page.keyboard.press('Control+z');
  await expect(block(page, 'Saturday 18:00 to 19:00, Any Aircraft')).toBeVisible();
  expect(await save(page)).toEqual([slot(1, '18:00', '22:00'), slot(6, '18:00', '19:00')]);
  expect(await active()).toEqual([slot(1, '18:00', '22:00'), slot(6, '18:00', '19:00')]);
});

test('two tabs that save at the same moment: the second is asked, and keeps its own only on purpose', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const [one, two] = [await openWeek(browser, service, pilot), await openWeek(browser, service, pilot)];
  await cell(one, 'Saturday 18:00 to 19:00').click();
  await cell(two, 'Wednesday 10:00 to 11:00').click();
  // the second request is on its way while the first is stored
  const letGo = await holdBack(two, 'availability.updateTemplate');
  await saveButton(two).click();
  await save(one);
  letGo();
  const question = two.getByRole('alert');
  await expect(question).toContainText('Only in mineWed 10:00–11:00');
  await expect(question).toContainText('Only in theirsSat 18:00–19:00');
  // what was painted stays; compared with the week as it is now, one slot is new and one is gone
  await expect(block(two, 'Wednesday 10:00 to 11:00, Any Aircraft')).toBeAttached();
  await expect(two.getByText('Unsaved: 2 changes')).toBeVisible();
  const stored = async () => (await readTemplates(pilot))[0].slots as Slot[];
  expect(await stored()).toEqual([slot(1, '18:00', '22:00'), slot(6, '18:00', '19:00')]);
  await expect(two).toHaveURL(/availability/);
  await two.getByRole('button', { name: 'Keep mine' }).click();
  await two.waitForURL('**/home');
  expect(await stored()).toEqual([slot(1, '18:00', '22:00'), slot(3, '10:00', '11:00')]);
});

test('a failed refetch leaves the open week as it is', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot, WIDE);
  const readNoted = await noteCalls(page);
  await page.goto('/availability');
  await cell(page, 'Saturday 18:00 to 19:00').click();
  const { calls: before } = await readNoted();
  const mend = await cutOff(page, 'availability.templates');
  // an exception written elsewhere has the page read its week again
  const dateLocal = Temporal.Now.plainDateISO('UTC').add({ days: 3 }).toString();
  const away = { dateLocal, kind: 'unavailable', startLocal: '00:00', endLocal: '00:00' };
  const { status } = await pilot.client.call('POST', `/users/${pilot.id}/availability/overrides`, away);
  expect(status).toBe(201);
  // twice, and no request is pending
  await expect
    .poll(async () => {
      const { calls, open } = await readNoted();
      const readings = calls.slice(before.length).filter(({ url }) => url.includes('availability.templates'));
      return readings.length >= 2 && open === 0;
    })
    .toBe(true);
  await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
  await mend();
  expect(await save(page)).toEqual([slot(6, '18:00', '19:00')]);
});

test('times are in the named zone, with Zulu for the next date of each slot', async ({ browser }) => {
  const timeZone = 'America/New_York';
  const pilot = await givenPerson(service, { timeZone });
  const days = [0, 1, 2, 3, 4, 5, 6];
  await givenWeek(
    pilot,
    days.map((day) => slot(day, '12:00', '15:30')),
  );
  // The clocks of New York go back on Sunday, 2026-11-01.
  const now = Temporal.ZonedDateTime.from('2026-10-30T09:00[America/New_York]');
  const page = await openAs(browser, service, pilot, WIDE);
  await page.clock.setFixedTime(now.epochMilliseconds);
  await page.goto('/availability');
  await expect(page.getByText(`Times are ${timeZone} (L), now 1300Z 0900L`)).toBeVisible();
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  for (const ahead of days) {
    const date = now.add({ days: ahead });
    const zulu = (hour: number, minute: number) =>
      date
        .with({ hour, minute })
        .withTimeZone('UTC')
        .toPlainTime()
        .toString({ smallestUnit: 'minute' })
        .replace(':', '');
    const row = page.getByRole('group', { name: names[date.dayOfWeek % 7], exact: true });
    await expect(row).toContainText(`${zulu(12, 0)}–${zulu(15, 30)}Z`);
  }
  const grid = page.getByRole('grid', { name: `Week grid, times are ${timeZone}` });
  await expect(grid.getByRole('columnheader', { name: 'Sunday' })).toContainText('UTC−5');
  await expect(grid.getByRole('columnheader', { name: 'Saturday' })).not.toContainText('UTC');
  for (const text of await grid.getByText(/\d{4}/).allInnerTexts()) {
    expect(text).toMatch(/\d{4}[LZ]/);
  }
});

test('the page is as wide as the header, the bar that saves stays at the bottom, and the rows stand below the grid', async ({
  browser,
}) => {
  const page = await openAs(browser, service, await givenPerson(service), WIDE);
  await page.goto('/availability');
  await expect(page.getByRole('grid')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Dated exceptions' })).toBeAttached();
  const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const week = await box(page.getByRole('region', { name: 'Week', exact: true }));
  const wordmark = await box(page.getByRole('link', { name: 'Marshal, start page' }));
  const account = await box(page.locator('header [popovertarget]'));
  expect(week.x).toBeCloseTo(wordmark.x, 0);
  expect(week.x + week.width).toBeCloseTo(account.x + account.width, 0);

  const bottom = async (): Promise<number> => {
    const { y, height } = await box(saveButton(page));
    return WIDE.viewport.height - y - height;
  };
  const first = await bottom();
  expect(first).toBeLessThan(40);
  await page.getByRole('region', { name: 'Dated exceptions' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 200);
  await expect.poll(bottom).toBeGreaterThanOrEqual(0);

  await expect(page.getByRole('group', { name: 'Monday', exact: true })).toBeVisible();
});
