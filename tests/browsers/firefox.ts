/** Headless Firefox, driven by WebDriver BiDi. */
import { launch, type EvaluateFunc } from 'puppeteer-core';
import type { Tab } from './tab.ts';

/** `6` is a mouse that can hover; headless Firefox reports no pointer at all. */
const MOUSE = 6;

export async function openFirefox(executablePath: string): Promise<Tab> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: {
      'ui.primaryPointerCapabilities': MOUSE,
      'ui.allPointerCapabilities': MOUSE,
      'ui.prefersReducedMotion': 1,
      'intl.locale.requested': 'en-US',
    },
  });
  const page = await browser.newPage();
  return {
    engine: await browser.version(),
    open: async (address) => void (await page.goto(address, { waitUntil: 'load' })),
    ask: (question, ...args) => page.evaluate(question as EvaluateFunc<typeof args>, ...args) as never,
    draw: async ([from, ...rest]) => {
      if (!from) return;
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      for (const { x, y } of rest) await page.mouse.move(x, y, { steps: 4 });
      await page.mouse.up();
    },
    type: (text) => page.keyboard.type(text),
    resize: (width, height) => page.setViewport({ width, height }),
    setCookies: (origin, cookies) =>
      browser
        .defaultBrowserContext()
        .setCookie(
          ...cookies.map((cookie) => ({ ...cookie, domain: new URL(origin).hostname, path: '/', httpOnly: true })),
        ),
    clearCookies: async () => {
      const context = browser.defaultBrowserContext();
      await context.deleteCookie(...(await context.cookies()));
    },
    picture: async () => Buffer.from(await page.screenshot({ type: 'png' })),
    close: () => browser.close(),
  };
}
