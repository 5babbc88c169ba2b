/** The table of figures in tests/bench/README.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '#tests/bench/report.ts';
import { readReport, withFigures } from '#tests/bench/table.ts';

const EMPTY = 'Before.\n<!-- figures -->\n\n<!-- end: figures -->\nAfter.\n';
const measured = { command: 'npm run bench', machine: '2 x Some CPU, Node 26', date: '2026-11-25' };

const report = (size: string, median: number): Report => ({
  name: 'match-one',
  seed: 1,
  size,
  runs: 3,
  unit: 'ms',
  median,
  fastest: 1,
  p99: 9,
  baseline: 'a peer',
  baselineMedian: 100,
  ratio: 50,
  gap: 0,
  more: {},
  answerHash: 'abc',
  bar: '< 3 ms',
  barMet: median < 3,
  ok: true,
});

const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'));

test('a figure has its bar, its baseline, and how it was measured', () => {
  const text = withFigures(EMPTY, [report('ten', 2)], measured);
  expect(rowsOf(text)).toEqual([
    '| `match-one`: ten | 2 ms | 9 ms | < 3 ms | yes | a peer: 100 ms | 50 x | `npm run bench`, 2026-11-25, 2 x Some CPU, Node 26 |',
  ]);
  expect(text.startsWith('Before.\n')).toBe(true);
  expect(text.endsWith('After.\n')).toBe(true);
});

test('a later run replaces its rows and keeps the others', () => {
  const first = withFigures(EMPTY, [report('ten', 2), report('twenty', 2)], measured);
  const second = withFigures(first, [report('ten', 4)], { ...measured, date: '2026-11-26' });
  expect(rowsOf(second)).toEqual([
    '| `match-one`: ten | 4 ms | 9 ms | < 3 ms | no | a peer: 100 ms | 50 x | `npm run bench`, 2026-11-26, 2 x Some CPU, Node 26 |',
    rowsOf(first)[1],
  ]);
});

test('the README has a place for the table, and a text without one is refused', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'bench', 'README.md'), 'utf8');
  expect(rowsOf(withFigures(readme, [report('ten', 2)], measured))).toContainEqual(expect.stringContaining(': ten |'));
  expect(() => withFigures('nothing', [], measured)).toThrow(/markers/);
});

test('of what a program prints, only reports are read', () => {
  const line = JSON.stringify(report('ten', 2));
  expect(readReport(line)).toEqual(report('ten', 2));
  for (const other of ['', '{', '{"name":', '{"name":"x"}', '{"pilots":300}']) expect(readReport(other)).toBeNull();
});
