/** Marshal as an installed app: manifest, service worker, offline pages, and push notifications. */
import { expect, test, type BrowserContext, type Page, type Worker } from '@playwright/test';
import { CHROMIUM_ARGS, findChromium } from '#tests/harness/chromium.js';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, type Person } from '#tests/harness/given.ts';
import { givenDevice, startPushService, type Device, type PushService } from '#tests/harness/push-service.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, noteCalls, openAs, openKept } from './pages.ts';

const NOT_LOADED = "You are offline, and this page has not been loaded before. It will open when you're back online.";
const OFFLINE =
  /^You are offline\. What you see was loaded at \d{4}Z\. Answers are kept on this device and sent when you're back online\.$/;
const SILENT = /^Marshal isn't responding\. Trying again\./;

// Notifications take the whole browser.
test.use({ launchOptions: { executablePath: (await findChromium()) ?? undefined, args: CHROMIUM_ARGS } });

let push: PushService;
let service: Service;
let admin: Person;
test.beforeAll(async () => {
  push = await startPushService();
  service = await startService({ withClient: true, withJobs: true, env: { PUSH_EXTRA_ORIGINS: push.origin } });
  admin = await givenAdmin(service);
});
test.afterAll(async () => {
  await service.stop();
  await push.stop();
});
closePagesAfterEach();

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const banner = (page: Page, text: RegExp) => page.getByRole('status').filter({ hasText: text });

/** The only pilot who can fly the one seat of a new mission. */
async function givenOrder(name: string): Promise<Person> {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  expect((await givenMission(service, admin, { name })).issued.orders).toBe(1);
  return pilot;
}

