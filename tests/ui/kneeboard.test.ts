/** Kneeboard and calendar tests: the card as picture and on paper, the calendar entry, the calendar's link. */
import { readFile } from 'node:fs/promises';
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, cutOff, openAs } from './pages.ts';

const SCHEMES = ['light', 'dark'] as const;
const WHITE = 'rgb(255, 255, 255)';
const BLACK = 'rgb(0, 0, 0)';

/** The mission's own texts. */
const TEXTS = eachField(MISSION_TEXT_KEYS, (key) => `${key} of the mission`);

let service: Service;
let pilot: Person;
interface Flight {
  callsign: string;
  radioFreq: string;
  pilots: (string | null)[];
}
let order: {
  id: string;
  label: string;
  radioFreq: string;
  flightCallsign: string;
  package: { composition: Flight[] };
};
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  const admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Maverick', timeZone: 'Asia/Tokyo' });
  await givenAlwaysFree(service, pilot.id);
  const wingman = await givenPerson(service, { displayName: 'Goose' });
  await givenAlwaysFree(service, wingman.id);
  await givenMission(service, admin, {
    startLocal: '2027-03-05T18:30',
    endLocal: '2027-03-05T21:30',
    ...TEXTS,
    aircraftSlots: [
      { aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP', additionalNotes: 'Fox three' },
      { aircraftId: 1, slotCount: 1, side: 0, notes: 'CAP', additionalNotes: 'Fox three' },
    ],
  });
  for (const { client } of [pilot, wingman]) {
    const [pending] = (await client.call('GET', '/pilot/inbox')).body;
    await client.call('POST', `/pilot/inbox/${pending.id}/rsvp`, { response: 'Accepted' });
  }
  [order] = (await pilot.client.call('GET', '/pilot/inbox/accepted')).body;
});
test.afterAll(() => service.stop());
closePagesAfterEach();

async function open(
  browser: Browser,
  path: string,
  scheme: (typeof SCHEMES)[number] = 'dark',
  options = {},
): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.addInitScript((value) => {
    localStorage.setItem('marshal-colour-scheme', value);
    // There is no printer: the test reads the page that would be printed.
    window.print = () => undefined;
  }, scheme);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return page;
}

/** Every flight with its radio and its crew, seat by seat. @param own the reader's call sign, where it is marked */
async function expectCrews(place: Locator, own?: string): Promise<void> {
  const { composition } = order.package;
  expect(new Set(composition.flatMap(({ pilots }) => pilots))).toEqual(new Set(['Goose', 'Maverick', null]));
  for (const { callsign, radioFreq, pilots } of composition) {
    const flight = place.getByRole('listitem').filter({ hasText: callsign });
    await expect(flight).toContainText(radioFreq);
    await expect(flight.getByRole('list', { name: `Crew of ${callsign}` }).getByRole('listitem')).toHaveText(
      pilots.map((name, seat) => `${seat + 1} ${name === own ? 'You ' : ''}${name ?? '–nobody yet'}`),
    );
  }
}

const calendarPanel = (page: Page) => page.getByRole('region', { name: 'Calendar', exact: true });
const colours = (place: Locator) =>
  place.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return { color, backgroundColor };
  });

/** The panel while it shows a link. */
async function expectNothingForAxe(page: Page): Promise<void> {
  expect(await findViolations(page, 'section:has(> div a[href^="webcal"])')).toEqual([]);
}

