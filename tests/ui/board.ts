/** Helpers for the operations board: its parts, its formats of days and times, and the crowd that it counts. */
import type { Locator, Page } from '@playwright/test';

/** of the admin */
export const ZONE = 'Europe/Berlin';
/** pilots with the weeks of tests/harness/crowd-weeks.ts, in addition to one who is always free */
export const CROWD = 300;
/** Scripting of one interaction is far below this on an idle machine; see tests/bench/dashboard-scripting.ts. */
export const SCRIPTING_MS = 400;

export const inZone = (iso: string) => Temporal.Instant.from(iso).toZonedDateTimeISO(ZONE);
export const dateOf = (iso: string): string => inZone(iso).toPlainDate().toString();
export const today = (): Temporal.PlainDate => Temporal.Now.plainDateISO(ZONE);
/** `Sat, Nov 21` */
export const named = (date: Temporal.PlainDate): string =>
  date.toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' });
export const clock = (iso: string, zone: string): string =>
  Temporal.Instant.from(iso)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' })
    .replace(':', '');

export const panel = (page: Page, name: string | RegExp): Locator => page.getByRole('region', { name });
/** The large chart of expected online. */
export const dayChart = (page: Page): Locator =>
  panel(page, 'Expected online').getByRole('img', { name: /: (?:at most|nobody)/ });
export const tile = (page: Page, date: Temporal.PlainDate): Locator =>
  page.getByRole('group', { name: 'Day' }).getByRole('button', { name: named(date) });
export const missionsOf = (page: Page, date: Temporal.PlainDate): Locator => panel(page, `Missions ${named(date)}`);
export const heatCells = (page: Page): Locator => page.getByRole('grid').locator('[data-start]');

/** Pilots of the crowd who are free for all of an hour in UTC: the formula of the weeks, and Maverick. */
export function crowdAt(iso: string, forAircraft: number): number {
  const at = Temporal.Instant.from(iso).toZonedDateTimeISO('UTC');
  const isFree = (n: number): boolean =>
    (n + (at.dayOfWeek % 7)) % 7 < 5 &&
    at.hour >= 16 + (n % 5) &&
    at.hour + 1 <= 18 + (n % 5) + (n % 2) &&
    (forAircraft === 0 || forAircraft === 2 || n % 3 !== 0);
  return Array.from({ length: CROWD }, (_pilot, n) => n).filter(isFree).length + 1;
}

/** Interactions with the board; each changes the page, and again in the next round. */
export function interactionsOf(page: Page): Record<string, (round: number) => Promise<void>> {
  const online = panel(page, 'Expected online');
  const heat = panel(page, 'Availability heat');
  const times = panel(page, 'Recommended times');
  const days = page.getByRole('group', { name: 'Day' }).getByRole('button');
  return {
    'select a day': async (round) => {
      await days.nth(round % 7).click();
      await times.getByText('#1', { exact: true }).waitFor();
      await page.getByText('Loading missions...').waitFor({ state: 'hidden' });
    },
    'expected online as table': async () => {
      await online.getByText('Table').click();
      await online.getByRole('table').waitFor();
    },
    'expected online as chart': async () => {
      await online.getByText('Chart').click();
      await dayChart(page).waitFor();
    },
    'heat of another aircraft': async (round) => {
      await heat.getByLabel('Aircraft').selectOption(String((round % 3) + 1));
      await heat.locator('[role="grid"][aria-busy="false"]').waitFor();
    },
    'heat as table': async () => {
      await heat.getByText('Table').click();
      await heat.getByRole('table').waitFor();
    },
    'heat as grid': async () => {
      await heat.getByText('Grid').click();
      await heat.getByRole('grid').waitFor();
    },
    'name all pilots of a time': async () => {
      await times
        .getByRole('button', { name: /more pilots$/ })
        .first()
        .click();
      await times.getByRole('button', { name: 'Fewer pilots' }).click();
    },
  };
}
