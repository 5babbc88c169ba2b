/** /admin/missions against a real server: the form, its defaults, its request and its result. */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, cutOffLive, holdBack, openAs } from './pages.ts';

const ZONE = 'Europe/Berlin';

let service: Service;
let admin: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  await admin.client.call('PUT', `/users/${admin.id}`, { displayName: 'Goose', timeZone: ZONE });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const tomorrow = () => Temporal.Now.plainDateISO(ZONE).add({ days: 1 });

/** `1800Z` of a wall time in the zone of the admin, by Temporal. */
function zulu(date: Temporal.PlainDate, time: string): string {
  const instant = date.toZonedDateTime({ timeZone: ZONE, plainTime: time }).toInstant();
  return instant.toZonedDateTimeISO('UTC').toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '');
}

async function openForm(browser: Browser, search = '', options = {}): Promise<Page> {
  const page = await openAs(browser, service, admin, options);
  await page.goto(`/admin/missions${search}`);
  await expect(page.getByLabel('Mission name')).toBeVisible();
  return page;
}

const slot = (page: Page, number: number) => page.getByRole('group', { name: `Aircraft ${number}` });
const submit = (page: Page) => page.getByRole('button', { name: /^(Create Mission|Creating Mission\.\.\.)$/ });

async function setTimes(page: Page, date: Temporal.PlainDate, start: string, end: string): Promise<void> {
  await page.getByLabel('Start date').fill(date.toString());
  await page.getByLabel('Start time').fill(start);
  await page.getByLabel('End date').fill(date.toString());
  await page.getByLabel('End time').fill(end);
}

test('the form starts at 19:00 to 22:00 today in the named zone, without aircraft and not ready to send', async ({
  browser,
}) => {
  const page = await openForm(browser);
  await expect(page).toHaveTitle(/^Create Mission/);
  const today = Temporal.Now.plainDateISO(ZONE).toString();
  await expect(page.getByLabel('Start date')).toHaveValue(today);
  await expect(page.getByLabel('Start time')).toHaveValue('19:00');
  await expect(page.getByLabel('End date')).toHaveValue(today);
  await expect(page.getByLabel('End time')).toHaveValue('22:00');
  await expect(page.getByText(`Times are ${ZONE} (L)`)).toBeVisible();
  await expect(page.getByLabel('Notes', { exact: true })).toHaveAttribute('rows', '3');
  await expect(
    page.getByText('No aircraft slots defined. Add at least one aircraft to create the mission.'),
  ).toBeVisible();
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByLabel('Theater').locator('option:not([value=""])')).toHaveText([
    'Caucasus',
    'Nevada',
    'Normandy',
    'Persian Gulf',
    'Syria',
    'Mariana Islands',
    'South Atlantic',
    'Sinai',
    'Kola',
  ]);
});

test('while aircraft load the form says so; without any, none can be added; a failure comes back with Retry', async ({
  browser,
}) => {
  const page = await openAs(browser, service, admin);
  await cutOffLive(page);
  const mend = await cutOff(page, 'availability.aircraft');
  const release = await holdBack(page, 'availability.aircraft');
  await page.goto('/admin/missions');
  await expect(page.getByText('Loading aircraft...')).toBeVisible();
  release();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Unknown error occurred');
  await mend();
  await query(service.app.orm.em.fork(), sql`update aircraft set active = false`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('button', { name: 'Add Aircraft' })).toBeDisabled();
  await expect(page.getByText('There are no aircraft to choose from.')).toBeVisible();
  await query(service.app.orm.em.fork(), sql`update aircraft set active = true`);
});

test('the form shows its times in Zulu, points out an end on the next day, and accepts quarter hours only', async ({
  browser,
}) => {
  const page = await openForm(browser);
  const date = tomorrow();
  await setTimes(page, date, '19:00', '22:00');
  const result = page.locator('form [aria-live]').first();
  await expect(result).toContainText(`1900–2200L`);
  await expect(result).toContainText(`${zulu(date, '19:00')}–${zulu(date, '22:00')}Z`);
  await expect(result).not.toContainText('+1');
  await expect(result).not.toContainText('ends');
  await page.getByLabel('End time').fill('02:00');
  await expect(result).toContainText('1900–0200L+1');
  await expect(result).toContainText(`${zulu(date, '19:00')}–${zulu(date.add({ days: 1 }), '02:00')}Z`);
  const next = date.add({ days: 1 }).toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
  await expect(result).toContainText(`7 h, ends ${next}`);

  for (const [typed, rounded] of [
    ['19:07', '19:00'],
    ['19:08', '19:15'],
    ['23:59', '23:45'],
  ] as const) {
    await page.getByLabel('Start time').fill(typed);
    await page.getByLabel('Start time').blur();
    await expect(page.getByLabel('Start time')).toHaveValue(rounded);
  }
});

