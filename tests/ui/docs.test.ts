/** The API reference page, as authors of scripts use it. */
import { expect as plainExpect, test, type Page } from '@playwright/test';
import { givenAdmin, givenPerson, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { findPaleText, findViolations, overflowOf } from './faults.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';

let service: Service;
let goose: Person;
let token: string;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
  goose = await givenPerson(service, { displayName: 'Goose' });
  const made = await goose.client.call('POST', `/users/${goose.id}/tokens`, {
    name: 'Docs',
    scopes: ['read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  token = made.body.token;
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** The page loads a viewer of 1.5 MB and a document of a megabyte, which takes seconds on busy cores. */
const expect = plainExpect.configure({ timeout: 40_000 });
test.use({ actionTimeout: 60_000 });
test.describe.configure({ timeout: 180_000 });

const DOCS = '/api/v1/docs';
/** A call in the list, by its path. */
const callOf = (page: Page, method: string, path: string) =>
  page.locator(`.opblock-${method}`).filter({ has: page.locator(`[data-path="${path}"]`) });

async function openDocs(page: Page): Promise<string[]> {
  const complaints = hearComplaints(page);
  await page.goto(DOCS);
  await expect(callOf(page, 'get', '/auth/me')).toBeVisible();
  return complaints;
}

test('the search finds calls by path, method and text', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const complaints = await openDocs(page);
  await expect(page).toHaveTitle('Marshal API reference');
  const { paths } = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  const all = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods)).length;
  const search = page.getByRole('searchbox', { name: 'Search the calls' });
  const count = page.locator('output[for="search"]');
  await expect(count).toHaveText(`${all} calls`);

  await search.fill('PUT attendance');
  await expect(callOf(page, 'put', '/admin/missions/{id}/attendance')).toBeVisible();
  await expect(callOf(page, 'get', '/auth/me')).toHaveCount(0);
  expect(await page.locator('.opblock').count()).toBeLessThan(all / 4);

  await search.fill('zeppelin');
  await expect(count).toHaveText('0 calls');
  await search.fill('');
  await expect(count).toHaveText(`${all} calls`);
  expect(complaints).toEqual([]);
});

test('a letter in the search draws no call again, and an open call keeps the focus, the address and its state', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null);
  const complaints = await openDocs(page);
  const count = page.locator('output[for="search"]');
  const all = await count.innerText();
  const search = page.getByRole('searchbox');
  /** How many closed calls are drawn. */
  const drawnBy = async (change: () => Promise<void>): Promise<number> => {
    await page.coverage.startJSCoverage();
    await change();
    const functions = (await page.coverage.stopJSCoverage()).flatMap((script) => script.functions);
    const drawings = functions.filter(({ functionName }) => functionName === 'ClosedCall');
    return drawings.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  };
  const ofLetter = await drawnBy(async () => {
    // each call has it somewhere
    await search.fill('e');
    await expect(search).toHaveValue('e');
    await expect(count).toHaveText(all);
  });
  expect(ofLetter).toBe(0);
  const ofOthers = await drawnBy(async () => {
    await search.fill('attendance');
    await expect(count).not.toHaveText(all);
    await search.fill('');
    await expect(count).toHaveText(all);
  });
  expect(ofOthers).toBeGreaterThan(100);

  const call = callOf(page, 'get', '/auth/me');
  const control = call.locator('.opblock-summary-control');
  const body = call.locator('.code-samples');
  await control.focus();
  for (const isOpen of [true, false, true]) {
    await page.keyboard.press('Enter');
    await expect(body).toHaveCount(isOpen ? 1 : 0);
    await expect(control).toHaveAttribute('aria-expanded', String(isOpen));
    await expect(control).toBeFocused();
  }
  // the search takes it away and brings it back as it was
  await search.fill('attendance');
  await expect(call).toHaveCount(0);
  await search.fill('');
  await expect(body).toBeVisible();
  await page.reload();
  await expect(body).toBeVisible();
  expect(new URL(page.url()).hash).toMatch(/^#\/Auth\//);
  expect(complaints).toEqual([]);
});

test('a call has samples in curl, TypeScript and Python; streams and redirects have nothing to try', async ({
  browser,
}) => {
  const page = await openAs(browser, service, null);
  const complaints = await openDocs(page);
  const mission = callOf(page, 'post', '/admin/missions');
  await mission.getByRole('button', { name: 'post /admin/missions', exact: false }).first().click();
  const sample = mission.locator('.code-samples');
  await expect(sample).toContainText(`curl -X POST '${service.url}/api/v1/admin/missions'`);
  await expect(sample).toContainText('"aircraftSlots"');
  await sample.getByRole('button', { name: 'Python' }).click();
  await expect(sample).toContainText("headers={'Authorization': 'Bearer ' + os.environ['MARSHAL_TOKEN']");
  await sample.getByRole('button', { name: 'TypeScript' }).click();
  await expect(sample).toContainText(`await fetch("${service.url}/api/v1/admin/missions", {`);

  // the choice holds for the other calls
  const order = callOf(page, 'get', '/pilot/inbox/{id}');
  await order.getByRole('button').first().click();
  await expect(order.locator('.code-samples')).toContainText('await fetch(');
  await expect(order.locator('.code-samples')).not.toContainText('{id}');

  for (const path of ['/pilot/events', '/auth/discord']) {
    const call = callOf(page, 'get', path);
    await call.getByRole('button').first().click();
    await expect(call.locator('.code-samples')).toBeVisible();
    await expect(call.getByRole('button', { name: 'Try it out' })).toHaveCount(0);
  }
  expect(complaints).toEqual([]);
});

