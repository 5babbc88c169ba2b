/** /availability against a real server: one week, painted in a grid or written in rows, saved as one template. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { givenPerson, type Person } from '#tests/given.ts';
import { startService, type Service } from '#tests/service.ts';
import { hearComplaints, holdBack, openAs } from './pages.ts';

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
const WIDE = { viewport: { width: 1440, height: 900 } };
const SENTENCE =
  'Please select an aircraft preference for all time slots (you can choose "Any Aircraft" if you have no preference).';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
test.afterEach(async ({ browser }) => {
  await Promise.all(browser.contexts().map((context) => context.close()));
});

interface Slot {
  weekday: number;
  startLocal: string;
  endLocal: string;
  aircraftCodeId: number;
  notes: string | null;
}

const slot = (weekday: number, startLocal: string, endLocal: string, rest: Partial<Slot> = {}): Slot => ({
  weekday,
  startLocal,
  endLocal,
  aircraftCodeId: 0,
  notes: null,
  ...rest,
});

async function readTemplates(pilot: Person) {
  return (await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`)).body;
}

async function givenWeek(pilot: Person, slots: Slot[]): Promise<void> {
  const { status } = await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, { slots });
  expect(status).toBe(201);
}

async function openWeek(
  browser: Browser,
  pilot: Person,
  { view = '', ...options }: BrowserContextOptions & { view?: string } = {},
): Promise<Page> {
  const page = await openAs(browser, service, pilot, { ...WIDE, ...options });
  await page.goto(`/availability${view}`);
  await expect(page.getByRole('button', { name: 'Weeknights 18–22' })).toBeVisible();
  return page;
}

const cell = (page: Page, time: string): Locator =>
  page.getByRole('gridcell', { name: `${time}, add availability`, exact: true });
const block = (page: Page, name: string): Locator => page.getByRole('grid').getByRole('button', { name, exact: true });
const saveButton = (page: Page): Locator => page.getByRole('button', { name: 'Save Availability' });

/** Save and be led home. @returns the slots as they went over the wire */
async function save(page: Page): Promise<Slot[]> {
  const sent = page.waitForRequest(/availability\.(create|update)Template/);
  await saveButton(page).click();
  const body: Record<string, { slots: Slot[]; name: string; isActive: boolean }> = (await sent).postDataJSON();
  await expect(page).toHaveURL(`${service.url}/home`);
  const [input] = Object.values(body);
  expect(input).toMatchObject({ name: 'Default Weekly Availability', isActive: true });
  return input?.slots ?? [];
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 80; stops += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))) return;
  }
  throw new Error('Tab does not reach it');
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Press, draw and let go with the mouse. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Rest a finger until it paints, draw and lift it. */
async function restAndDraw(page: Page, from: Locator, to: Locator, painted: Locator): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [start, end] = [await middleOf(from), await middleOf(to)];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] });
  await expect(painted).toBeVisible();
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [end] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

const WAYS: { way: string; options?: BrowserContextOptions & { view?: string }; add: (page: Page) => Promise<void> }[] =
  [
    {
      way: 'the keyboard alone',
      add: async (page) => {
        await tabTo(page, page.getByRole('grid').locator('[data-cell]'));
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await expect(cell(page, 'Tuesday 18:00 to 19:00')).toBeFocused();
        await page.keyboard.press('Enter');
        await expect(block(page, 'Tuesday 18:00 to 19:00, Any Aircraft')).toBeFocused();
      },
    },
    { way: 'a single click', add: (page) => cell(page, 'Tuesday 18:00 to 19:00').click() },
    {
      way: 'a drag of the mouse',
      add: async (page) =>
        drag(
          page,
          await middleOf(cell(page, 'Tuesday 18:00 to 19:00')),
          await middleOf(cell(page, 'Tuesday 18:30 to 19:30')),
        ),
    },
    {
      way: 'a finger that taps',
      options: { ...PHONE, view: '?view=grid' },
      add: async (page) => {
        await page.getByText('Tue', { exact: true }).tap();
        await cell(page, 'Tuesday 18:00 to 19:00').tap();
      },
    },
    {
      way: 'a finger that rests and draws',
      options: { ...PHONE, view: '?view=grid' },
      add: async (page) => {
        await page.getByText('Tue', { exact: true }).tap();
        await cell(page, 'Tuesday 19:00 to 20:00').scrollIntoViewIfNeeded();
        await page.mouse.wheel(0, 200);
        await restAndDraw(
          page,
          cell(page, 'Tuesday 18:00 to 19:00'),
          cell(page, 'Tuesday 18:30 to 19:30'),
          block(page, 'Tuesday 18:00 to 18:30, Any Aircraft'),
        );
      },
    },
    {
      way: 'the rows',
      options: { view: '?view=list' },
      add: async (page) => {
        await expect(page.getByRole('grid')).toHaveCount(0);
        await page.getByRole('button', { name: '+ Add Time Slot, Tuesday' }).click();
        await page.getByLabel('Tuesday end').fill('19:00');
        await page.getByLabel('Tuesday aircraft').selectOption('Any Aircraft');
      },
    },
  ];

