/** Notes and links of a mission: equal on every surface, and written with a preview. */
import { expect, test } from '@playwright/test';
import ICAL from 'ical.js';
import { englishTexts } from '#shared/discord-texts/catalogue.ts';
import { layOutCard } from '#server/missions/briefing/kneeboard-layout.ts';
import { loadKneeboard } from '#server/missions/briefing/kneeboard.ts';
import { loadOrderCard } from '#server/discord/posts/order-messages.ts';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { overflowOf } from './faults.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

const CHART = { kind: 'chart', title: 'Akrotiri ground', url: 'https://charts.example/akrotiri.pdf' } as const;
const NOTES = `## Flow
Push at **1905Z**, *not* earlier.

- SEAD first
- strike [as planned](https://plans.example/7)

<img src=x onerror=alert(1)> \`hold\` ![map](https://plans.example/map.png)`;
const FLIGHT_NOTES = '1. Two HARMs each\n2. Тихо, 静か, ήσυχα';

/** Words of both texts, in order, without marks, bullets and addresses. */
const WORDS = [
  'Two HARMs each Тихо, 静か, ήσυχα',
  'Flow Push at 1905Z, not earlier. SEAD first strike as planned <img src=x onerror=alert(1)> hold map',
].flatMap((text) => text.split(' '));

