/** Axe and overflow checks for any page. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Runs axe in the page for violations only, which takes a third of the time. It skips frames, which our pages do not have.
 * Axe is half a megabyte, so it is loaded only once per page.
 */
async function lookAt(page: Page): Promise<AxeBuilder> {
  if (page.frames().length > 1) throw new Error('The page has frames, and axe looks at the page alone.');
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder(isThere ? { page, axeSource: 'void 0' } : { page });
  return axe.options({ resultTypes: ['violations'] }).setLegacyMode(true);
}

/**
 * Runs a look at the page from its top, with its sticky bars at the places where they belong. A target that such a bar covers in part at one
 * scroll position would count as too small, although a pilot scrolls on.
 */
async function withBarsAtRest<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const restore = await page.evaluateHandle(() => {
    const { scrollX: x, scrollY: y } = window;
    const bars = [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => getComputedStyle(element).position === 'sticky')
      .map((element) => ({ element, style: element.getAttribute('style') }));
    for (const { element } of bars) Object.assign(element.style, { position: 'relative', inset: 'auto' });
    window.scrollTo({ top: 0, behavior: 'instant' });
    return () => {
      for (const { element, style } of bars) {
        element.style.cssText = style ?? '';
      }
      window.scrollTo({ left: x, top: y, behavior: 'instant' });
    };
  });
  try {
    return await look();
  } finally {
    await restore.evaluate((put) => put());
    await restore.dispose();
  }
}

/** Axe's colour contrast violations: the only rule that depends on the colour scheme. */
export async function findPaleText(page: Page): Promise<string[]> {
  const axe = await lookAt(page);
  return report(await axe.withRules(['color-contrast']).analyze());
}

/**
 * Axe's violations of WCAG 2.2 AA in the page as shown.
 * @param within selector of the only part to look at
 * @returns `rule: elements`, one for each rule
 */
export async function findViolations(page: Page, within?: string): Promise<string[]> {
  const axe = await lookAt(page);
  if (within !== undefined) axe.include(within);
  axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']);
  return report(await withBarsAtRest(page, () => axe.analyze()));
}

/** Both schemes have the same elements, so the second one is only checked for differences that a scheme can make. */
const LOOKS = [
  ['dark', findViolations],
  ['light', findPaleText],
] as const;

const countTransitions = (): number =>
  document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;

/** Axe violations in the dark scheme, then text too pale in the light one. @returns `scheme, rule: elements` */
export async function findInSchemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, look] of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    // colours that are still on their way from one scheme to the other are too pale in both
    await expect.poll(() => page.evaluate(countTransitions)).toBe(0);
    found.push(...(await look(page)).map((violation) => `${colorScheme}, ${violation}`));
  }
  return found;
}

type Findings = Awaited<ReturnType<AxeBuilder['analyze']>>;
const report = ({ violations }: Findings): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);

/** The overflow of the page beyond the window's width, in px; 0 for none. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
