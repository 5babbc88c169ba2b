/** Table of the latest figures in tests/bench/README.md, between two markers. A row stays until its bench is written again. */
import { availableParallelism, cpus } from 'node:os';
import { figure, type Report } from './report.ts';

const START = '<!-- figures -->\n';
const END = '<!-- end: figures -->';
const HEAD = ['bench', 'median', 'p99', 'bar', 'reached', 'baseline', 'ratio', 'measured'];

/** How figures came about. */
export type Measured = { readonly command: string; readonly machine: string; readonly date: string };

/** The machine in one phrase: cores, model and Node. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown processor';
  return `${availableParallelism()} x ${model}, Node ${process.versions.node}`;
}

/** @returns the report in a line of output, or null if it is something else */
export function readReport(line: string): Report | null {
  if (!line.startsWith('{"name":')) return null;
  try {
    const value = JSON.parse(line) as Partial<Report>;
    return value.bar !== undefined && value.answerHash !== undefined ? (value as Report) : null;
  } catch {
    return null;
  }
}

function cellsOf(report: Report, { command, machine, date }: Measured): string[] {
  const { name, size, unit, median, p99, bar, barMet, baseline, baselineMedian, ratio } = report;
  const withUnit = (value: number) => `${value} ${unit}`;
  return [
    `\`${name}\`: ${size}`,
    withUnit(median),
    withUnit(p99),
    bar,
    barMet ? 'yes' : 'no',
    baseline === '' ? '' : `${baseline}: ${withUnit(baselineMedian)}`,
    baseline === '' ? '' : `${figure(ratio)} x`,
    `\`${command}\`, ${date}, ${machine}`,
  ];
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The first cell, which names the bench and its size. */
const keyOf = (line: string): string => line.split(' | ')[0] ?? '';

/**
 * @param text of the file that contains the table
 * @returns the text with the rows of these reports replaced or added
 * @throws Error when the file lacks the markers
 */
export function withFigures(text: string, reports: readonly Report[], measured: Measured): string {
  const [before, rest] = text.split(START);
  const [table, after] = rest?.split(END) ?? [];
  if (before === undefined || table === undefined || after === undefined) {
    throw new Error('The README lacks the markers of its figures.');
  }
  const rows = new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => [keyOf(line), line]),
  );
  for (const report of reports) {
    const line = lineOf(cellsOf(report, measured));
    rows.set(keyOf(line), line);
  }
  const lines = [lineOf(HEAD), `|${'---|'.repeat(HEAD.length)}`, ...rows.values()];
  return `${before}${START}\n${lines.join('\n')}\n\n${END}${after}`;
}