let service: Service;
let admin: Person;
let pilot: Person;
let orderId: string;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  admin = await givenAdmin(service);
  pilot = await givenPerson(service, { displayName: 'Maverick' });
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, {
    startLocal: '2027-03-05T18:30',
    endLocal: '2027-03-05T21:30',
    notes: NOTES,
    links: [CHART],
    aircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP', additionalNotes: FLIGHT_NOTES }],
  });
  const [pending] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  orderId = pending.id;
  await pilot.client.call('POST', `/pilot/inbox/${orderId}/rsvp`, { response: 'Accepted' });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** The words of a surface's text: addresses, list marks and Discord's marks and escapes are not words. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/\]\(https:[^)]*\)| \(https:[^)]*\)/g, '')
    .replaceAll(/\\(?=[^\w\s])|\u200b|\*\*?(?=\S)|(?<=\S)\*\*?|[`[]/g, '')
    .split(/\s+/)
    .filter((word) => !/^(?:•|-|\/|\d\.|)$/.test(word));

/** All text that a tree of boxes draws. */
const drawn = (node: unknown): string[] => {
  if (typeof node === 'string') return [node];
  const { children = [] } = (node as { props: { children?: unknown } }).props;
  return (Array.isArray(children) ? children : [children]).flatMap(drawn);
};

test('notes and links of mission and flight are the same on page, tile, message, calendar, image and paper', async ({
  browser,
}) => {
  const em = service.app.orm.em.fork();
  const shown: Record<string, { text: string; links: string }> = {};

  const page = await openAs(browser, service, pilot);
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  for (const [surface, path] of [
    ['page', `/orders/${orderId}`],
    ['tile', '/home'],
  ] as const) {
    await page.goto(path);
    const notes = page.getByRole('group', { name: 'Notes' });
    // the parser has loaded
    await expect(notes.getByRole('link', { name: 'as planned' })).toHaveAttribute('href', 'https://plans.example/7');
    await expect(notes.getByRole('link', { name: 'map' })).toHaveAttribute('rel', /noopener/);
    await expect(notes.locator('img, script')).toHaveCount(0);
    const links = page.getByRole('group', { name: 'Links' });
    await expect(links.getByRole('link', { name: CHART.title })).toHaveAttribute('href', CHART.url);
    shown[surface] = {
      text: (await notes.innerText()).replace(/^notes\s/i, ''),
      links: `${await links.innerText()} ${await links.getByRole('link').getAttribute('href')}`,
    };
    expect(await overflowOf(page)).toBe(0);
  }

  await page.goto(`/orders/${orderId}`);
  await expect(page.getByRole('link', { name: 'as planned' })).toBeVisible();
  await page.getByRole('button', { name: 'Print' }).click();
  await page.emulateMedia({ media: 'print' });
  const sheet = page.getByRole('region', { name: /^Kneeboard card/ });
  const paper = (await sheet.innerText()).split(/\nnotes\n/i)[1] ?? '';
  const [paperText = '', paperLinks = ''] = paper.split('Chart:');
  shown['paper'] = { text: paperText, links: `Chart: ${paperLinks}` };

  const [embed] = (await loadOrderCard(em, orderId, service.url, new Date(), englishTexts))?.embeds ?? [];
  const field = (name: string) => embed?.fields?.find((one) => one.name === name)?.value ?? '';
  shown['message'] = { text: field('Notes'), links: field('Links') };

  const file = await fetch(`${service.url}/api/v1/pilot/inbox/${orderId}/calendar.ics`, {
    headers: { cookie: pilot.client.cookie() },
  });
  const event = new ICAL.Component(ICAL.parse(await file.text())).getFirstSubcomponent('vevent');
  const description = String(event?.getFirstPropertyValue('description')).split('\n\n');
  const from = description.findIndex((part) => part.includes('HARMs'));
  const to = description.findIndex((part) => part.startsWith('Chart:'));
  shown['calendar'] = { text: description.slice(from, to).join('\n\n'), links: description[to] ?? '' };

  const card = await loadKneeboard(em, pilot, orderId, service.url, new Date());
  const notes = drawn(layOutCard(card, 'day')).find((text) => text.includes('HARMs')) ?? '';
  const [imageText = '', imageLinks = ''] = notes.split('Chart:');
  shown['image'] = { text: imageText, links: `Chart: ${imageLinks}` };

  expect(Object.keys(shown).toSorted()).toEqual(['calendar', 'image', 'message', 'page', 'paper', 'tile']);
  for (const [surface, { text, links }] of Object.entries(shown)) {
    expect(wordsOf(text), surface).toEqual(WORDS);
    for (const part of ['Chart', CHART.title, CHART.url]) expect(links, surface).toContain(part);
  }
});

test('an admin sees how the notes will look, adds a link and removes it, and saves both', async ({ browser }) => {
  const page = await openAs(browser, service, admin);
  await page.goto('/admin/missions?date=2027-03-01');
  await page.getByRole('textbox', { name: 'Notes', exact: true }).fill('**Push** 1905Z');
  await page.getByRole('button', { name: 'Show preview of notes' }).click();
  const preview = page.getByRole('region', { name: 'Preview of notes' });
  await expect(preview.getByText('Push', { exact: true })).toHaveCSS('font-weight', '700');
  await expect(preview).toHaveText('Push 1905Z');

  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByRole('button', { name: 'Add link' }).click();
  await page.getByRole('button', { name: 'Remove link 1' }).click();
  const link = page.getByRole('group', { name: 'Link 1' });
  await link.getByLabel('Kind').selectOption('TACVIEW');
  await link.getByLabel('Title').fill('Last week');
  await link.getByLabel('Address').fill('http://tracks.example/42');
  await page.getByLabel('Mission name').fill('Op Link');
  await page.getByLabel('Theater').selectOption('Syria');
  await page.getByRole('button', { name: 'Add Aircraft' }).click();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(link.getByLabel('Address')).toHaveAccessibleDescription(/begins with https/);
  await link.getByLabel('Address').fill('https://tracks.example/42');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByText('Op Link').first()).toBeVisible();
  await expect
    .poll(async () => {
      const { body } = await admin.client.call('GET', '/admin/missions?from=2027-03-01&to=2027-03-01');
      return body.find(({ name }: { name: string }) => name === 'Op Link');
    })
    .toMatchObject({
      notes: '**Push** 1905Z',
      links: [{ kind: 'tacview', title: 'Last week', url: 'https://tracks.example/42' }],
    });
});