for (const { way, options, add } of WAYS) {
  test(`${way} adds the same slot, and the same is saved`, async ({ browser }) => {
    const pilot = await givenPerson(service);
    const page = await openWeek(browser, pilot, options);
    await add(page);
    await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Tuesday start')).toHaveValue('18:00');
    await expect(page.getByLabel('Tuesday end')).toHaveValue('19:00');
    const expected = [slot(2, '18:00', '19:00')];
    expect(await save(page)).toEqual(expected);
    expect(await readTemplates(pilot)).toMatchObject([
      { name: 'Default Weekly Availability', isActive: true, slots: expected },
    ]);
  });
}

test('by keyboard a slot grows over hours and days, opens, and goes; each block is met once', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, pilot);
  await cell(page, 'Monday 18:00 to 19:00').focus();
  await cell(page, 'Monday 18:00 to 19:00').press('Enter');
  await page.keyboard.press('ArrowRight');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(`Shift+${key}`);
  await expect(page.getByText('Tuesday to Wednesday 18:00 to 20:00, Enter adds it')).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(block(page, 'Tuesday 18:00 to 20:00, Any Aircraft')).toHaveCount(0);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(`Shift+${key}`);
  await page.keyboard.press('Enter');
  await expect(block(page, 'Tuesday 18:00 to 20:00, Any Aircraft')).toBeFocused();
  await expect(block(page, 'Wednesday 18:00 to 20:00, Any Aircraft')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(cell(page, 'Tuesday 20:00 to 21:00')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  await expect(block(page, 'Monday 18:00 to 19:00, Any Aircraft')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(cell(page, 'Monday 18:00 to 19:00')).toBeFocused();
  // the day's own button stands above midnight
  for (let presses = 0; presses < 5; presses += 1) await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Monday, add 18:00 to 22:00' })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await save(page)).toEqual([slot(1, '18:00', '22:00'), slot(2, '18:00', '20:00'), slot(3, '18:00', '20:00')]);
});

test('by mouse a stroke crosses days, and blocks are moved and stretched without opening', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, pilot);
  await page.getByLabel('Paint with').selectOption('F-16C Viper');
  await drag(
    page,
    await middleOf(cell(page, 'Wednesday 20:30 to 21:30')),
    await middleOf(cell(page, 'Monday 19:00 to 20:00')),
  );
  const monday = block(page, 'Monday 19:00 to 21:00, F-16C Viper');
  const { x, y } = await middleOf(monday);
  // held at its 20:00 half hour
  await drag(page, { x, y: y + 8 }, await middleOf(cell(page, 'Friday 16:30 to 17:30')));
  const friday = block(page, 'Friday 15:30 to 17:30, F-16C Viper');
  await expect(friday).toBeVisible();
  const box = await friday.boundingBox();
  if (!box) throw new Error('no block');
  const foot = { x: box.x + box.width / 2, y: box.y + box.height - 3 };
  await drag(page, foot, await middleOf(cell(page, 'Friday 18:30 to 19:30')));
  await expect(block(page, 'Friday 15:30 to 19:00, F-16C Viper')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const aircraftCodeId = 2;
  expect(await save(page)).toEqual([
    slot(2, '19:00', '21:00', { aircraftCodeId }),
    slot(3, '19:00', '21:00', { aircraftCodeId }),
    slot(5, '15:30', '19:00', { aircraftCodeId }),
  ]);
});

test('22:00 to 01:00 shows +1 and stands on both days, and is one slot with its notes', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, pilot);
  await cell(page, 'Saturday 22:00 to 23:00').click();
  await block(page, 'Saturday 22:00 to 23:00, Any Aircraft').click();
  const dialog = page.getByRole('dialog', { name: 'Saturday time slot' });
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(block(page, 'Saturday 22:00 to 23:00, Any Aircraft')).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('End').fill('22:00');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('A time slot needs an end that differs from its start');
  await expect(dialog.getByLabel('End')).toBeFocused();
  await expect(dialog.getByLabel('End')).toHaveAccessibleDescription(
    'A time slot needs an end that differs from its start',
  );
  await dialog.getByLabel('End').fill('01:00');
  await dialog.getByLabel('Aircraft').selectOption('A-10C II Warthog');
  await dialog.getByLabel('Notes').fill('late crew');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const night = block(page, 'Saturday 22:00 to Sunday 01:00, A-10C II Warthog, with notes');
  await expect(night).toHaveCount(2);
  await expect(night.first()).toHaveText(/2200–0100L \+1/);
  const days = await night.evaluateAll((elements) =>
    elements.map((element) => {
      const place = element.closest('[data-cell]');
      return [place?.getAttribute('data-day'), place?.getAttribute('data-row')];
    }),
  );
  // half hours since midnight
  expect(days).toEqual([
    ['0', '0'],
    ['6', '44'],
  ]);
  await page.getByText('List', { exact: true }).click();
  await expect(page.getByText('+1', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Saturday notes')).toHaveValue('late crew');
  const expected = [slot(6, '22:00', '01:00', { aircraftCodeId: 3, notes: 'late crew' })];
  expect(await save(page)).toEqual(expected);
  expect((await readTemplates(pilot))[0].slots).toEqual(expected);

  await page.goto('/availability?view=grid');
  await expect(night).toHaveCount(2);
  await page.getByLabel('Saturday notes').fill('');
  await page.getByRole('heading', { level: 1 }).click();
  expect(await save(page)).toEqual([slot(6, '22:00', '01:00', { aircraftCodeId: 3 })]);
});