test('a slot starts as one Blue aircraft for Training; its count stays within 1 and 64', async ({ browser }) => {
  const page = await openForm(browser);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const first = slot(page, 1);
  const count = first.getByLabel('Slots');
  const [less, more] = [
    first.getByRole('button', { name: 'One slot less' }),
    first.getByRole('button', { name: 'One slot more' }),
  ];
  await expect(first.getByLabel('Aircraft', { exact: true })).toBeFocused();
  await expect(first.getByLabel('Role')).toHaveValue('Training');
  const roles = 'Training CAP Strike CAS DEAD SEAD Intercept Recon Tanker AWACS EW'.split(' ');
  await expect(first.getByLabel('Role').getByRole('option')).toHaveText(roles);
  await expect(first.getByRole('radio', { name: 'Blue' })).toBeChecked();
  await expect(count).toHaveValue('1');
  await expect(less).toBeDisabled();

  await more.click();
  await expect(count).toHaveValue('2');
  await less.click();
  await expect(count).toHaveValue('1');
  for (const [typed, shown] of [
    ['abc', '1'],
    ['0', '1'],
    ['70', '64'],
  ] as const) {
    await count.fill(typed);
    await expect(count).toHaveValue(shown);
  }
  await expect(more).toBeDisabled();
  await count.fill('');
  await count.blur();
  await expect(count).toHaveValue('1');

  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await slot(page, 2).getByLabel('Slots').fill('12');
  await expect(page.getByText('total 13 seats')).toBeVisible();
  await expect(page.getByText('1 Blue, 12 Red')).toBeHidden();
  await slot(page, 2).getByText('Red', { exact: true }).click();
  await expect(page.getByText('1 Blue, 12 Red')).toBeVisible();
  await page.getByRole('button', { name: 'Remove aircraft 1' }).click();
  await expect(slot(page, 1).getByLabel('Slots')).toHaveValue('12');
  await expect(page.getByText('total 12 seats')).toBeVisible();
});

test('aircraft that fly the chosen role come first, each with its numeric id, name and code', async ({ browser }) => {
  const page = await openForm(browser);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await slot(page, 1).getByLabel('Role').selectOption('AWACS');
  const aircraft: { id: number; name: string; code: string; roles: string[] }[] = (
    await admin.client.call('GET', '/aircraft')
  ).body;
  const option = ({ id, name, code }: { id: number; name: string; code: string }) => [String(id), `${name} (${code})`];
  const expected = [
    ...aircraft.filter(({ roles }) => roles.includes('AWACS')),
    ...aircraft.filter(({ roles }) => !roles.includes('AWACS')),
  ].map(option);
  const shown = await slot(page, 1)
    .getByLabel('Aircraft', { exact: true })
    .locator('option')
    .evaluateAll((options) => options.map((one) => [(one as HTMLOptionElement).value, one.textContent]));
  expect(shown).toEqual(expected);
});

test('an aircraft is found by typing any word of its name', async ({ browser }) => {
  const page = await openForm(browser);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const aircraft = slot(page, 1).getByLabel('Aircraft', { exact: true });
  await expect(aircraft).toBeFocused();
  await page.keyboard.type('viper');
  await expect(aircraft.locator('option:checked')).toHaveText('F-16C Viper (F-16C_50)');
});

