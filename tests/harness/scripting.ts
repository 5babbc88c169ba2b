/** Cost of an interaction on the browser's main thread, by Chromium's own counters. */
import type { CDPSession, Page } from '@playwright/test';

export interface Cost {
  /** milliseconds of JavaScript */
  script: number;
  /** milliseconds of styles and layout */
  layout: number;
}

/** @returns a function that acts, waits until the page is idle, and returns the time that it took */
export async function meterOf(page: Page): Promise<(act: () => Promise<void>) => Promise<Cost>> {
  const session = await page.context().newCDPSession(page);
  // CPU time of the thread, without waiting for other work of the machine
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async (act) => {
    const before = await readMetrics(session);
    await act();
    await rest(page);
    const after = await readMetrics(session);
    const spent = (name: string): number => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000;
    return { script: spent('ScriptDuration'), layout: spent('LayoutDuration') + spent('RecalcStyleDuration') };
  };
}

async function readMetrics(session: CDPSession): Promise<Map<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return new Map(metrics.map(({ name, value }) => [name, value]));
}

/** Waits until two frames are drawn and the page is idle. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
      }),
  );
}
