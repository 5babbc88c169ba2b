/** The week grid of /availability against a real server: painted by key, click, mouse and finger. */
import { expect, test, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { givenPerson } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';
import { block, cell, givenWeek, openWeek, PHONE, readTemplates, save, slot } from './weeks.ts';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 80; stops += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluateAll((elements) => elements.some((element) => element === document.activeElement))) return;
  }
  throw new Error('Tab does not reach it');
}

async function boxOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error('not on the page');
  return box;
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await boxOf(target);
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
      options: PHONE,
      add: async (page) => {
        await page.getByText('Tue', { exact: true }).tap();
        await cell(page, 'Tuesday 18:00 to 19:00').tap();
      },
    },
    {
      way: 'a finger that rests and draws',
      options: PHONE,
      add: async (page) => {
        await page.getByText('Tue', { exact: true }).tap();
        // without smooth scrolling, and clear of sticky edges: on a scrolling page the finger meets another cell
        await cell(page, 'Tuesday 18:00 to 19:00').evaluate((element) =>
          element.scrollIntoView({ block: 'center', behavior: 'instant' }),
        );
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
    const page = await openWeek(browser, service, pilot, options);
    await add(page);
    await expect(page.getByText('Unsaved: 1 change', { exact: true })).toBeVisible();
    // a phone shows either view
    if (options === PHONE) await page.getByText('List', { exact: true }).tap();
    await expect(page.getByLabel('Tuesday start')).toHaveValue('18:00');
    await expect(page.getByLabel('Tuesday end')).toHaveValue('19:00');
    const expected = [slot(2, '18:00', '19:00')];
    expect(await save(page)).toEqual(expected);
    expect(await readTemplates(pilot)).toMatchObject([
      { name: 'Default Weekly Availability', isActive: true, slots: expected },
    ]);
  });
}

test('by keyboard a slot is extended over hours and days, opened and removed; each block takes the focus once', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
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

test('by mouse a stroke crosses days, and blocks are moved and resized without opening', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
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

test('22:00 to 01:00 shows +1, appears on both days, and is one slot with its notes', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openWeek(browser, service, pilot);
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

test('a full and overlapping week overflows nowhere, and axe finds nothing in both schemes', async ({ browser }) => {
  const pilot = await givenPerson(service);
  await givenWeek(pilot, [
    slot(2, '17:00', '23:00'),
    slot(2, '18:00', '20:00', { aircraftCodeId: 2, notes: 'with Goose' }),
    slot(2, '19:00', '01:00', { aircraftCodeId: 3 }),
    ...[0, 1, 3, 4, 5, 6].map((day) => slot(day, '18:00', '22:00')),
  ]);
  const page = await openWeek(browser, service, pilot, { view: '?view=grid' });
  const found = hearComplaints(page);
  for (const width of [320, 768, 1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('columnheader', { name: /day$/ })).toHaveCount(width > 768 ? 7 : 1);
    expect(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
  }
  await page.getByText('Tue', { exact: true }).click();
  await block(page, 'Tuesday 18:00 to 20:00, F-16C Viper, with notes').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await findInSchemes(page)));
  await page.setViewportSize({ width: 1440, height: 800 });
  await expect(page.getByRole('dialog')).toBeVisible();
  found.push(...(await findViolations(page)));
  expect(found).toEqual([]);
});

for (const [width, height] of [
  [390, 844],
  [320, 568],
] as const) {
  for (const [path, submit, hasTabs] of [
    ['/availability', 'Save Availability', true],
    ['/register/preferences', 'Continue', false],
  ] as const) {
    test(`on a phone of ${width} by ${height} px, ${path} opens with an hour of the evening in sight, a menu of presets and one bar of 56 px`, async ({
      browser,
    }) => {
      // the zone of the browser, too
      const pilot = await givenPerson(service, { timeZone: 'America/New_York' });
      const page = await openAs(browser, service, pilot, { ...PHONE, viewport: { width, height } });
      await page.goto(path);
      const bar = page.locator('div:has(> output)').filter({ has: page.getByRole('button', { name: submit }) });
      await expect(bar).toBeVisible();
      await expect(page.getByRole('link', { name: 'Missions' })).toHaveCount(hasTabs ? 1 : 0);
      const { y: below } = await boxOf(bar);
      const [first, second] = await Promise.all(
        ['16:00 to 17:00', '16:30 to 17:30'].map((time) =>
          boxOf(page.getByRole('gridcell', { name: new RegExp(`${time}, add availability$`) })),
        ),
      );
      const { y, height: head } = await boxOf(page.getByRole('columnheader', { name: /day$/ }));
      expect(first?.y).toBeGreaterThanOrEqual(y + head - 1);
      expect((second?.y ?? 0) + (second?.height ?? 0)).toBeLessThanOrEqual(below);

      await page.getByRole('button', { name: 'Presets' }).tap();
      await page.getByRole('group', { name: 'Presets' }).getByRole('button', { name: 'Weekends 18–22' }).tap();
      await expect(page.getByRole('group', { name: 'Presets' })).toBeHidden();
      await expect(page.getByText('Unsaved: 2 changes')).toHaveText('Unsaved: 2 changes');
      expect((await boxOf(bar)).height).toBeLessThanOrEqual(56);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      // the days stay in reach while the page scrolls
      await page.getByText(/Tap to add an hour/).scrollIntoViewIfNeeded();
      await page.getByText('Sun', { exact: true }).tap();
      await expect(block(page, 'Sunday 18:00 to 22:00, Any Aircraft')).toBeAttached();
    });
  }
}
