/** The picture of time and memory over the number of pilots. */
import { expect, test } from 'vitest';
import { drawPicture } from '#tests/bench/picture.ts';
import type { Report } from '#tests/bench/report.ts';

const report = (name: string, pilots: number, median: number): Report => ({
  name,
  seed: 1,
  size: `${pilots} pilots`,
  runs: 1,
  unit: 'ms',
  median,
  fastest: median,
  p99: median,
  baseline: 'grid scan',
  baselineMedian: pilots / 100,
  ratio: 1,
  gap: 0,
  more: {
    pilots,
    oneReadMedian: pilots / 1e6,
    indexBytes: 1e6 + 8 * pilots,
    gridBytes: 20 * pilots,
    oneReadBytes: 4 * pilots,
  },
  answerHash: 'abc',
  bar: '',
  barMet: true,
  ok: true,
});

const reports = [1_000, 10_000, 100_000, 1_000_000].map((pilots) => report('rec-scale', pilots, 0.02));
const heights = (svg: string, style: string) =>
  [...svg.matchAll(new RegExp(`<circle class="${style}" cx="[\\d.]+" cy="([\\d.]+)"`, 'g'))].map(([, y]) => Number(y));

test('the same figures make the same picture, and other benches are not in it', () => {
  const svg = drawPicture(reports);
  expect(drawPicture([report('rec-flat', 7, 9), ...reports])).toBe(svg);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('a line that grows rises, and one that does not stays level', () => {
  const svg = drawPicture(reports);
  // four points in each chart
  const [index, scan] = [heights(svg, 'index'), heights(svg, 'scan')];
  expect([index.length, scan.length]).toEqual([8, 8]);
  expect(new Set(index.slice(0, 4)).size).toBe(1);
  expect(scan.slice(0, 4)).toEqual(scan.slice(0, 4).toSorted((a, b) => b - a));
  expect(new Set(scan.slice(0, 4)).size).toBe(4);
});

test('every scale is named with its unit', () => {
  const svg = drawPicture(reports);
  for (const label of ['1,000', '1,000,000', '10 µs', '1 s', '1 MB', 'grid scan', 'one read', 'Marshal']) {
    expect(svg).toContain(`>${label}</text>`);
  }
});
