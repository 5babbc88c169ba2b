/** Fonts that arrive after the text: the page is shown with the stand-ins of the system, and nothing moves when they come. */
import { expect, test } from '@playwright/test';
import { startService, type Service } from '#tests/harness/service.ts';
import { closePagesAfterEach, openAs } from './pages.ts';
import { fontsShown, noteShifts, tooMuchShift } from './shifts.ts';

let service: Service;

test.beforeAll(async () => {
  service = await startService({ withClient: true });
});
test.afterAll(() => service.stop());
closePagesAfterEach();

for (const { name, viewport } of [
  { name: 'a desktop', viewport: { width: 1440, height: 900 } },
  { name: 'a phone', viewport: { width: 390, height: 844 } },
]) {
  for (const path of ['/', '/login', '/register/account']) {
    test(`on ${name}, ${path} does not move when its fonts arrive late`, async ({ browser }) => {
      const page = await openAs(browser, service, null, { viewport });
      const shifts = await noteShifts(page);
      let release = (): void => undefined;
      const shown = new Promise<void>((resolve) => {
        release = resolve;
      });
      let late = 0;
      await page.route(/\.woff2$/, async (route) => {
        late += 1;
        await shown;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.locator('h1')).toBeVisible();
      const painted = () => page.evaluate(() => performance.getEntriesByType('paint').length);
      await expect.poll(painted).toBeGreaterThan(0);
      expect(late).toBeGreaterThan(0);
      release();
      await fontsShown(page);
      expect(tooMuchShift(await shifts())).toEqual([]);
    });
  }
}
