/** Browser pages for tests of screens: signed in by the session of a given person, without motion. */
import { test, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test';
import type { Person } from '#tests/harness/given.ts';
import { LIVE_PATH } from '#shared/live.ts';
import type { Service } from '#tests/harness/service.ts';

/** A page in a new context, without an address yet. @param person null for a visitor */
export async function openAs(
  browser: Browser,
  service: Service,
  person: Person | null,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.url,
    reducedMotion: 'reduce',
    // A service worker would respond before the routes of a test.
    serviceWorkers: 'block',
    ...options,
  });
  if (person !== null) await signIn(context, service, person);
  return context.newPage();
}

/** Gives a browser the session of this person, in place of the one it has. */
export async function signIn(context: BrowserContext, service: Service, { client }: Person): Promise<void> {
  await context.addCookies(
    client
      .cookie()
      .split('; ')
      .map((pair) => {
        const at = pair.indexOf('=');
        return { name: pair.slice(0, at), value: pair.slice(at + 1), url: service.url };
      }),
  );
}

/** A page that the service worker answers for, also without a network. */
export async function openKept(browser: Browser, service: Service, person: Person | null, path: string): Promise<Page> {
  const page = await openAs(browser, service, person, { serviceWorkers: 'allow' });
  await page.goto(path);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  return page;
}

/** Closes the pages after each test of the file: an open one would keep polling during the next test. */
export function closePagesAfterEach(): void {
  test.afterEach(async ({ browser }) => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
}

/**
 * Keeps live updates from the page: its stream gets no response. If it were refused, the page would reconnect repeatedly
 * and check each time who is signed in.
 */
export async function cutOffLive(page: Page): Promise<void> {
  await page.route(
    (url) => url.pathname === LIVE_PATH,
    () => undefined,
  );
}

/** Let calls of these procedures fail as a broken network does, until the returned function is called. */
export async function cutOff(page: Page, ...procedures: string[]): Promise<() => Promise<void>> {
  const isCut = (url: URL): boolean => procedures.some((name) => url.pathname.includes(name));
  await page.route(isCut, (route) => route.abort('connectionrefused'));
  return () => page.unroute(isCut);
}

/** Hold calls of one procedure back until the returned function is called; then earlier routes handle them. */
export async function holdBack(page: Page, procedure: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => url.pathname.includes(procedure),
    async (route) => {
      await released;
      await route.fallback();
    },
  );
  return release;
}

/** A call that a page made, with the time by the page's clock. */
export interface NotedCall {
  url: string;
  at: number;
}

/**
 * Records the page's calls in the page from its next load on, because the browser reports them late on a busy machine.
 * @returns a function that reads the calls so far, and the number without a response
 */
export async function noteCalls(page: Page): Promise<() => Promise<{ calls: NotedCall[]; open: number }>> {
  await page.addInitScript(() => {
    const ask = window.fetch.bind(window);
    const noted = { calls: new Array<{ url: string; at: number }>(), open: 0 };
    Object.assign(window, { noted });
    window.fetch = async (input, init) => {
      noted.calls.push({ url: input instanceof Request ? input.url : String(input), at: Date.now() });
      noted.open += 1;
      try {
        const answer = await ask(input, init);
        return new Response(await answer.arrayBuffer(), answer);
      } finally {
        noted.open -= 1;
      }
    };
  });
  return () => page.evaluate(() => Reflect.get(window, 'noted'));
}

/** Console errors and warnings of the page from now on, and uncaught errors; grows while the page is open. */
export function hearComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // said by the test's browser, which keeps service workers away
    if (message.text().includes('Service Worker registration blocked by Playwright')) return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  // some browsers do not log violations of the content security policy, and none logs those that a script caught
  void page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`The content security policy forbids ${violatedDirective} ${blockedURI}, ${sourceFile}`);
    });
  });
  return complaints;
}
