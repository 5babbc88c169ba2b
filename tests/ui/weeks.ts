/** /availability in tests: weeks that are stored, opened, found on the page and saved. */
import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import type { Person } from '#tests/harness/given.ts';
import type { Service } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';

export const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };
export const WIDE = { viewport: { width: 1440, height: 900 } };

export interface Slot {
  weekday: number;
  startLocal: string;
  endLocal: string;
  aircraftCodeId: number;
  notes: string | null;
}

export const slot = (weekday: number, startLocal: string, endLocal: string, rest: Partial<Slot> = {}): Slot => ({
  weekday,
  startLocal,
  endLocal,
  aircraftCodeId: 0,
  notes: null,
  ...rest,
});

export async function readTemplates(pilot: Person) {
  return (await pilot.client.call('GET', `/users/${pilot.id}/availability/templates`)).body;
}

export async function givenWeek(pilot: Person, slots: Slot[]): Promise<void> {
  const { status } = await pilot.client.call('POST', `/users/${pilot.id}/availability/templates`, { slots });
  expect(status).toBe(201);
}

export async function openWeek(
  browser: Browser,
  service: Service,
  pilot: Person,
  { view = '', ...options }: BrowserContextOptions & { view?: string } = {},
): Promise<Page> {
  const page = await openAs(browser, service, pilot, { ...WIDE, ...options });
  await page.goto(`/availability${view}`);
  await expect(page.getByRole('group', { name: 'History' })).toBeVisible();
  return page;
}

export const cell = (page: Page, time: string): Locator =>
  page.getByRole('gridcell', { name: `${time}, add availability`, exact: true });
export const block = (page: Page, name: string): Locator =>
  page.getByRole('grid').getByRole('button', { name, exact: true });
export const saveButton = (page: Page): Locator => page.getByRole('button', { name: 'Save Availability' });

/** Save and be led home. @returns the slots as they went over the wire */
export async function save(page: Page): Promise<Slot[]> {
  const sent = page.waitForRequest(/availability\.(create|update)Template/);
  await saveButton(page).click();
  const body: Record<string, { slots: Slot[]; name: string; isActive: boolean }> = (await sent).postDataJSON();
  await expect(page).toHaveURL('/home');
  const [input] = Object.values(body);
  expect(input).toMatchObject({ name: 'Default Weekly Availability', isActive: true });
  return input?.slots ?? [];
}
