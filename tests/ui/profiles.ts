/** The sections of /profile in tests: opening one, and its panels. */
import { expect, type Browser, type Page } from '@playwright/test';
import type { Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';

export const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const toasts = (page: Page) => region(page, 'Notifications');

export async function openProfile(
  browser: Browser,
  service: Service,
  pilot: Person,
  path: `/profile/${string}`,
  options = {},
): Promise<Page> {
  const page = await openAs(browser, service, pilot, options);
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return page;
}

/** A refused field: it has the focus, the sentence, and what was typed. */
export async function expectRefused(page: Page, label: string, sentence: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
  await expect(field).toHaveValue(value);
}
