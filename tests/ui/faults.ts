/** What is wrong with a page whatever it shows. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds of text that stands out too little: all that a colour scheme can change about a page. */
export async function findPaleText(page: Page): Promise<string[]> {
  return report(await new AxeBuilder({ page }).withRules(['color-contrast']).analyze());
}

/** What axe finds against WCAG 2.2 AA in what is shown now. @returns `rule: elements`, one for each rule */
export async function findViolations(page: Page): Promise<string[]> {
  return report(
    await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze(),
  );
}

type Findings = Awaited<ReturnType<AxeBuilder['analyze']>>;
const report = ({ violations }: Findings): string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);

/** How far the page reaches beyond the window's width, in px; 0 when it does not. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
