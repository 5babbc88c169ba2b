/** The table of OWASP ASVS 5.0 in tests/security/asvs.md, read and checked. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#server/cli/programs.js';

/** All requirements of levels 1 and 2 in version 5.0.0. */
export const REQUIREMENTS: readonly string[] = `
1.1.1 1.1.2 1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.2.6 1.2.7 1.2.8 1.2.9 1.3.1 1.3.2 1.3.3 1.3.4 1.3.5 1.3.6 1.3.7 1.3.8
1.3.9 1.3.10 1.3.11 1.4.1 1.4.2 1.4.3 1.5.1 1.5.2 2.1.1 2.1.2 2.1.3 2.2.1 2.2.2 2.2.3 2.3.1 2.3.2 2.3.3 2.3.4 2.4.1
3.2.1 3.2.2 3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.5.1 3.5.2 3.5.3 3.5.4 3.5.5 3.7.1 3.7.2
4.1.1 4.1.2 4.1.3 4.2.1 4.3.1 4.3.2 4.4.1 4.4.2 4.4.3 4.4.4 5.1.1 5.2.1 5.2.2 5.2.3 5.3.1 5.3.2 5.4.1 5.4.2 5.4.3
6.1.1 6.1.2 6.1.3 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.2.9 6.2.10 6.2.11 6.2.12 6.3.1 6.3.2 6.3.3 6.3.4
6.4.1 6.4.2 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3 6.8.1 6.8.2 6.8.3 6.8.4 7.1.1 7.1.2 7.1.3
7.2.1 7.2.2 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2 8.1.1 8.1.2 8.2.1 8.2.2
8.2.3 8.3.1 8.4.1 9.1.1 9.1.2 9.1.3 9.2.1 9.2.2 9.2.3 9.2.4 10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4
10.4.1 10.4.2 10.4.3 10.4.4 10.4.5 10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5
10.6.1 10.6.2 10.7.1 10.7.2 10.7.3 11.1.1 11.1.2 11.2.1 11.2.2 11.2.3 11.3.1 11.3.2 11.3.3 11.4.1 11.4.2 11.4.3 11.4.4
11.5.1 11.6.1 12.1.1 12.1.2 12.1.3 12.2.1 12.2.2 12.3.1 12.3.2 12.3.3 12.3.4 13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5
13.3.1 13.3.2 13.4.1 13.4.2 13.4.3 13.4.4 13.4.5 14.1.1 14.1.2 14.2.1 14.2.2 14.2.3 14.2.4 14.3.1 14.3.2 14.3.3 15.1.1
15.1.2 15.1.3 15.2.1 15.2.2 15.2.3 15.3.1 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7 16.1.1 16.2.1 16.2.2 16.2.3 16.2.4
16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 16.5.3 17.1.1 17.2.1 17.2.2 17.2.3 17.2.4 17.3.1
17.3.2
`
  .trim()
  .split(/\s+/);

interface Row {
  id: string;
  requirement: string;
  shownBy: string;
}

const ROW = /^\| (\d+\.\d+\.\d+) \| [12] \| ([^|]+) \| ([^|]+) \|$/;
const TEST = /^`(tests\/[\w./-]+\.test\.ts)`: (.+)$/;
const DEVIATION = /^deviation \(Marshal's maintainers, \d{4}-\d{2}-\d{2}\): .{30,}$/;
const NOT_APPLICABLE = /^not applicable: .{10,}$/;

export const readTable = (markdown: string): Row[] =>
  markdown.split('\n').flatMap((line) => {
    const [, id, requirement = '', shownBy = ''] = ROW.exec(line) ?? [];
    return id === undefined ? [] : [{ id, requirement: requirement.trim(), shownBy: shownBy.trim() }];
  });

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "\\\\?'");

const SKIPPED = /\b(?:test|describe)\.(?:skip|todo|skipIf|runIf|fixme)\b/;
const indentOf = (line: string): number => line.search(/\S/);

/** The fault of a test that a row names; null when there is one of this title, and it and its groups run. */
function findTestFault(path: string, title: string, read: (path: string) => string | null): string | null {
  const source = read(path);
  if (source === null) return `${path} does not exist`;
  const found = new RegExp(`\\(\\s*(['"\`])${escaped(title)}\\1`).exec(source);
  if (found === null) return `${path} has no test “${title}”`;
  const lines = source.slice(0, found.index).split('\n');
  let line = lines.pop() ?? '';
  // the end of a table of cases, which begins on the last line that is indented as little
  if (/^\s*\]?\)$/.test(line))
    line = lines.findLast((one) => indentOf(one) === indentOf(line) && /\w/.test(one)) ?? line;
  if (!/\b(?:test|describe)\b/.test(line)) return `${path}: “${title}” is no test`;
  let indent = indentOf(line);
  const groups = lines.toReversed().filter((one) => {
    const isOuter = indentOf(one) >= 0 && indentOf(one) < indent;
    if (isOuter) indent = indentOf(one);
    return isOuter;
  });
  return [line, ...groups].some((one) => SKIPPED.test(one)) ? `${path}: “${title}” is skipped` : null;
}

/** What is missing in the table, or named and not there. */
export function findFaults(rows: readonly Row[], read: (path: string) => string | null = readFile): string[] {
  const faults = REQUIREMENTS.filter((id) => !rows.some((row) => row.id === id)).map((id) => `${id} is missing`);
  for (const { id, shownBy } of rows) {
    if (!REQUIREMENTS.includes(id)) faults.push(`${id} is no requirement`);
    if (rows.filter((row) => row.id === id).length > 1) faults.push(`${id} is there twice`);
    if (DEVIATION.test(shownBy) || NOT_APPLICABLE.test(shownBy)) continue;
    for (const named of shownBy.split('<br>')) {
      const [, path, title] = TEST.exec(named) ?? [];
      const fault =
        path === undefined || title === undefined
          ? 'is neither a test, nor a deviation with a signature, nor not applicable'
          : findTestFault(path, title, read);
      if (fault !== null) faults.push(`${id}: ${fault}`);
    }
  }
  return faults;
}

function readFile(path: string): string | null {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
