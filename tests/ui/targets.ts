import type { Page } from '@playwright/test';

/** Pressable elements smaller than `least` px either way. Links within a sentence are exempt. */
export async function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((px) => {
    const targets = [...document.querySelectorAll('a, button, summary, input, select, textarea')].filter(
      (target) => target.closest('[aria-hidden="true"]') === null,
    );
    return targets.flatMap((target) => {
      const isInSentence =
        getComputedStyle(target).display === 'inline' && target.parentElement?.textContent !== target.textContent;
      const labels = 'labels' in target && target.labels instanceof NodeList ? [...target.labels] : [];
      const boxes = [target, ...labels]
        .filter((one) => one instanceof Element)
        .map((one) => one.getBoundingClientRect());
      const isShown = boxes.some(({ width, height, bottom }) => width > 1 && height > 1 && bottom > 0);
      const isLarge = boxes.some(({ width, height }) => Math.min(width, height) >= px);
      return isInSentence || !isShown || isLarge ? [] : [target.outerHTML.slice(0, 160)];
    });
  }, least);
}