test('a mission is sent once, as the contract says, and the summary shows what the server created', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  const page = await openForm(browser);
  const date = tomorrow();
  await page.getByLabel('Mission name').fill('Op Paper Lantern');
  await page.getByLabel('Theater').selectOption('Sinai');
  await setTimes(page, date, '19:00', '01:00');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await slot(page, 1).getByLabel('Aircraft', { exact: true }).selectOption({ label: 'F-16C Viper (F-16C_50)' });
  await slot(page, 1).getByLabel('Slots').fill('5');
  await slot(page, 1).getByLabel('Role').selectOption('SEAD');
  await slot(page, 1).getByLabel('Additional notes').fill('HARM, two bags');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await slot(page, 2).getByLabel('Aircraft', { exact: true }).selectOption({ label: 'A-10C II Warthog (A-10C_2)' });
  await slot(page, 2).getByText('Red', { exact: true }).click();

  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes('admin.createMission')) sent.push(Object.values(request.postDataJSON())[0]);
  });
  const release = await holdBack(page, 'admin.createMission');
  await submit(page).click();
  await expect(submit(page)).toHaveText('Creating Mission...');
  await expect(submit(page)).toBeDisabled();
  await page.getByLabel('Mission name').press('Enter');
  release();

  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();
  expect(sent).toEqual([
    {
      name: 'Op Paper Lantern',
      theater: 'Sinai',
      startLocal: `${date.toString()}T19:00`,
      endLocal: `${date.toString()}T01:00`,
      timeZone: ZONE,
      notes: null,
      aircraftSlots: [
        { aircraftId: 2, slotCount: 5, side: 0, notes: 'SEAD', additionalNotes: 'HARM, two bags' },
        { aircraftId: 3, slotCount: 1, side: 1, notes: 'Training', additionalNotes: null },
      ],
    },
  ]);

  const summary = page.getByRole('region', { name: 'Mission Created Successfully!' });
  const fact = (label: string) => summary.getByText(label, { exact: true }).locator('xpath=following-sibling::dd');
  await expect(fact('Mission')).toHaveText('Op Paper Lantern');
  await expect(fact('Theater')).toHaveText('Sinai');
  await expect(fact('Start')).toContainText(`${zulu(date, '19:00')}Z 1900L`);
  await expect(fact('End')).toContainText(`${zulu(date.add({ days: 1 }), '01:00')}Z 0100L`);
  // One pilot fits, six seats.
  await expect(fact('Orders issued')).toHaveText('1');
  await expect(fact('Open seats')).toHaveText('5');
  await expect(summary.getByRole('list', { name: 'Aircraft' }).getByRole('listitem')).toHaveText([
    /F-16C Viper\s*F-16C_50\s*Blue\s*5 slots\s*2 flights created/,
    /A-10C II Warthog\s*A-10C_2\s*Red\s*1 slot\s*1 flight created/,
  ]);

  await summary.getByRole('link', { name: /View missions/ }).click();
  await page.waitForURL(`**/admin/missions/${date.toString()}`);
  await expect(page.getByRole('heading', { name: 'Op Paper Lantern' })).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Mission name')).toHaveValue('');
});

