/** The front page against a real server: its text, links and request form. */
import { expect, test, type Page } from '@playwright/test';
import { givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findInSchemes } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';

const SENT = "Request submitted! We'll email you your slot options.";

let service: Service;
let pilot: Person;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  pilot = await givenPerson(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const form = (page: Page) => page.getByRole('form', { name: 'Pick Your Slot' });

async function open(page: Page): Promise<Page> {
  await page.goto('/');
  // the last piece to arrive
  await expect(page.getByLabel('Pilot handle')).toBeVisible();
  return page;
}

test('a visitor sees one login button, and a pilot one link to the dashboard', async ({ browser }) => {
  const visitor = await open(await openAs(browser, service, null));
  await expect(visitor).toHaveTitle('Marshal: fly with a flight, not a lobby');
  await expect(visitor.locator('a[href^="/login"], a[href^="/home"]')).toHaveText(['Login →']);
  await visitor.getByRole('banner').getByRole('link', { name: 'Login →' }).click();
  await visitor.waitForURL('**/login');

  const signedIn = await open(await openAs(browser, service, pilot));
  await expect(signedIn.locator('a[href^="/login"], a[href^="/home"]')).toHaveText(['Go to Dashboard →']);
  await signedIn.getByRole('banner').getByRole('link', { name: 'Go to Dashboard →' }).click();
  await signedIn.waitForURL('**/home');
});

test('the page presents its features section by section', async ({ browser }) => {
  const page = await open(await openAs(browser, service, null));
  const hero = section(page, 'Fly with a flight, not a lobby.');
  await expect(hero.getByRole('heading', { level: 1 })).toHaveText('Fly with a flight, not a lobby.');
  for (const words of ['4–16 pilots', 'weekly slots', 'live ATC, AWACS and Strike controllers']) {
    await expect(hero).toContainText(words);
  }
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'See it work',
    'Features',
    'Scenarios',
    'How it works',
    'Pick Your Slot',
    'Heard on frequency',
    'FAQ',
  ]);
  await expect(section(page, 'Features').getByRole('heading', { level: 3 })).toHaveText([
    'Skill-based matchmaking',
    'Groups of 4–16 pilots',
    'Weekly slots',
    'Live ATC, AWACS and Strike controllers',
    'Status stoplight',
    'Frag orders with backfill',
  ]);
  await expect(section(page, 'Scenarios').getByRole('heading', { level: 3 })).toHaveText([
    '4-ship training',
    '8v8 capture the flag',
    'Strike night ops',
  ]);
  await expect(section(page, 'How it works').getByRole('listitem').getByRole('heading')).toHaveText([
    '1. Register',
    '2. State availability',
    '3. Answer the frag order',
    '4. Step and fly',
  ]);
  const voices = section(page, 'Heard on frequency').getByRole('figure');
  await expect(voices).toHaveCount(3);
  await expect(voices.getByRole('blockquote')).toHaveCount(3);
  for (const [index, words] of [/Brakeline.*F-16C/, /Paper Lantern.*Mirage 2000C/, /Ostara.*F-14B/].entries()) {
    await expect(voices.nth(index)).toContainText(words);
  }
  await expect(section(page, 'Pick Your Slot').getByRole('figure')).toContainText('1905Z 2005L');

  const faq = section(page, 'FAQ');
  for (const [question, answer] of [
    ['What if I cannot make my slot?', 'Give 24 hours notice and you are re-slotted in the next rotation.'],
    ['Do I need voice comms?', 'Voice comms are required, over a chat service such as Discord.'],
    ['How does Marshal decide who flies?', 'All seats of a mission are matched at once'],
    ['What happens when nobody answers an order?', 'It expires'],
    ['Which time zone are the times in?', 'Zulu and your own'],
    ['Can I look around before I register?', 'nothing you do there is saved'],
  ] as const) {
    await expect(faq.getByText(answer)).toBeHidden();
    await faq.locator('summary', { hasText: question }).focus();
    await page.keyboard.press('Enter');
    await expect(faq.getByText(answer)).toBeVisible();
  }

  const footer = page.locator('footer');
  await expect(footer).toContainText('MARSHAL');
  await expect(footer.getByRole('timer')).toHaveText(/^\d{4}Z$/);
  await footer.getByRole('button', { name: /colours/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await footer.getByRole('link', { name: 'Try the demo' }).click();
  await page.waitForURL('**/demo');
});

test('every anchor leads to its section, clear of the header, on a wide screen and on a phone', async ({ browser }) => {
  const page = await open(await openAs(browser, service, null));
  const anchors = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  await expect(anchors).toHaveText(['how it works', 'scenarios', 'features', 'pick your slot']);
  const ways = [
    [anchors.nth(0), 'How it works'],
    [anchors.nth(1), 'Scenarios'],
    [anchors.nth(2), 'Features'],
    [anchors.nth(3), 'Pick Your Slot'],
    [page.getByRole('link', { name: 'See how it works' }), 'How it works'],
    [page.getByRole('main').getByRole('link', { name: 'Pick your slot' }), 'Pick Your Slot'],
  ] as const;
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [way, name] of ways) {
      await way.click();
      const heading = page.getByRole('heading', { level: 2, name });
      // polled: the router has a say in the scroll position once the address has changed
      await expect
        .poll(() =>
          heading.evaluate((element) => {
            const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
            const below = element.getBoundingClientRect().top - header;
            return below >= 0 && below < 100;
          }),
        )
        .toBe(true);
    }
  }
  await page.goto('/#faq');
  await expect(page.getByRole('heading', { level: 2, name: 'FAQ' })).toBeInViewport();
});

