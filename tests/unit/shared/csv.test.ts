import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeFormulas, unescapeFormulas } from '#shared/csv.ts';

/** The first character of every line, for any kind of line break. */
const beginnings = (text: string): string[] => text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.charAt(0));

test.each(['=', '+', '-', '@', '\t', '＝', '＋', '－', '＠'])('no line begins with %j', (sign) => {
  for (const lineBreak of ['\n', '\r\n', '\r', '\r\r\n', '\u2028']) {
    const cell = `${sign}1${lineBreak}${sign}HYPERLINK("https://evil.example")${lineBreak}${lineBreak}${sign}`;
    expect(beginnings(cell), 'the test sees a planted one').toContain(sign);
    expect(beginnings(escapeFormulas(cell))).not.toContain(sign);
    expect(escapeFormulas(cell).replaceAll("'", '')).toBe(cell);
  }
});

test('a carriage return at the beginning of a line is kept as text', () => {
  expect(escapeFormulas('\r=1')).toBe("'\r'=1");
});

test.each(['Kestrel', '2026-11-20 19:05', '251.000', 'two\nlines', "it's", '', 'a=b', '1-2'])(
  '%j is unchanged',
  (cell) => expect(escapeFormulas(cell)).toBe(cell),
);

test('unescaping gives back every value, also one that looks escaped already', () => {
  const letters = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a', ' ', '"', ',');
  fc.assert(
    fc.property(fc.array(letters), (parts) => {
      const cell = parts.join('');
      expect(unescapeFormulas(escapeFormulas(cell))).toBe(cell);
    }),
    { numRuns: 2_000 },
  );
  expect(escapeFormulas("'=1")).toBe("''=1");
});