test('the order page leads to both pictures, 768 by 1024, and to the calendar file', async ({ browser }) => {
  const page = await open(browser, `/orders/${order.id}`);
  await expectCrews(page.getByRole('region', { name: 'Tasking' }), 'Maverick');
  const files = page.getByRole('group', { name: `Downloads for ${order.label}` });
  const corners: number[] = [];
  for (const name of ['Kneeboard Day', 'Kneeboard Night']) {
    const href = await files.getByRole('link', { name }).getAttribute('href');
    const picture = await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      return {
        size: [image.naturalWidth, image.naturalHeight],
        corner: context?.getImageData(2, 2, 1, 1).data[0] ?? -1,
      };
    }, href ?? '');
    expect(picture.size).toEqual([768, 1024]);
    corners.push(picture.corner);
  }
  expect(corners[0], 'paper').toBeGreaterThan(240);
  expect(corners[1], 'panel').toBeLessThan(30);

  const downloading = page.waitForEvent('download');
  await files.getByRole('link', { name: 'Calendar .ics' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${order.label}.ics`);
  expect(await readFile(await download.path(), 'utf8')).toContain('DTSTART:20270305T183000Z');
});

for (const scheme of SCHEMES) {
  test(`printed from the ${scheme} scheme, an accepted order is its card alone, black on white`, async ({
    browser,
  }) => {
    const page = await open(browser, `/orders/${order.id}`, scheme);
    const card = page.getByRole('region', { name: `Kneeboard card of ${order.label}` });
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(card).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(card).toBeVisible();
    for (const words of [
      order.label,
      'Op Iron Hound',
      order.flightCallsign,
      order.radioFreq,
      '1830Z',
      '0330L +1',
      'Fox three',
      ...Object.values(TEXTS),
    ]) {
      await expect(card).toContainText(words);
    }
    await expectCrews(card);
    expect(await colours(card)).toEqual({ color: BLACK, backgroundColor: WHITE });
    expect((await colours(page.locator('body'))).backgroundColor).toBe(WHITE);
    for (const gone of [
      page.getByRole('banner'),
      page.getByRole('navigation'),
      page.getByRole('main'),
      page.getByRole('button'),
    ]) {
      await expect(gone.filter({ visible: true })).toHaveCount(0);
    }

    // The browser's own Print command says so before and after.
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await expect(card).toHaveCount(0);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await expect(card).toBeVisible();
  });
}

/** The families of the fonts that a PDF contains: `/FontName /AAAAAA+NotoSans-Regular`. */
const fontsOf = (pdf: Buffer): Set<string> =>
  new Set([...pdf.toString('latin1').matchAll(/\/FontName \/[A-Z]{6}\+([A-Za-z]+)/g)].map(([, name]) => name ?? ''));

test('on paper, other scripts and emoji are drawn with fonts of Marshal, which Latin texts do not load', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const reader = await givenPerson(service, { displayName: 'Ζεύς 雷神かぜ' });
  await givenAlwaysFree(service, reader.id);
  const { mission } = await givenMission(service, admin, {
    name: 'Операция Ёж 🦅',
    startLocal: '2027-03-12T18:30',
    endLocal: '2027-03-12T21:30',
    aircraftSlots: [{ aircraftId: 2, slotCount: 3, side: 0, notes: 'CAP', additionalNotes: '번개처럼 빠르게' }],
  });
  const pending = (await reader.client.call('GET', '/pilot/inbox')).body;
  const { id } = pending.find(({ missionId }: { missionId: string }) => missionId === mission.id);
  await reader.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response: 'Accepted' });

  const papers: [who: Person, path: string, families: string[]][] = [
    [reader, `/orders/${id}`, ['Gowun Dodum', 'Kosugi', 'Noto Emoji', 'Noto Sans']],
    [admin, '/admin/missions/2027-03-12', ['Gowun Dodum', 'Kosugi', 'Noto Emoji', 'Noto Sans']],
    [pilot, `/orders/${order.id}`, []],
  ];
  for (const [who, path, families] of papers) {
    const page = await openAs(browser, service, who);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
    const loaded = () =>
      page.evaluate(() =>
        [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')),
      );
    await expect.poll(loaded).toEqual(expect.arrayContaining([...families, 'Saira Semi Condensed']));
    const drawn = fontsOf(await page.pdf());
    const ofScripts = [...drawn].filter((name) => /^(?:Noto|Kosugi|Gowun|Chocolate)/.test(name)).toSorted();
    expect(ofScripts, path).toEqual(families.map((name) => name.replaceAll(' ', '')));
  }
});

test('printed from the dark scheme, any page is black on white, without bars, buttons and toasts', async ({
  browser,
}) => {
  const page = await open(browser, '/home');
  const tile = page.getByRole('article').filter({ hasText: 'Op Iron Hound' });
  for (const text of ['Fox three', ...Object.values(TEXTS)]) await expect(tile).toContainText(text);
  await page.emulateMedia({ media: 'print' });
  await expect(tile).toBeVisible();
  expect((await colours(page.locator('body'))).backgroundColor).toBe(WHITE);
  expect((await colours(page.getByRole('heading', { level: 1 }))).color).toBe(BLACK);
  expect((await colours(page.getByRole('region', { name: 'Accepted Missions' }))).backgroundColor).toBe(WHITE);
  for (const gone of [
    page.getByRole('banner'),
    page.getByRole('navigation'),
    page.getByRole('region', { name: 'Notifications' }),
    page.getByRole('button', { name: 'Cancel' }),
    page.getByRole('button', { name: 'Print' }),
  ]) {
    await expect(gone.filter({ visible: true })).toHaveCount(0);
  }
});

test('the calendar link is created, shown once, copied, replaced and turned off', async ({ browser }) => {
  const page = await open(browser, '/profile/calendar', 'dark', { permissions: ['clipboard-read', 'clipboard-write'] });
  const panel = calendarPanel(page);
  const dialog = page.getByRole('dialog');
  const link = panel.getByLabel('Your calendar link');
  const read = (url: string) => fetch(url).then(({ status }) => status);

  await expect(panel).toContainText('Anyone with the link can read your missions');
  await expect(panel).toContainText('Off: there is no link.');
  const mend = await cutOff(page, 'pilot.calendar.renew');
  await panel.getByRole('button', { name: 'Get calendar link' }).click();
  await expect(panel.getByRole('alert')).toContainText('Failed to make a link');
  await mend();
  await panel.getByRole('button', { name: 'Get calendar link' }).click();
  await expect(link).toBeFocused();
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await expectNothingForAxe(page);
  const first = await link.inputValue();
  const feed = await fetch(first);
  expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining(`UID:${order.id}@marshal`)]);
  await panel.getByRole('button', { name: 'Copy calendar link' }).click();
  await expect(panel.getByRole('button', { name: 'Calendar link copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first);
  await expect(panel.getByRole('link', { name: 'Open in your calendar app' })).toHaveAttribute(
    'href',
    first.replace('http:', 'webcal:'),
  );

  await page.reload();
  await expect(panel).toContainText(/On since .* \d{4}Z\s+\d{4}L/);
  await expect(panel).toContainText('The link is shown only once');
  await expect(link).toHaveCount(0);

  await panel.getByRole('button', { name: 'Make a new link' }).click();
  await expect(dialog).toContainText('The old link stops working at once.');
  await page.keyboard.press('Escape');
  await expect(panel.getByRole('button', { name: 'Make a new link' })).toBeFocused();
  expect(await read(first)).toBe(200);
  await panel.getByRole('button', { name: 'Make a new link' }).click();
  await dialog.getByRole('button', { name: 'Make a new link' }).click();
  await expect(link).toBeFocused();
  const second = await link.inputValue();
  expect([await read(first), await read(second)]).toEqual([404, 200]);

  await panel.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(panel).toContainText('Off: there is no link.');
  await expect(link).toHaveCount(0);
  expect(await read(second)).toBe(404);
});

test('the calendar panel in the light scheme at 320 px has no axe violation and does not overflow', async ({
  browser,
}) => {
  await pilot.client.call('DELETE', '/pilot/calendar');
  const page = await open(browser, '/profile/calendar', 'light', { viewport: { width: 320, height: 740 } });
  await calendarPanel(page).getByRole('button', { name: 'Get calendar link' }).click();
  await expect(calendarPanel(page).getByLabel('Your calendar link')).toBeVisible();
  await expectNothingForAxe(page);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
});
