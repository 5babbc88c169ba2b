/** Finds times of day on a page that are not written as `1905Z 2005L` by a reader in Europe/Berlin. */
import type { Page } from '@playwright/test';

const CLOCK = String.raw`(?:[01]\d|2[0-3])[0-5]\d`;
const MARK = String.raw`(?:[+−]\d)?`;
/** `1905Z`, `1900–2200Z`, each time with a mark of its date, and the same in local time after it */
const half = (letter: string): string => String.raw`(${CLOCK})${MARK}(?:–(${CLOCK}))?${letter}${MARK}`;
const TIME = new RegExp(String.raw`${half('Z')}(?:\s+${half('L')})?`, 'g');
/** `2000L (Europe/Berlin)`: a wall time of many dates has no single time in Zulu, and names its zone instead */
const ZONED = new RegExp(String.raw`\b${CLOCK}L \([A-Z]\w+(?:/[\w+-]+)*\)`, 'g');
/** `Europe/Berlin, now 2000L`: the clock by which a zone is recognized, after its name */
const CLOCK_OF_ZONE = new RegExp(String.raw`\b[A-Z]\w+(?:/[\w+-]+)+, now ${CLOCK}L${MARK}`, 'g');
/** `18:00 here is 1700Z`: an hour as the week's grid has it, and in Zulu */
const HOUR_OF_WEEK = new RegExp(String.raw`\b([01]\d|2[0-3]):([0-5]\d) here is (${CLOCK})Z${MARK}`, 'g');
/** whatever else looks like a time of day */
const OTHER = /\b\d{1,2}:\d{2}(?:\s?[AP]\.?M\b)?|\b\d{1,2}\s?[AP]\.?M\b|(?:\d{4}[+−]?\d?–)?\b\d{4}[ZL]\b/gi;

/** Minutes that Europe/Berlin, the zone of the reader, may be ahead of UTC. */
const AHEAD = new Set([60, 120]);

const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(2));

function isPair(zulu: string | undefined, local: string | undefined): boolean {
  if (zulu === undefined || local === undefined) return zulu === local;
  return AHEAD.has((minutes(local) - minutes(zulu) + 1440) % 1440);
}

/**
 * Times in the page's main part that have another format, or whose halves are no two readings of one instant. Takes the week
 * editor's grid and code from the page.
 */
export async function wrongTimes(page: Page): Promise<string[]> {
  const text = await page.locator('main').evaluate((main: HTMLElement) => {
    // the week that is entered is local time under its named zone, like the fields of a form; code shows a file's format
    for (const part of main.querySelectorAll('[role="grid"][aria-label^="Week grid"], code')) part.remove();
    const labels = [...main.querySelectorAll('[aria-label], [title]')].flatMap((element) => [
      element.getAttribute('aria-label') ?? '',
      element.getAttribute('title') ?? '',
    ]);
    return [main.innerText, ...labels].join('\n');
  });
  const wrong: string[] = [];
  const shown = text.replace(HOUR_OF_WEEK, (all, hour: string, minute: string, zulu: string) => {
    if (!isPair(zulu, `${hour}${minute}`)) wrong.push(all);
    return ' ';
  });
  const rest = shown.replace(TIME, (all, start?: string, end?: string, localStart?: string, localEnd?: string) => {
    const hasLocal = localStart !== undefined;
    if (hasLocal && !(isPair(start, localStart) && isPair(end, localEnd))) wrong.push(all);
    return ' ';
  });
  const others = rest.replaceAll(ZONED, ' ').replaceAll(CLOCK_OF_ZONE, ' ');
  for (const { 0: found, index } of others.matchAll(OTHER)) {
    wrong.push(`${found} in “${others.slice(Math.max(0, index - 30), index + 30).replace(/\s+/g, ' ')}”`);
  }
  return wrong;
}
