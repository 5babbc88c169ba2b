/**
 * Stored XSS: texts that would become scripts, elements or links, in every column that holds free text, and every screen,
 * menu, dialog and paper opened by those who may see it. Nothing of them is more than text.
 */
import { expect, test, type Page } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import type { Person } from '#tests/harness/given.ts';
import { plantEverywhere } from '#tests/security/free-text.ts';
import { CANARY } from '#tests/security/payloads.ts';
import { givenStoredRows } from '#tests/security/stored-rows.ts';
import { closePagesAfterEach, hearComplaints, openAs } from './pages.ts';
import { ROUTES, type RoutesWorld } from './routes.ts';

let service: Service;
let world: RoutesWorld;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
  world = await givenStoredRows(service);
  await plantEverywhere(service);
});
test.afterAll(() => service.stop());
closePagesAfterEach();

/** Elements that no screen has, so that one of them comes from a text. */
const FOREIGN_ELEMENTS = 'iframe, frame, object, embed, base, math, marquee, foreignObject, animate, set, video, audio';

/** Traces of a payload in the page: what ran, and what is more than text. */
function findTraces(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ foreign, canary }) => {
      const traces = Array.from(
        document.querySelectorAll(`${foreign}, [id*="canary"], [srcdoc]`),
        (element) => `<${element.tagName.toLowerCase()}>`,
      );
      for (const element of document.querySelectorAll('*')) {
        for (const { name, value } of element.attributes) {
          if (name.startsWith('on')) traces.push(`the handler ${name}`);
          const leads = /^(?:xlink:)?href$|^(?:form)?action$|^src(?:set)?$|^data$/.test(name);
          if (leads && /^\s*(?:javascript|vbscript|data:text)/i.test(value)) traces.push(`${name} of a script`);
          // notes may link to any https page, but load nothing from there
          if (leads && element.tagName !== 'A' && value.includes(canary)) traces.push(`${name} elsewhere`);
          if (name === 'style' && value.includes('canary')) traces.push('a style');
        }
      }
      const ran = Number(Reflect.get(window, 'ran'));
      return [...traces, ...(ran > 0 ? [`${ran} scripts ran`] : [])];
    },
    { foreign: FOREIGN_ELEMENTS, canary: CANARY },
  );
}

/** Watches a page from its first request on. @returns what it did beyond showing text; grows while it is open */
async function watch(page: Page): Promise<string[]> {
  const found = hearComplaints(page);
  page.on('dialog', (dialog) => {
    // a form that was changed, when the next page is opened
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    found.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && host !== new URL(service.url).host) found.push(`a request to ${host}`);
  });
  await page.addInitScript(() => {
    Object.assign(window, { ran: 0 });
    Object.assign(window, { xss: () => Object.assign(window, { ran: Number(Reflect.get(window, 'ran')) + 1 }) });
    window.print = () => undefined;
  });
  return found;
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator('h1').first()).toBeVisible();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
}

/** Buttons of menus and dialogs; others would change something at once. */
const OPENERS =
  /^(?:Actions|Add|Assign|Cancel|Change|Create|Delete|Edit|End|Files|Get|Leave|Lift|Make|Publish|Remove|Rename|Repeat|Replace|Resend|Revoke|Save <|Save \[|Set|Skip|Unlink)\b/;
const DIALOG = 'dialog[open]';
const OPENED = `${DIALOG}, [role="menu"]:visible`;

/** Opens every menu and dialog of the page, one of each kind, and calls `look` for it with its name. */
async function openAll(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const namesIn = (role: 'button' | 'menuitem') =>
    page
      .locator(role === 'button' ? 'main' : OPENED)
      .getByRole(role, { disabled: false })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
  const isOpen = (what = OPENED) =>
    page
      .locator(what)
      .first()
      .waitFor({ timeout: 1_000 })
      .then(
        () => true,
        () => false,
      );
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(page.locator(OPENED)).toHaveCount(0);
  };
  // those of one kind begin with the same words
  const kinds = new Map((await namesIn('button')).map((name) => [/^[\w ]*/.exec(name)?.[0], name]));
  for (const name of [...kinds.values()].filter((one) => OPENERS.test(one))) {
    const press = async () => {
      const at = (await namesIn('button')).indexOf(name);
      if (at === -1) return false;
      await page.locator('main').getByRole('button', { disabled: false }).nth(at).click();
      return isOpen();
    };
    if (!(await press())) continue;
    await look(name);
    const items = await namesIn('menuitem');
    await close();
    for (const [index, item] of items.entries()) {
      if (!(await press())) break;
      if (!OPENERS.test(item)) {
        await close();
        continue;
      }
      await page.locator(OPENED).getByRole('menuitem', { disabled: false }).nth(index).click();
      if (!(await isOpen(DIALOG))) continue;
      await look(`${name}: ${item}`);
      await close();
    }
  }
}