test('the access request names missing fields, keeps what was typed, ends with its sentence, and makes no call', async ({
  browser,
}) => {
  const page = await open(await openAs(browser, service, null));
  for (const label of ['Pilot handle', 'Email']) {
    await expect(form(page).getByLabel(label)).toHaveAttribute('required');
  }
  await expect(form(page).getByLabel('Email')).toHaveAttribute('type', 'email');
  for (const [label, options] of [
    ['Primary module', ['F/A-18C', 'F-16C', 'A-10C II', 'F-14B', 'Mirage 2000C', 'Other']],
    ['Skill level', ['Rookie', 'Intermediate', 'Advanced', 'Instructor']],
    ['Preferred weekly slot', ['Weeknights UTC-5', 'Weekends UTC-5', 'Flexible']],
  ] as const) {
    await expect(form(page).getByLabel(label).getByRole('option')).toHaveText([...options]);
  }

  const handle = form(page).getByLabel('Pilot handle');
  const email = form(page).getByLabel('Email');
  const submit = form(page).getByRole('button', { name: 'Request slot' });

  await form(page).getByLabel('Notes').fill('Carrier qualified');
  await submit.click();
  await expect(handle).toBeFocused();
  await expect(handle).toHaveAccessibleDescription('Pilot handle is required');
  await expect(handle).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveAccessibleDescription('Email is required');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await handle.fill('Goose');
  await email.fill('goose at nowhere');
  await submit.click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Invalid email address');
  await expect(handle).toHaveAccessibleDescription('');
  await expect(handle).toHaveValue('Goose');
  await expect(email).toHaveValue('goose at nowhere');
  await expect(form(page).getByLabel('Notes')).toHaveValue('Carrier qualified');

  // by the rule of accounts: a domain of one letter at its end is none
  await email.fill('goose@nowhere.x');
  await submit.click();
  await expect(email).toHaveAccessibleDescription('Invalid email address');
  await email.fill('goose@example.org');
  await form(page).getByLabel('Primary module').selectOption('F-14B');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await email.press('Enter');
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText(SENT);
  await expect(alert).toBeFocused();
  await expect(alert).toBeInViewport();
  await expect(handle).toHaveValue('');

  // and a second one, announced again
  await handle.fill('Iceman');
  await email.fill('iceman@example.org');
  await submit.click();
  await expect(alert).toHaveText(SENT);
  await expect(alert).toBeFocused();
  expect(requests).toEqual([]);
});

test('labels of the drawings are legible, do not overlap, and stay inside', async ({ browser }) => {
  const page = await open(await openAs(browser, service, null));
  for (const width of [1440, 992, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page.locator('main section svg:has(text)').evaluateAll((drawings) =>
      drawings.flatMap((drawing) => {
        const frame = drawing.getBoundingClientRect();
        const labels = [...drawing.querySelectorAll('text')].map((text) => ({
          words: text.textContent,
          box: text.getBoundingClientRect(),
          size: Number.parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a ?? 0),
        }));
        return labels.flatMap(({ words, box, size }, index) => [
          ...(box.left < frame.left ||
          box.right > frame.right ||
          box.top < frame.top - 4 ||
          box.bottom > frame.bottom + 4
            ? [`${words} is cut off`]
            : []),
          ...(size < 12.9 ? [`${words} is ${size.toFixed(1)} px high`] : []),
          ...labels
            .slice(index + 1)
            .filter(
              ({ box: other }) =>
                box.left < other.right &&
                other.left < box.right &&
                // a line is higher than its letters
                box.top + 3 < other.bottom &&
                other.top + 3 < box.bottom,
            )
            .map((other) => `${words} covers ${other.words}`),
        ]);
      }),
    );
    expect(found, `${width} px`).toEqual([]);
  }
});

