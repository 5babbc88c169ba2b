/** Layout shifts of a page while it loads. */
import type { Page } from '@playwright/test';

export interface Shift {
  value: number;
  /** elements that moved, and how */
  moved: string[];
}

/**
 * Records in the page, from its next load on, each shift that follows no input, and the elements that moved.
 * @returns a function that reads those of the last load
 */
export async function noteShifts(page: Page): Promise<() => Promise<Shift[]>> {
  await page.addInitScript(() => {
    interface Source {
      node: Node | null;
      previousRect: DOMRectReadOnly;
      currentRect: DOMRectReadOnly;
    }
    interface LayoutShift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: readonly Source[];
    }
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift';
    const say = ({ node, previousRect: from, currentRect: to }: Source): string => {
      const element = node instanceof Element ? node : node?.parentElement;
      const name = element ? `<${element.tagName.toLowerCase()} class="${element.className}">` : 'a removed element';
      const text = node?.textContent?.trim().slice(0, 30) ?? '';
      const box = ({ x, y, width, height }: DOMRectReadOnly): string => [x, y, width, height].map(Math.round).join(' ');
      return `${name} ${text}: ${box(from)} to ${box(to)}`;
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries().filter(isShift)) {
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, moved: entry.sources.map(say) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => Reflect.get(window, 'shifts'));
}

/** Waits until the page shows its fonts: two frames show what the last response and the last font changed. */
export async function fontsShown(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** Web Vitals call a page good up to a cumulative layout shift of .1; what is left here are counts in the bars, and lines that wrap. */
export const MOST_SHIFT = 0.02;

/** @returns the shifts in words, if they sum up to more than `most` */
export function tooMuchShift(shifts: readonly Shift[], most = MOST_SHIFT): string[] {
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  return total <= most ? [] : shifts.map(({ value, moved }) => `${value.toFixed(3)} ${moved.join('; ')}`);
}