test('a refusal of the server is shown above the form, nothing typed is lost, and the next form is empty', async ({
  browser,
}) => {
  const page = await openForm(browser);
  const yesterday = Temporal.Now.plainDateISO(ZONE).subtract({ days: 1 });
  await page.getByLabel('Mission name').fill('Op Yesterday');
  await page.getByLabel('Theater').selectOption('Kola');
  await setTimes(page, yesterday, '19:00', '22:00');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await submit(page).click();
  const box = page.getByRole('alert');
  await expect(box).toHaveText('Error: The mission cannot start in the past');
  await expect(box).toBeFocused();
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Yesterday');
  await page.getByRole('button', { name: 'Use tomorrow' }).click();
  await expect(page.getByLabel('Start date')).toHaveValue(tomorrow().toString());
  await submit(page).click();
  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();
  await page.getByRole('button', { name: 'Create another' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('');
  await expect(submit(page)).toBeDisabled();
});

test('missing fields show errors, and the first one is focused', async ({ browser }) => {
  const page = await openForm(browser);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await submit(page).click();
  await expect(page.getByText('Mission name is required')).toBeVisible();
  await expect(page.getByText('Please choose a theater from the list')).toBeVisible();
  await expect(page.getByLabel('Mission name')).toBeFocused();
});

test('a link can set the start or the date; invalid values are ignored', async ({ browser }) => {
  const page = await openForm(browser, '?start=2027-03-01T20:00');
  await expect(page.getByLabel('Start date')).toHaveValue('2027-03-01');
  await expect(page.getByLabel('Start time')).toHaveValue('20:00');
  await expect(page.getByLabel('End time')).toHaveValue('23:00');
  // a date that is typed passes through none, and the end still follows
  await page.getByLabel('Start date').fill('');
  await page.getByLabel('Start date').fill('2027-03-05');
  await expect(page.getByLabel('End date')).toHaveValue('2027-03-05');
  // a link to another form asks before it discards what was typed
  await page.getByLabel('Mission name').fill('Op Half Typed');
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  const another = async (): Promise<void> => {
    await page.getByRole('link', { name: 'Create Mission' }).click();
  };
  await another();
  await leave.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Mission name')).toHaveValue('Op Half Typed');
  await page.getByLabel('Theater').selectOption('Kola');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await submit(page).click();
  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();
  await another();
  await expect(page.getByLabel('Mission name')).toHaveValue('');
  await page.goto('/admin/missions?date=2027-03-01');
  await expect(page.getByLabel('Start date')).toHaveValue('2027-03-01');
  await expect(page.getByLabel('Start time')).toHaveValue('19:00');
  await expect(page.getByLabel('End date')).toHaveValue('2027-03-01');
  const today = Temporal.Now.plainDateISO(ZONE).toString();
  await page.goto('/admin/missions?start=yesterday&end=7&date=2027-02-31&from=x');
  await expect(page.getByLabel('Start date')).toHaveValue(today);
  await expect(page.getByLabel('Start time')).toHaveValue('19:00');
});

test('on a phone the form does not scroll sideways', async ({ browser }) => {
  const page = await openForm(browser, '', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  }
});

test('a mission of 12 seats in 3 aircraft takes at most 15 actions from a recommended time', async ({ browser }) => {
  const pilot = await givenPerson(service);
  for (const id of [1, 2, 3])
    await pilot.client.call('PUT', `/users/${pilot.id}/proficiencies/${id}`, { level: 'basic' });
  const page = await openForm(browser, `?start=${tomorrow().toString()}T19:00`);
  let actions = 0;
  /** One action: a click, a choice from a list, a key, a text typed. */
  const act = async (action: Promise<unknown>): Promise<void> => {
    actions += 1;
    await action;
  };
  await act(page.getByLabel('Mission name').fill('Op Twelve'));
  await act(page.getByLabel('Theater').selectOption('Syria'));
  for (const [index, [label, role]] of (
    [
      ['F-16C Viper (F-16C_50)', 'SEAD'],
      ['F/A-18C Hornet (FA-18C_hornet)', 'CAP'],
      ['A-10C II Warthog (A-10C_2)', 'CAS'],
    ] as const
  ).entries()) {
    const row = slot(page, index + 1);
    await act(page.getByRole('button', { name: 'Add Aircraft' }).click());
    const mostFlown = row.locator('optgroup[label="Most flown here"] option');
    await expect(mostFlown).toHaveCount(3);
    await act(row.getByLabel('Aircraft', { exact: true }).selectOption({ label }));
    await act(row.getByLabel('Slots', { exact: true }).press('PageUp'));
    await act(row.getByLabel('Role').selectOption(role));
  }
  await expect(page.getByText('total 12 seats')).toBeVisible();
  await act(submit(page).click());
  await expect(page.getByText('Mission Created Successfully!')).toBeVisible();
  expect(actions).toBeLessThanOrEqual(15);
});

test('keys change the number of slots, and a typed number replaces the one before', async ({ browser }) => {
  const page = await openForm(browser);
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  const count = slot(page, 1).getByLabel('Slots', { exact: true });
  for (const [key, value] of [
    ['ArrowUp', '2'],
    ['PageUp', '4'],
    ['PageUp', '8'],
    ['ArrowDown', '7'],
    ['PageDown', '4'],
    ['PageDown', '1'],
    ['ArrowDown', '1'],
  ] as const) {
    await count.press(key);
    await expect(count).toHaveValue(value);
  }
  await count.blur();
  await count.focus();
  await page.keyboard.type('12');
  await expect(count).toHaveValue('12');
});