test('"Try it out" with a token works from the keyboard, and the token stays in the page', async ({ browser }) => {
  const page = await openAs(browser, service, null);
  const sent: { url: string; authorization: string | undefined; cookie: string | undefined }[] = [];
  page.on('request', (request) => {
    const { authorization, cookie } = request.headers();
    sent.push({ url: request.url(), authorization, cookie });
  });
  const complaints = await openDocs(page);
  await expect(page.locator('#caller')).toHaveText(
    'Nobody is signed in to this browser. Without a token, only public calls work.',
  );

  const tabTo = async (selector: string) => {
    await expect(page.locator(selector).first()).toBeVisible();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    }
    throw new Error(`Tab does not reach ${selector}.`);
  };
  await tabTo('#token');
  await page.keyboard.type(token);
  await page.keyboard.press('Enter');
  await expect(page.locator('#caller')).toHaveText('Calls run with this token, as Goose.');
  await tabTo('#search');
  await page.keyboard.type('get /auth/me');
  await expect(page.locator('.opblock')).toHaveCount(1);
  await tabTo('.opblock-summary-control');
  await page.keyboard.press('Enter');
  await tabTo('.try-out__btn');
  await page.keyboard.press('Enter');
  await tabTo('.execute');
  await page.keyboard.press('Enter');

  const answer = callOf(page, 'get', '/auth/me').locator('.live-responses-table');
  await expect(answer.locator('.response-col_status').last()).toContainText('200');
  await expect(answer).toContainText('"displayName": "Goose"');

  const withToken = sent.filter(({ authorization }) => authorization === `Bearer ${token}`).map(({ url }) => url);
  expect(withToken).toContain(`${service.url}/api/v1/auth/me`);
  expect(sent.filter(({ url }) => new URL(url).origin !== service.url)).toEqual([]);
  expect(sent.filter(({ url }) => url.includes(token))).toEqual([]);
  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, document.cookie, localStorage, sessionStorage]),
  );
  expect(kept).not.toContain(token);
  // the curl command that Swagger UI shows for the call
  expect(await page.locator('body').innerText()).not.toContain(token);

  await page.locator('#token-form').getByRole('button', { name: 'Forget' }).click();
  await expect(page.locator('#caller')).toContainText('Nobody is signed in');
  await page.locator('.execute').click();
  await expect(answer).toContainText('401');
  await page.reload();
  await expect(page.locator('#token')).toHaveValue('');
  // the browser itself reports the 401
  expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
});

test('calls run as the account that is signed in, also writes; with a token without its cookie, and a wrong one is refused', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const page = await openAs(browser, service, admin);
  const complaints = await openDocs(page);
  await expect(page.locator('#caller')).toHaveText(
    'Without a token, calls run as Ops, who is signed in to this browser. POST, PUT and DELETE change real data.',
  );
  const status = callOf(page, 'put', '/users/{id}/status');
  await status.getByRole('button').first().click();
  await status.getByRole('button', { name: 'Try it out' }).click();
  await status.getByPlaceholder('id').fill(admin.id);
  await status.locator('textarea').fill('{"state":"dnd"}');
  await status.getByRole('button', { name: 'Execute' }).click();
  await expect(status.locator('.live-responses-table')).toContainText('"state": "dnd"');
  expect((await admin.client.call('GET', `/users/${admin.id}/status`)).body.state).toBe('dnd');
  expect(complaints).toEqual([]);

  await page.locator('#token').fill('mrsh_wrong');
  await page.keyboard.press('Enter');
  await expect(page.locator('#caller')).toContainText(/token/i);
  await expect(page.locator('#caller')).not.toContainText('Ops');

  // Goose's token decides, not the admin's cookie
  await page.locator('#token').fill(token);
  await page.keyboard.press('Enter');
  await expect(page.locator('#caller')).toContainText('as Goose');
  await status.getByRole('button', { name: 'Execute' }).click();
  await expect(status.locator('.live-responses-table')).toContainText('403');
});

test('at 1440 and 360 px: no sideways scroll, no axe violation, in both schemes', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await openAs(browser, service, null, { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
  const complaints = await openDocs(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.getByRole('searchbox').fill('rsvp');
  const rsvp = callOf(page, 'post', '/pilot/inbox/{id}/rsvp');
  await rsvp.getByRole('button').first().click();
  await rsvp.getByRole('button', { name: 'Try it out' }).click();
  await expect(rsvp.locator('.code-samples pre')).toBeVisible();
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => overflowOf(page)).toBe(0);
  }
  // axe reads the whole of an open call, with its schemas, several times: once is enough
  expect(await findViolations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(background).not.toBe(dark);
  expect(await findPaleText(page)).toEqual([]);
  // as chosen on the site
  await page.evaluate(() => localStorage.setItem('marshal-colour-scheme', 'dark'));
  await page.reload();
  // a slow machine draws this page for longer than others
  await expect.poll(background, { timeout: 40_000 }).toBe(dark);
  expect(complaints).toEqual([]);
});

test('without scripts, the page has the quick start and a link to the document', async ({ browser }) => {
  const page = await openAs(browser, service, null, { javaScriptEnabled: false });
  await page.goto(DOCS);
  await expect(page.getByRole('heading', { name: 'Quick start' })).toBeVisible();
  await expect(page.getByText(`${service.url}/api/v1/auth/me`)).toBeVisible();
  await page.getByText('Lua, in a DCS server').click();
  await expect(page.getByText('DCS.setUserCallbacks')).toBeVisible();
  await expect(page.getByRole('link', { name: 'The OpenAPI document' })).toBeVisible();
  await expect(page.locator('#token-form')).toBeHidden();
});
