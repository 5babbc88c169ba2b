/**
 * The tests for every browser: the main job by hand, every route as visitor, pilot and admin without faults, and planted
 * faults that must be found.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenAdmin, givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { givenRoutes, ROUTES, type Route, type RoutesWorld } from '#tests/ui/routes.ts';
import { givenHeardClient, type HeardClient } from './heard-client.ts';
import { arrive, choose, eventually, fill, paint, press, see } from './screen.ts';
import type { Tab } from './tab.ts';

const WIDTHS = [1440, 360] as const;
const HEIGHT = 860;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const RESULTS = join(import.meta.dirname, '..', '.results', 'browsers');

let service: Service;
let client: HeardClient;
let tab: Tab;

/** Page errors, CSP reports and console errors since the last call. */
function takeComplaints(): Promise<string[]> {
  return tab.ask(() => {
    const take: unknown = Reflect.get(window, 'takeComplaints');
    return typeof take === 'function' ? take() : ['the page has no ear'];
  });
}

/** Current faults of the page: crash view, overflow. */
async function lookAround(): Promise<string[]> {
  return tab.ask(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const widest = [...document.body.querySelectorAll('*')].findLast(
      (element) => element.getBoundingClientRect().right >= scrollWidth - 1,
    );
    const heading = document.querySelector('h1')?.textContent ?? '';
    return [
      ...(scrollWidth > clientWidth
        ? [`reaches ${scrollWidth - clientWidth} px beyond the window: ${widest?.outerHTML.slice(0, 300)}`]
        : []),
      ...(heading === 'Something went wrong' ? [`crashed: ${document.querySelector('main')?.innerText}`] : []),
    ];
  });
}

/** Faults that remain after a moment, since charts are redrawn shortly after the window's width changes. */
async function lookUntilCalm(): Promise<string[]> {
  let found: string[] = [];
  await eventually(async () => {
    found = await lookAround();
    expect(found).toEqual([]);
  }).catch(() => undefined);
  return found;
}

async function actAs(person: Person | null): Promise<void> {
  // no page of another user keeps polling
  await tab.open(`${service.url}/healthz`);
  await tab.clearCookies();
  if (person === null) return;
  const cookies = person.client
    .cookie()
    .split('; ')
    .map((pair) => {
      const at = pair.indexOf('=');
      return { name: pair.slice(0, at), value: pair.slice(at + 1) };
    });
  await tab.setCookies(service.url, cookies);
}

/** Wait until a page has loaded its data. */
async function settle(shows: string | undefined): Promise<void> {
  await eventually(async () => {
    const { headings, text, isLoading } = await tab.ask(() => ({
      headings: document.querySelectorAll('h1').length,
      text: document.querySelector('main')?.textContent ?? '',
      isLoading: /^Loading/m.test(document.querySelector('main')?.innerText ?? ''),
    }));
    if (headings !== 1) throw new Error(`the page has ${headings} headings`);
    if (isLoading) throw new Error('the page is loading');
    if (shows !== undefined && !text.includes(shows)) throw new Error(`"${shows}" is not in: ${text.slice(0, 1000)}`);
  });
}

/**
 * Open a route and check its page at every width.
 * @param seen pages already checked, since many routes redirect to the same one; this page is added
 * @returns its faults
 */
async function inspect({ path, shows }: Route, address: string, seen: Set<string>): Promise<string[]> {
  const found: string[] = [];
  const note = (where: string, faults: string[]) => found.push(...faults.map((fault) => `${path} ${where}: ${fault}`));
  await tab.resize(WIDTHS[0], HEIGHT);
  await tab.open(service.url + address);
  await settle(shows).catch((error: unknown) => note('settling', [String(error)]));
  const page = await tab.ask(() => location.pathname);
  for (const width of seen.has(page) ? [] : WIDTHS) {
    await tab.resize(width, HEIGHT);
    note(`at ${width} px`, await lookUntilCalm());
  }
  seen.add(page);
  note('complains', await takeComplaints());
  return found;
}