test('with answers and errors shown, nothing overflows or is too small, and axe finds nothing in either scheme', async ({
  browser,
}) => {
  const page = await open(await openAs(browser, service, pilot));
  await page.locator('summary').evaluateAll((all) => {
    for (const summary of all) (summary as HTMLElement).click();
  });
  await form(page).getByRole('button').click();
  await expect(page.getByText('Pilot handle is required')).toBeVisible();
  for (const width of [1440, 360, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const faults = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      const small = [...document.querySelectorAll('a, button, summary, input, select, textarea')].filter((target) => {
        const { width: wide, height } = target.getBoundingClientRect();
        // links within a sentence are exempt
        return height > 0 && Math.min(wide, height) < 24 && target.closest('p') === null;
      });
      return [...(scrollWidth > clientWidth ? ['overflow'] : []), ...small.map(({ outerHTML }) => outerHTML)];
    });
    expect(faults, `${width} px`).toEqual([]);
  }
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findInSchemes(page), `${width} px`).toEqual([]);
  }
});

test('motion stops within five seconds, and there is none with reduced motion', async ({ browser }) => {
  const page = await openAs(browser, service, null, { reducedMotion: 'no-preference' });
  // recorded when it begins, because on a busy machine it may be over before the test can check the page
  await page.addInitScript(() => {
    const endings: Record<string, number> = {};
    Object.assign(window, { endings });
    document.addEventListener('animationstart', ({ animationName }) => {
      const found = document
        .getAnimations()
        .filter((animation) => animation instanceof CSSAnimation && animation.animationName === animationName);
      for (const { effect } of found) endings[animationName] = Number(effect?.getComputedTiming().endTime);
    });
  });
  const endings = (): Promise<number[]> => page.evaluate(() => Object.values(Reflect.get(window, 'endings')));
  await open(page);
  await expect.poll(endings).toHaveLength(1);
  const [end] = await endings();
  expect(end).toBeGreaterThan(1_000);
  expect(end).toBeLessThan(5_000);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect(page.getByLabel('Pilot handle')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  expect(await endings()).toEqual([]);
});

test('the page has a description and a preview picture for search engines and links', async ({ request }) => {
  const html = await (await request.get(service.url)).text();
  const content = (name: string): string =>
    new RegExp(`<meta\\s+(?:name|property)="${name}"\\s+content="([^"]+)"`).exec(html)?.[1] ?? '';
  expect(content('description')).toContain('Mission scheduling and pilot matchmaking');
  expect(content('og:title')).toBe('Marshal: fly with a flight, not a lobby');
  expect(content('og:description')).not.toBe('');
  expect(content('og:image')).toBe(`${service.url}/og.png`);
  const picture = await request.get(content('og:image'));
  expect(picture.headers()['content-type']).toBe('image/png');
  const bytes = await picture.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(bytes.length).toBeLessThan(120_000);
  expect(await (await request.get(`${service.url}/robots.txt`)).text()).toMatch(/^User-agent: \*\n/);
});

test('the page is complete without scripts, and nothing shifts when it hydrates', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  const shell = page.locator('[data-shell]');
  await expect(shell.getByRole('heading', { level: 1 })).toHaveText('Fly with a flight, not a lobby.');
  await expect(shell.getByRole('link', { name: 'Login →' })).toHaveAttribute('href', '/login');
  // features that need a script
  await expect(shell.locator('button:visible, time:visible')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  const places = () =>
    page
      .locator('h1, h2, h3, header a, section svg:not(form svg), figure')
      .evaluateAll((all) => all.map((element) => Object.values(element.getBoundingClientRect().toJSON())));
  // the keyboard has come to a link of an open answer
  await page.getByText('Can I look around before I register?').click();
  const demo = page.getByRole('link', { name: 'The demo', exact: true });
  await demo.focus();
  const before = await places();
  expect(before.length).toBeGreaterThan(30);

  release();
  await expect(shell).toHaveCount(0);
  await expect(demo).toBeFocused();
  expect(await places()).toEqual(before);
});

test('the app loads after the page is complete, and hydrates it on a slow device without console errors', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null);
  const complaints = hearComplaints(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto('/');
    await expect(page.locator('[data-shell]')).toHaveCount(0);
    // requests after the page has loaded, too
    await expect(page.getByRole('textbox', { name: 'Pilot handle' })).toBeAttached();
    const { loadedAt, fetchedAt } = await page.evaluate(() => ({
      loadedAt: Math.max(
        ...performance.getEntriesByType('navigation').map((entry) => Number(Reflect.get(entry, 'loadEventStart'))),
      ),
      fetchedAt: performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/assets\/.*\.js$/.test(name))
        .map(({ startTime }) => startTime),
    }));
    expect(fetchedAt.length).toBeGreaterThan(3);
    expect(Math.min(...fetchedAt)).toBeGreaterThanOrEqual(loadedAt);
  }
  expect(complaints).toEqual([]);
});
