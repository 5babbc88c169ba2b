/** The whole of the pilot's side without a mouse: register to home, focus, palette, keys. */
import { expect, test, type Page } from '@playwright/test';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';

let service: Service;
test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

const STOPS_MAX = 120;

/** The focused element: its accessible name as the browser computes it, and the visibility of its outline. */
async function readFocus(page: Page): Promise<{ name: string; isOutlined: boolean }> {
  const focused = page.locator(':focus');
  const snapshot = (await focused.count()) === 0 ? '' : await focused.ariaSnapshot();
  const isOutlined = await page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return false;
    // a radio shows it on its label, a password on the box that contains its eye button
    return [element, element.parentElement, element.closest('label')].some((one) => {
      const style = one && getComputedStyle(one);
      return style !== null && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2;
    });
  });
  return { name: snapshot.split('\n')[0] ?? '', isOutlined };
}

/** Presses Tab until the stop whose role and name contain `wanted`; every stop on the way must be visibly focused. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  const seen: string[] = [];
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await page.keyboard.press('Tab');
    const { name, isOutlined } = await readFocus(page);
    if (name !== '') expect.soft(isOutlined, `the focus on ${name} can be seen`).toBe(true);
    if (name.includes(wanted)) return;
    seen.push(name);
  }
  throw new Error(`Tab never reaches ${wanted}; it stops at ${seen.join(' | ')}`);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

/** A page reached by navigation: its heading takes the focus when it appears, also away from a field. */
async function expectArrival(page: Page, title: string | RegExp): Promise<void> {
  await expect(heading(page)).toHaveText(title);
  await expect(heading(page)).toBeFocused();
}

test('a pilot registers, enters a week and a status, and reaches home by keyboard alone', async ({ browser }) => {
  const page = await openAs(browser, service, null, { timezoneId: 'Europe/Berlin' });
  await page.goto('/');
  await expect(heading(page)).toBeVisible();
  await tabTo(page, 'Login →');
  await page.keyboard.press('Enter');
  await expectArrival(page, 'Sign In');
  await tabTo(page, 'Register here');
  await page.keyboard.press('Enter');
  await expectArrival(page, 'Create Account');
  await expect(page).toHaveURL(/register\/account/);
  for (const [field, text] of [
    ['textbox "Email', 'keys-only@example.org'],
    ['textbox "Password', PASSWORD],
    ['textbox "Confirm Password', PASSWORD],
  ] as const) {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');

  await expectArrival(page, 'Your Profile');
  await tabTo(page, 'Call Sign');
  await page.keyboard.type('Keys');
  await expect(page.getByLabel('Time Zone')).toHaveValue('Europe/Berlin');
  await tabTo(page, 'button "Continue"');
  await page.keyboard.press('Enter');

  await expectArrival(page, 'Weekly Availability');
  await tabTo(page, 'Weeknights 18–22');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button "Continue"');
  await page.keyboard.press('Enter');

  await expectArrival(page, 'Initial Status');
  await tabTo(page, 'radio');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Available Now' })).toBeChecked();
  await tabTo(page, 'Complete Registration');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Welcome, Keys');
});

test('Tab reaches the skip link first, which leads to the content; a new page focuses its heading', async ({
  browser,
}) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await expect(heading(page)).toBeVisible();
  await page.keyboard.press('Tab');
  expect(await readFocus(page)).toEqual({ name: expect.stringContaining('Skip to content'), isOutlined: true });
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await page.getByRole('link', { name: 'Availability', exact: true }).first().click();
  await expectArrival(page, 'Weekly Availability');
});

