import { expect, type Locator, type Page } from '@playwright/test';

/** Checks of an open dialog: it traps the focus, Esc closes it, and the focus returns to its opener. */
export async function expectModal(page: Page, title: string | RegExp, opener: Locator): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await expect(dialog).toBeVisible();
  const stops = await dialog.locator('button, input, select, a').count();
  for (let stop = 0; stop <= stops; stop += 1) {
    await page.keyboard.press('Tab');
    // after the last stop comes the browser itself, never the page behind
    const isOutside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && activeElement?.closest('dialog') === null;
    });
    expect(isOutside, `stop ${stop}`).toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
}