test('the manifest is complete, its icons have the size they claim, and Chromium would install the app', async ({
  browser,
}) => {
  const page = await openKept(browser, service, null, '/login');
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const answer = await page.request.get(href ?? '');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ name: 'Marshal', start_url: '/home', scope: '/', display: 'standalone' });
  expect(manifest.shortcuts.map(({ url }: { url: string }) => url)).toEqual(['/home', '/availability']);
  const pngs = manifest.icons.filter(({ type }: { type: string }) => type === 'image/png');
  expect(pngs.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href');
  for (const { src, sizes } of [...pngs, { src: touch, sizes: '180x180' }]) {
    const size = await page.evaluate(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    expect([src, size]).toEqual([src, sizes]);
  }
  const session = await page.context().newCDPSession(page);
  expect((await session.send('Page.getAppManifest')).errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('the service worker caches the app and no answer of the server', async ({ browser }) => {
  const page = await openKept(browser, service, admin, '/home');
  await expect(region(page, 'Server Statistics')).toContainText('Total users');
  await page.goto('/admin/users');
  const script = await page.request.get('/sw.js');
  expect(script.headers()['cache-control']).toBe('no-cache');
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return lists.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/home');
  expect(kept.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(20);
  expect(kept.filter((path) => !/^\/(home|assets\/[\w.-]+|[\w-]+\.(js|svg|png|webmanifest))$/.test(path))).toEqual([]);
});

test('offline a page loads from the cache, says that it has no data, and fills when the network is back', async ({
  browser,
}) => {
  const pilot = await givenPerson(service, { displayName: 'Merlin' });
  const page = await openKept(browser, service, pilot, '/home');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Merlin');
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(NOT_LOADED);
  await expect(banner(page, /^You are offline\. Nothing has been loaded yet/)).toBeVisible();
  // A page that was never opened in this browser comes, too.
  await page.goto('/availability');
  await expect(page.getByRole('alert')).toContainText(NOT_LOADED);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toContainText(NOT_LOADED);

  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('availability', { ignoreCase: true });
  await expect(page.getByText(/You are offline/)).toHaveCount(0);
  await expect(page).toHaveURL(`${service.url}/availability`);
});

test('an open page that goes offline says how old it is, keeps the order, and catches up', async ({ browser }) => {
  const pilot = await givenOrder('Op No Signal');
  const page = await openKept(browser, service, pilot, '/home');
  const order = page.getByRole('article', { name: 'Op No Signal' });
  await expect(order).toBeVisible();
  await page.context().setOffline(true);
  await expect(banner(page, OFFLINE)).toBeVisible();

  // By a link to a page whose data is not loaded yet.
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Availability' }).click();
  const failure = page.getByRole('alert').first();
  await expect(failure).toContainText('ou are offline.');
  await expect(failure.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.goBack();
  await expect(order).toBeVisible();

  expect((await pilot.client.call('GET', '/pilot/inbox')).body).toMatchObject([{ rsvp: 'pending' }]);
  const [{ id }] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  await pilot.client.call('POST', `/pilot/inbox/${id}/rsvp`, { response: 'accepted' });
  await page.context().setOffline(false);
  await expect(banner(page, OFFLINE)).toHaveCount(0);
  // Read again at once, long before the next poll.
  await expect(region(page, 'Accepted Missions')).toContainText('Op No Signal', { timeout: 4_000 });
});

test('a server that does not respond is reported and retried, and the page catches up by itself', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  const isCut = (url: URL): boolean => /^\/(trpc|healthz|api)/.test(url.pathname);
  await page.route(isCut, (route) => route.abort('connectionrefused'));
  await page.getByRole('radio', { name: 'Do Not Disturb' }).click();
  await expect(page.getByText('Failed to set status', { exact: true })).toBeVisible();
  await expect(banner(page, SILENT)).toBeVisible();
  await pilot.client.call('PUT', `/users/${pilot.id}/status`, { state: 'dnd' });
  await page.unroute(isCut);
  await expect(banner(page, SILENT)).toHaveCount(0);
  await expect(page.getByRole('radio', { name: 'Do Not Disturb' })).toBeChecked({ timeout: 4_000 });

  // One call that fails alone is no reason to speak of the server.
  await page.route(/pilot\.setStatus/, (route) => route.abort('connectionrefused'));
  const looked = page.waitForResponse('**/healthz');
  await page.getByRole('radio', { name: 'Idle' }).click();
  expect((await looked).status()).toBe(200);
  await expect(banner(page, SILENT)).toHaveCount(0);
});

test('a hidden page makes no requests', async ({ browser }) => {
  const page = await openAs(browser, service, await givenPerson(service));
  await page.clock.install();
  const readNoted = await noteCalls(page);
  const countPolls = async (): Promise<number> =>
    (await readNoted()).calls.filter(({ url }) => url.includes('pilot.status')).length;
  await page.goto('/home');
  await expect(page.getByRole('radio', { name: 'Idle' })).toBeChecked();
  const show = (state: DocumentVisibilityState) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility });
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => visibility === 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  const seen = await countPolls();
  await page.clock.runFor(65_000);
  expect(await countPolls()).toBe(seen);
  await show('visible');
  await page.clock.runFor(11_000);
  await expect.poll(countPolls).toBeGreaterThan(seen);
});

/** A headless browser has no push service: a subscription is put in place before any page loads. */
async function lendDevice(context: BrowserContext, { subscription }: Device): Promise<void> {
  await context.addInitScript((given) => {
    const KEY = 'test-subscribed';
    const made = {
      endpoint: given.endpoint,
      toJSON: () => given,
      unsubscribe: () => {
        localStorage.removeItem(KEY);
        return Promise.resolve(true);
      },
    };
    Object.assign(PushManager.prototype, {
      getSubscription: () => Promise.resolve(localStorage.getItem(KEY) === null ? null : made),
      subscribe(options: PushSubscriptionOptionsInit) {
        localStorage.setItem(KEY, JSON.stringify(options));
        return Promise.resolve(made);
      },
    });
  }, subscription);
}

const TURN_ON = 'Turn on notifications on this device';

test('notifications arrive once turned on, and stop at the sign-out', async ({ browser }) => {
  const device = givenDevice(push);
  const pilot = await givenPerson(service);
  const page = await openKept(browser, service, pilot, '/login');
  await page.context().grantPermissions(['notifications'], { origin: service.url });
  await lendDevice(page.context(), device);
  await page.goto('/profile/notifications');
  const panel = region(page, 'Notifications on this device');
  const devices = async () =>
    (await pilot.client.call('GET', '/pilot/push/subscriptions')).body.map(
      ({ endpoint }: { endpoint: string }) => endpoint,
    );
  await expect(panel).toContainText('about new frag orders');
  await expect(panel.getByRole('button', { name: TURN_ON })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('test-subscribed'))).toBeNull();

  await panel.getByRole('button', { name: TURN_ON }).click();
  await expect(panel).toContainText('On');
  expect(await devices()).toEqual([device.subscription.endpoint]);
  const { body: key } = await pilot.client.call('GET', '/pilot/push/key');
  const asked = JSON.parse((await page.evaluate(() => localStorage.getItem('test-subscribed'))) ?? '{}');
  expect(asked).toEqual({ userVisibleOnly: true, applicationServerKey: key.publicKey });

  await panel.getByRole('button', { name: 'Send a test' }).click();
  await expect(panel.getByRole('status')).toHaveText('Sent to 1 device.');
  expect(device.messages()).toMatchObject([{ title: 'Marshal', url: '/profile/notifications#push' }]);

  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { name: 'Op Loud' });
  await expect.poll(() => device.messages().length).toBe(2);
  expect(device.messages()[1]?.title).toMatch(/^FRAG-\d{3,}: Op Loud$/);

  await panel.getByRole('button', { name: 'Turn off' }).click();
  await expect(panel.getByRole('button', { name: TURN_ON })).toBeVisible();
  expect(await devices()).toEqual([]);

  await panel.getByRole('button', { name: TURN_ON }).click();
  await expect(panel.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await page.goto('/home');
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => localStorage.getItem('test-subscribed'))).toBeNull();
  const rows = await service.app.orm.em.fork().getConnection().execute('select endpoint from push_subscription');
  expect(rows).toEqual([]);
});