const REGISTRATION = '/discord/registration?discordUserId=10009&guildId=1&session=registration';

/** `atLeast`: screens that show some of the texts, and then menus and dialogs. */
const CALLERS = {
  visitor: {
    person: () => null,
    paths: [REGISTRATION, '/api/v1/docs'],
    sees: ['public'],
    atLeast: 1,
    atLeastDialogs: 0,
  },
  pilot: { person: () => world.pilot, paths: [], sees: ['signedIn'], atLeast: 8, atLeastDialogs: 3 },
  admin: { person: () => world.admin, paths: [], sees: ['signedIn', 'admin'], atLeast: 20, atLeastDialogs: 20 },
} satisfies Record<
  string,
  { person: () => Person | null; paths: string[]; sees: string[]; atLeast: number; atLeastDialogs: number }
>;
/** An order of somebody else is not found. */
const NOT_THEIRS = 'Failed to load resource: the server responded with a status of 404 (Not Found)';

for (const [caller, { person, paths, sees, atLeast, atLeastDialogs }] of Object.entries(CALLERS)) {
  test(`every screen of the ${caller} shows the texts and runs none of them`, async ({ browser }) => {
    test.setTimeout(120_000);
    const page = await openAs(browser, service, person());
    const found = await watch(page);
    const seen = new Set<string>();
    const dialogs = new Set<string>();
    const routes = ROUTES.filter(({ access }) => sees.includes(access)).map(({ path }) => world.addressOf(path));
    for (const path of [...routes, ...paths]) {
      await visit(page, path);
      // it names the account when its answer is there
      if (path.startsWith('/set-password/')) await expect(page.locator('body')).toContainText('canary');
      found.push(...(await findTraces(page)).map((trace) => `${path}: ${trace}`));
      if ((await page.locator('body').innerText()).includes('canary')) seen.add(path);
      await openAll(page, async (name) => {
        found.push(...(await findTraces(page)).map((trace) => `${path}, ${name}: ${trace}`));
        if ((await page.locator(OPENED).allInnerTexts()).join().includes('canary')) dialogs.add(`${path} ${name}`);
      });
      const print = page.getByRole('button', { name: /^Print/ }).first();
      if (!(await print.isVisible())) continue;
      await print.click();
      await page.emulateMedia({ media: 'print' });
      found.push(...(await findTraces(page)).map((trace) => `${path} on paper: ${trace}`));
      await page.emulateMedia({ media: null });
    }
    expect(found.filter((fault) => fault !== NOT_THEIRS)).toEqual([]);
    expect(seen.size).toBeGreaterThanOrEqual(atLeast);
    expect(dialogs.size).toBeGreaterThanOrEqual(atLeastDialogs);
  });
}

test.describe('a hole is found', () => {
  const HOLE = '<img id=canary src=x onerror=xss()><a href="javascript:xss()">x</a>';
  const plant = (page: Page) =>
    page.evaluate((html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html), HOLE);

  test('by its elements and by the policy that stops their scripts', async ({ browser }) => {
    const page = await openAs(browser, service, null);
    const found = await watch(page);
    await visit(page, '/login');
    await plant(page);
    expect(await findTraces(page)).toEqual(['<img>', 'the handler onerror', 'href of a script']);
    await expect.poll(() => found.join('\n')).toMatch(/content security policy forbids script-src-attr/i);
  });

  test('by the scripts that run where no policy stops them', async ({ browser }) => {
    const page = await openAs(browser, service, null, { bypassCSP: true });
    await watch(page);
    await visit(page, '/login');
    await plant(page);
    await expect.poll(() => findTraces(page)).toContain('1 scripts ran');
  });
});