test('the address holds the view: switching keeps what is unsaved, reloading the view, nonsense falls back', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, pilot);
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

  const phone = await openWeek(browser, pilot, PHONE);
  await expect(phone.getByRole('radio', { name: 'List' })).toBeChecked();
  await phone.goto('/availability?view=grid');
  await expect(phone.getByRole('columnheader', { name: /day$/ })).toHaveCount(1);
});

test('undo and redo restore the last change exactly, by button and by key, but not while typing', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(5, '18:00', '22:00', { notes: 'crew' })]);
  const page = await openWeek(browser, pilot);
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

test('leaving with unsaved changes asks; Cancel, saving, and taking all changes back leave the guard at rest', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, pilot);
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
  const page = await openWeek(browser, pilot, { view: '?view=list' });
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

test('a refused week says its sentence, marks the field and gives it the focus, in both views', async ({ browser }) => {
  const pilot = await givenPerson(service);
  for (const view of ['?view=grid', '?view=list']) {
    const page = await openWeek(browser, pilot, { view });
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

test('a day takes twelve slots and says so at the thirteenth', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const times = Array.from({ length: 12 }, (_slot, index) => String(index).padStart(2, '0'));
  await givenWeek(
    pilot,
    times.map((hour) => slot(2, `${hour}:00`, `${hour}:30`)),
  );
  const page = await openWeek(browser, pilot);
  await cell(page, 'Tuesday 18:00 to 19:00').click();
  await expect(page.getByRole('alert')).toHaveText('A day can hold at most 12 time slots');
  await expect(page.getByRole('button', { name: '+ Add Time Slot, Tuesday' })).toBeDisabled();
  await expect(page.getByText(/^Unsaved/)).toHaveCount(0);
});

test('it says what it is doing while it loads and saves', async ({ browser }) => {
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

test('a week that was changed elsewhere meanwhile is not written over unseen', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [slot(1, '18:00', '22:00')]);
  const page = await openWeek(browser, pilot);
  await cell(page, 'Saturday 18:00 to 19:00').click();
  await givenWeek(pilot, [slot(3, '10:00', '12:00')]);
  await saveButton(page).click();
  await expect(page.getByRole('alert')).toContainText('Your week was changed elsewhere while this page was open.');
  const active = async () =>
    (await readTemplates(pilot)).find(({ isActive }: { isActive: boolean }) => isActive).slots as Slot[];
  expect(await active()).toEqual([slot(3, '10:00', '12:00')]);
  await page.getByRole('button', { name: 'Show the other week' }).click();
  await expect(block(page, 'Wednesday 10:00 to 12:00, Any Aircraft')).toBeAttached();
  await page.keyboard.press('Control+z');
  await expect(block(page, 'Saturday 18:00 to 19:00, Any Aircraft')).toBeVisible();
  expect(await save(page)).toEqual([slot(1, '18:00', '22:00'), slot(6, '18:00', '19:00')]);
  expect(await active()).toEqual([slot(1, '18:00', '22:00'), slot(6, '18:00', '19:00')]);
});

test('times stand under the named zone, with Zulu of the day each slot next falls on', async ({ browser }) => {
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
  await expect(page.getByText(`Times are ${timeZone} (L), now 0900L / 1300Z`)).toBeVisible();
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

for (const { colorScheme, audited } of [
  { colorScheme: 'dark', audited: 360 },
  { colorScheme: 'light', audited: 1440 },
] as const) {
  test(`a full and overlapping week overflows nowhere, and axe finds nothing at ${audited} px, ${colorScheme}`, async ({
    browser,
  }) => {
    const pilot = await givenPerson(service);
    await givenWeek(pilot, [
      slot(2, '17:00', '23:00'),
      slot(2, '18:00', '20:00', { aircraftCodeId: 2, notes: 'with Goose' }),
      slot(2, '19:00', '01:00', { aircraftCodeId: 3 }),
      ...[0, 1, 3, 4, 5, 6].map((day) => slot(day, '18:00', '22:00')),
    ]);
    const page = await openWeek(browser, pilot, { colorScheme, view: '?view=grid' });
    const found = hearComplaints(page);
    for (const width of [320, 768, 1440, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.getByRole('columnheader', { name: /day$/ })).toHaveCount(width > 768 ? 7 : 1);
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth > clientWidth;
      });
      expect(overflow, `${width} px`).toBe(false);
    }
    await page.getByText('Tue', { exact: true }).click();
    await page.setViewportSize({ width: audited, height: 800 });
    await block(page, 'Tuesday 18:00 to 20:00, F-16C Viper, with notes').click();
    await expect(page.getByRole('dialog')).toBeVisible();
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    found.push(
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    );
    expect(found).toEqual([]);
  });
}