test('a browser that blocks or lacks notifications gets an explanation with a remedy', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await page.goto('/profile/notifications');
  const panel = region(page, 'Notifications on this device');
  await expect(panel).toContainText('Notifications are blocked in this browser.');
  await expect(panel.getByRole('button')).toHaveCount(0);

  const old = await openAs(browser, service, pilot);
  await old.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'));
  await old.goto('/profile/notifications');
  await expect(region(old, 'Notifications on this device')).toContainText('add Marshal to the Home Screen');

  const shy = await openAs(browser, service, pilot);
  await shy.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = () => Promise.resolve('default');
  });
  await shy.goto('/profile/notifications');
  await region(shy, 'Notifications on this device').getByRole('button', { name: TURN_ON }).click();
  await expect(shy.getByRole('alert')).toHaveText('Permission was not granted, so notifications stay off.');
});

async function workerOf(page: Page): Promise<Worker> {
  const [worker] = page.context().serviceWorkers();
  return worker ?? page.context().waitForEvent('serviceworker');
}

/** Press a notification of this tag, or one of its buttons. */
async function pressNotification(worker: Worker, tag: string, action: string): Promise<void> {
  await worker.evaluate(
    async ([name, button]) => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const [notification] = await scope.registration.getNotifications({ tag: name });
      const Press = Reflect.get(globalThis, 'NotificationEvent') as new (type: string, init: object) => Event;
      dispatchEvent(new Press('notificationclick', { notification, action: button }));
    },
    [tag, action] as const,
  );
}

/** A notification passes through the whole browser: more than a page's own work, on a busy machine. */
const SHOWN = { timeout: 20_000 };

test('a push message becomes a notification that answers the order and opens it in an open page', async ({
  browser,
}) => {
  const pilot = await givenOrder('Op Press Here');
  const [order] = (await pilot.client.call('GET', '/pilot/inbox')).body;
  const page = await openKept(browser, service, pilot, '/home');
  await page.context().grantPermissions(['notifications'], { origin: service.url });
  const worker = await workerOf(page);
  const message = {
    title: `${order.label}: Op Press Here`,
    body: 'VIPER 1',
    url: '/availability',
    tag: `order-${order.id}`,
    orderId: order.id,
    changedAt: null,
  };
  const session = await page.context().newCDPSession(page);
  const registrations = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const deliver = async (data: string) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: service.url,
      registrationId: await registrations,
      data,
    });
  const shown = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const all = await scope.registration.getNotifications();
      return all.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  /** Chromium sometimes loses a notification that is shown right after another was closed; then deliver it again. */
  const deliverUntilShown = (data: string, seen: object) =>
    expect(async () => {
      await deliver(data);
      await expect.poll(shown, { timeout: 3_000 }).toContainEqual(seen);
    }).toPass(SHOWN);
  const { title, body, tag } = message;
  // The permission reaches the worker after the page; a message that comes before it cannot be shown.
  await expect.poll(() => worker.evaluate(() => Notification.permission), SHOWN).toBe('granted');
  await deliver(JSON.stringify(message));
  await expect.poll(shown, SHOWN).toEqual([{ title, body, tag }]);
  // The second of a tag takes the place of the first.
  await deliver(JSON.stringify({ ...message, body: 'VIPER 2' }));
  await expect.poll(shown, SHOWN).toEqual([{ title, body: 'VIPER 2', tag }]);

  await pressNotification(worker, tag, 'accepted');
  await expect
    .poll(shown, SHOWN)
    .toEqual([{ title, body: `You're in: ${order.flightCallsign}, seat ${order.seatIndex + 1}`, tag }]);
  expect((await pilot.client.call('GET', `/pilot/inbox/${order.id}`)).body.rsvp).toBe('accepted');
  await pressNotification(worker, tag, '');
  await page.waitForURL('**/availability');
  await expect.poll(shown, SHOWN).toEqual([]);

  await deliverUntilShown('no JSON at all', {
    title: 'Marshal',
    body: 'Something new is waiting for you.',
    tag: 'unreadable',
  });
  await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response: 'declined' });
  await service.app.orm.em.fork().getConnection().execute(`delete from session where user_id = '${pilot.id}'`);
  // its own tag: the browser may still be closing the notification of the other
  const late = 'late';
  await deliverUntilShown(JSON.stringify({ ...message, tag: late }), { title, body, tag: late });
  await pressNotification(worker, late, 'standby');
  await expect.poll(shown, SHOWN).toContainEqual({ title, body: 'Not sent: User not authenticated', tag: late });
});