test('Ctrl-K finds pages and pending orders; Esc returns the focus; keys typed into a field are no shortcuts', async ({
  browser,
}) => {
  const admin = await givenAdmin(service);
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { name: 'Op Paper Tiger' });
  const page = await openAs(browser, service, pilot);
  await page.goto('/home');
  await expect(page.getByText('Op Paper Tiger')).toBeVisible();

  const field = page.getByRole('combobox', { name: 'Page, order or action' });
  const openPalette = async (): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(field).toBeFocused();
  };
  await page.getByRole('button', { name: 'Go to a page, an order or an action' }).focus();
  await openPalette();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await expect(page.getByRole('button', { name: 'Go to a page, an order or an action' })).toBeFocused();

  await openPalette();
  await page.keyboard.type('prof');
  await expect(page.getByRole('dialog').getByRole('option').first()).toHaveText('Profile');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${service.url}/profile/me`);
  await expectArrival(page, 'Me');

  const callSign = page.getByLabel('Call Sign');
  await callSign.press('End');
  await callSign.press('?');
  await expect(callSign).toHaveValue(`${pilot.displayName}?`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // as it was: leaving with unsaved changes would be asked about
  await callSign.press('Backspace');
  await expect(callSign).toHaveValue(pilot.displayName ?? '');

  await openPalette();
  await page.keyboard.type('tiger');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText([/^FRAG-\d{3,} Op Paper Tiger$/]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/orders\/[0-9a-f-]{36}$/);
  await expectArrival(page, /Op Paper Tiger/);

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Help' })).toContainText('Accept the focused frag order');
  // longer than the window, and read from its beginning
  await expect(page.getByRole('dialog', { name: 'Help' }).getByRole('heading', { name: 'Words' })).toBeInViewport();
  await expect(page.getByRole('dialog', { name: 'Help' })).toContainText('TOTtime on target');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await openPalette();
  await page.keyboard.type('no such thing');
  await expect(page.getByText('Nothing found for “no such thing”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
  await openPalette();
  await page.keyboard.type('night');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('colours');
  const scheme = await page.locator('html').getAttribute('data-mantine-color-scheme');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme === 'dark' ? 'light' : 'dark');
});

test('in forced colours a lit lamp, a side and a pending order still differ from the others', async ({ browser }) => {
  const admin = await givenAdmin(service);
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id);
  await givenMission(service, admin, { name: 'Op Contrast' });
  const page = await openAs(browser, service, pilot, { forcedColors: 'active' });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Op Contrast' })).toBeVisible();
  const lamps = page.getByRole('radio', { name: /Idle|Do Not Disturb|Find Flight/ });
  await expect(lamps).toHaveCount(3);
  const looks = await lamps.evaluateAll((elements) =>
    elements.map((element) => {
      const drawn = element.closest('label') ?? element;
      const { outlineStyle, outlineWidth, borderStyle, borderWidth, backgroundColor, borderColor } =
        getComputedStyle(drawn);
      return {
        isLit: element.getAttribute('aria-checked') === 'true' || element.matches(':checked'),
        look: [outlineStyle, outlineWidth, borderStyle, borderWidth, backgroundColor, borderColor].join(' '),
        shape: drawn.querySelector('svg')?.innerHTML ?? '',
      };
    }),
  );
  const lit = looks.filter(({ isLit }) => isLit);
  expect(lit).toHaveLength(1);
  expect(looks.filter(({ look }) => look === lit[0]?.look)).toHaveLength(1);
  expect(new Set(looks.map(({ shape }) => shape)).size).toBe(3);
  // side and state are words, not only colours
  await expect(page.getByText('Blue', { exact: true }).first()).toBeVisible();
});

test('with reduced motion nothing moves once a page has loaded', async ({ browser }) => {
  const pilot = await givenPerson(service);
  const page = await openAs(browser, service, pilot, { reducedMotion: 'reduce' });
  for (const path of ['/', '/login', '/demo', '/home', '/availability', '/profile/me']) {
    await page.goto(path);
    await expect(heading(page)).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    expect(await page.evaluate(() => document.getAnimations().length), path).toBe(0);
  }
});

test('Esc closes a menu of actions from its button, before the focus has moved into it', async ({ browser }) => {
  const page = await openAs(browser, service, await givenAdmin(service));
  await page.goto('/admin/users');
  const opener = page.getByRole('button', { name: /^Actions for / }).first();
  await opener.focus();
  // in one task, as on a slow device: the menu moves the focus in a later one
  const wasOpen = await opener.evaluate(async (button: HTMLElement) => {
    button.click();
    await Promise.resolve();
    const isOpen = document.querySelector('[role="menu"]') !== null;
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    return isOpen;
  });
  expect(wasOpen).toBe(true);
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(opener).toBeFocused();
});