async function keepPicture(name: string): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.png`), await tab.picture());
}

async function openSignIn(): Promise<void> {
  await tab.open(`${service.url}/login`);
  await settle('Sign In');
}

/** Let the page run a script from the server that the page came from. */
async function plant(script: string): Promise<void> {
  writeFileSync(join(client.folder, 'planted.js'), script);
  await tab.ask(
    (url) => document.head.append(Object.assign(document.createElement('script'), { src: url })),
    `/planted.js?${performance.now()}`,
  );
}

/** @param open starts the browser */
export function describeBrowser(name: string, open: () => Promise<Tab>): void {
  beforeAll(async () => {
    client = givenHeardClient();
    service = await startService({ withClient: client.folder });
    tab = await open();
    console.log(`${name} is ${tab.engine}.`);
  });
  afterAll(async () => {
    await tab?.close();
    await service?.stop();
    client?.remove();
  });

  let attempt = 0;
  test(`${name}: a newcomer registers and paints a week, an admin creates a mission, the newcomer accepts`, async () => {
    attempt += 1;
    const callSign = `Rook ${attempt}`;
    const missionDate = Temporal.Now.plainDateISO('UTC').add({ days: 1 });
    const weekday = WEEKDAYS[missionDate.dayOfWeek % 7] ?? 'Sunday';
    try {
      await actAs(null);
      await tab.resize(WIDTHS[0], HEIGHT);
      await tab.open(`${service.url}/register/account`);
      await fill(tab, 'Email', `rook-${attempt}@example.org`);
      await fill(tab, 'Password', PASSWORD);
      await fill(tab, 'Confirm Password', PASSWORD);
      await press(tab, 'Continue');
      await arrive(tab, '/register/profile');
      // the list of aircraft moves the buttons
      await settle('Your Profile');
      await fill(tab, 'Call Sign', callSign);
      await choose(tab, 'Time Zone', 'UTC');
      await press(tab, 'Continue');
      // the browser reports another zone
      await press(tab, 'Keep UTC');
      await arrive(tab, '/register/preferences');
      await paint(tab, `${weekday} 18:00 to 19:00, add availability`, `${weekday} 22:30 to 23:30, add availability`);
      await see(tab, 'Unsaved: 1 change');
      await press(tab, 'Continue');
      await arrive(tab, '/register/status');
      await press(tab, 'Available');
      await press(tab, 'Complete Registration');
      await arrive(tab, '/home');
      await see(tab, `Welcome, ${callSign}`);
      await press(tab, 'Logout');
      await arrive(tab, '/login');

      const admin = await givenAdmin(service);
      await fill(tab, 'Email', admin.email);
      await fill(tab, 'Password', PASSWORD);
      await press(tab, 'Sign In');
      await arrive(tab, '/home');
      await tab.open(`${service.url}/admin/missions`);
      await fill(tab, 'Mission name', 'Op Iron Hound');
      await choose(tab, 'Theater', 'Syria');
      const date = `${missionDate.month}/${missionDate.day}/${missionDate.year}`.replaceAll(/\b(\d)\b/g, '0$1');
      await fill(tab, 'Start date', date);
      await fill(tab, 'Start time', '19:00');
      await fill(tab, 'End date', date);
      await fill(tab, 'End time', '22:00');
      await press(tab, 'Add Aircraft');
      await choose(tab, 'Aircraft', 'F-16C');
      await fill(tab, 'Slots', '3');
      await choose(tab, 'Role', 'CAP');
      await press(tab, 'Blue');
      await press(tab, 'Create Mission');
      await see(tab, 'Mission Created Successfully!');
      const board = await admin.client.call('GET', `/admin/missions/by-date?date=${missionDate.toString()}&tz=UTC`);
      expect(board.body.missions.at(-1)).toMatchObject({
        name: 'Op Iron Hound',
        startUtc: `${missionDate.toString()}T19:00:00.000Z`,
        endUtc: `${missionDate.toString()}T22:00:00.000Z`,
      });

      await actAs(null);
      await tab.open(`${service.url}/login`);
      await fill(tab, 'Email', `rook-${attempt}@example.org`);
      await fill(tab, 'Password', PASSWORD);
      await press(tab, 'Sign In');
      await arrive(tab, '/home');
      await press(tab, 'Accept');
      await see(tab, "You're in: ");
      await see(tab, 'Op Iron Hound');
      expect(await takeComplaints()).toEqual([]);
    } catch (error) {
      await keepPicture(`${name}-main-job`);
      throw error;
    }
  });

  describe(`${name}: every route`, () => {
    let world: RoutesWorld;
    beforeAll(async () => {
      world = await givenRoutes(service);
    });

    // access.test.ts opens every route for everybody, and sees who is led away
    test.each([
      ['visitor', ['public']],
      ['pilot', ['signedIn']],
      ['admin', ['signedIn', 'admin']],
    ] as const)('opens for a %s in two widths, without a fault', async (who, accesses) => {
      await actAs(who === 'visitor' ? null : world[who]);
      const found: string[] = [];
      const seen = new Set<string>();
      for (const { shows, ...route } of ROUTES.filter(({ access }) => accesses.some((one) => one === access))) {
        // an admin sees the content of every route
        const expected = who === 'admin' ? { ...route, shows } : route;
        found.push(...(await inspect(expected, world.addressOf(route.path), seen)));
      }
      expect(found).toEqual([]);
    });
  });

  test(`${name}: the API reference finds a call, and answers it with a token`, async () => {
    const { client: goose, id } = await givenPerson(service, { displayName: 'Goose' });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await goose.call('POST', `/users/${id}/tokens`, { name: 'Docs', scopes: ['read'], expiresAt });
    await actAs(null);
    await tab.resize(WIDTHS[0], HEIGHT);
    await tab.open(`${service.url}/api/v1/docs`);
    await fill(tab, 'Token for “Try it out”', made.body.token);
    await press(tab, 'Use');
    await see(tab, 'Calls run with this token, as Goose.');
    await fill(tab, 'Search the calls', 'get /auth/me');
    await eventually(async () => {
      expect(await tab.ask(() => document.querySelector('output[for=search]')?.textContent)).toBe('1 call');
    });
    await tab.ask(() => document.querySelector<HTMLElement>('.opblock-summary-control')?.click());
    await press(tab, 'Try it out');
    await press(tab, 'Execute');
    await see(tab, '"displayName": "Goose"');
  });

  test(`${name}: leaving a page that is still loading opens the next page`, async () => {
    await actAs(null);
    for (const milliseconds of [0, 50, 100, 200]) {
      await tab.open(`${service.url}/`);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      await tab.open(`${service.url}/login`);
      await arrive(tab, '/login');
      await settle('Sign In');
    }
  });

  describe(`${name}: a planted fault is found`, () => {
    /** Each is a script of the page's own origin. */
    const FAULTS: readonly [fault: string, script: string, found: RegExp][] = [
      ['an error that nobody catches', "throw new Error('planted');", /page error: .*planted/],
      ['a promise that nobody looks after', "Promise.reject(new Error('planted'));", /unhandled rejection: .*planted/],
      ['words in the console', "console.warn('planted');", /console warn: planted/],
      [
        'a script in the page itself',
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'void 0' }));",
        /policy report: script-src/,
      ],
      ['code made of text', 'try { new Function("return 1")(); } catch {}', /policy report: script-src eval/],
      [
        'a picture that is not there',
        "document.body.append(Object.assign(new Image(), { src: '/assets/planted.png' }));",
        /not loaded: <img/,
      ],
    ];
    test.each(FAULTS)('%s', async (_fault, script, found) => {
      await openSignIn();
      expect(await takeComplaints()).toEqual([]);
      await plant(script);
      const heard: string[] = [];
      await eventually(async () => {
        heard.push(...(await takeComplaints()));
        expect(heard).toContainEqual(expect.stringMatching(found));
      });
    });

    test('something wider than the window', async () => {
      await tab.resize(360, HEIGHT);
      await openSignIn();
      expect(await lookAround()).toEqual([]);
      await plant(
        "document.querySelector('main').insertAdjacentHTML('beforeend', '<p style=\"width: 400px\">Wide</p>');",
      );
      await eventually(async () => {
        expect(await lookAround()).toEqual([expect.stringMatching(/^reaches \d+ px beyond the window/)]);
      });
    });

    test('a page that crashes', async () => {
      // whose pages format times by `Intl`
      await actAs(await givenPerson(service, { timeZone: 'Europe/Berlin' }));
      await tab.open(`${service.url}/credentials`);
      await settle('Set email and password');
      await plant("Intl.DateTimeFormat.prototype.formatToParts = () => { throw new Error('planted'); };");
      await press(tab, 'Availability');
      await eventually(async () => {
        expect(await lookAround()).toEqual([expect.stringMatching(/^crashed: /)]);
      });
    });
  });
}
