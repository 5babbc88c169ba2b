/** Afternoon missions, each on a different date, and their cards in a browser. */
import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import {
  givenAlwaysFree,
  givenMission,
  givenPerson,
  hoursFromNow,
  type MissionRequest,
  type Person,
} from '#tests/harness/given.ts';
import { inbox } from '#tests/harness/orders.ts';
import type { Service } from '#tests/harness/service.ts';
import { openAs } from './pages.ts';

/** A date this many days ahead, far enough for nothing to be late. */
export const dateIn = (days: number): string => hoursFromNow(24 * days).slice(0, 10);

/** A pilot with this call sign who can fly at any time. */
export async function givenFree(service: Service, displayName: string): Promise<Person> {
  const pilot = await givenPerson(service, { displayName });
  await givenAlwaysFree(service, pilot.id);
  return pilot;
}

/** F-16C CAP, 1800Z to 2100Z on that date, unless said otherwise. @returns its id */
export async function givenFlight(
  service: Service,
  admin: Person,
  name: string,
  date: string,
  slotCount: number,
  more: MissionRequest = {},
): Promise<string> {
  const { mission } = await givenMission(service, admin, {
    name,
    startLocal: `${date}T18:00`,
    endLocal: `${date}T21:00`,
    aircraftSlots: [{ aircraftId: 2, slotCount, side: 0, notes: 'CAP' }],
    ...more,
  });
  return mission.id;
}

/** The pilot's order of a mission, as the pilot reads it. */
export const orderIn = async (pilot: Person, missionName: string) =>
  (await inbox(pilot, true)).find((order: { missionName: string }) => order.missionName === missionName);

/** The board of a date, and a mission's card on it. */
export async function openMission(
  browser: Browser,
  service: Service,
  admin: Person,
  date: string,
  name: string,
  options: BrowserContextOptions = {},
): Promise<[Page, Locator]> {
  const page = await openAs(browser, service, admin, options);
  await page.goto(`/admin/missions/${date}`);
  const card = page.getByRole('region', { name });
  await expect(card).toBeVisible();
  return [page, card];
}
