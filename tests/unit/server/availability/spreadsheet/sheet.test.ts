/** Reading a spreadsheet of pilots: separators, headers, quotes, and files that cannot be read. */
import { expect, test } from 'vitest';
import { readSheet } from '#server/availability/spreadsheet/sheet.ts';

const cellsOf = (text: string) => {
  const sheet = readSheet(text);
  return 'problem' in sheet ? sheet.problem : sheet.rows.map(({ row, cells }) => [row, cells.callSign, cells.email]);
};
const VIPER = [[2, 'Viper', 'v@example.org']];

test.each([
  ['commas', 'Call sign,Email\nViper,v@example.org'],
  ['semicolons', 'Call sign;Email\nViper;v@example.org'],
  ['tabs, as pasted from a sheet', 'Call sign\tEmail\nViper\tv@example.org'],
  ['a byte order mark and CRLF', '\uFEFFCall sign,Email\r\nViper,v@example.org\r\n'],
  ['headers in any case, order and spelling', 'E-MAIL,call_sign\nv@example.org,Viper'],
  ["a script's headers", 'callSign,email\nViper,v@example.org'],
  ["Excel's note of the separator", 'sep=;\r\nCall sign;Email\r\nViper;v@example.org'],
  ['quotes', '"Call sign","Email"\n"Viper","v@example.org"'],
  ['blanks around cells', 'Call sign , Email\n Viper , v@example.org '],
  ['other columns', 'Rank,Call sign,Email\nMajor,Viper,v@example.org'],
  ['more semicolons in cells than commas', 'Call sign,Email,Aircraft\nViper,v@example.org,a;b;c;d;e'],
])('a file with %s', (_what, text) => expect(cellsOf(text)).toEqual(VIPER));

test('rows have the numbers of the spreadsheet: blank rows count, and so do quoted line breaks as one row', () => {
  const text = 'Call sign,Email\n"Two\nlines",a@example.org\n,\n\nViper,v@example.org\n';
  expect(cellsOf(text)).toEqual([
    [2, 'Two\nlines', 'a@example.org'],
    [5, 'Viper', 'v@example.org'],
  ]);
});

test('a quoted cell may hold separators and quotes, and an escaped formula is the text again', () => {
  const text = 'Call sign,Email\n"A, ""B""",a@example.org\n\'=1+1,b@example.org';
  expect(cellsOf(text)).toEqual([
    [2, 'A, "B"', 'a@example.org'],
    [3, '=1+1', 'b@example.org'],
  ]);
});

test('columns of no use are named, a second one of a kind too', () => {
  expect(readSheet('Rank,Email,Mail,Squadron\n1,a@example.org,b@example.org,32nd')).toMatchObject({
    columns: ['email'],
    ignored: ['Rank', 'Mail', 'Squadron'],
    rows: [{ cells: { callSign: '', email: 'a@example.org', discordId: '' } }],
  });
});

test.each([
  ['', 'The file is empty.'],
  ['\uFEFF \r\n', 'The file is empty.'],
  ['Call sign,Email\r\n', 'The file has no rows below its first one.'],
  [
    'Viper,Berlin\nGoose,Paris',
    'The first row must name the columns, at least Email or Discord id. The template shows how.',
  ],
  [
    'Call sign,Email\nM\uFFFDller,m@example.org',
    'The file is not UTF-8, so some letters cannot be read. Save it as “CSV UTF-8” and try again.',
  ],
  [
    'Call sign,Email\nViper,v@example.org\n"Goose,g@example.org',
    'Row 3: a quotation mark is opened and not closed, or the other way round.',
  ],
  [
    `Email\n${Array.from({ length: 5_001 }, (_, index) => `p${index}@example.org`).join('\n')}`,
    'The file has 5,001 rows; 5,000 fit. Split it into parts.',
  ],
])('%j cannot be read', (text, sentence) => expect(readSheet(text)).toEqual({ problem: sentence }));

test('a row with more cells than the header, or a huge cell, is a bad one', () => {
  const sheet = readSheet(`Call sign,Email\nViper,v@example.org,CAP,Strike\n${'x'.repeat(4_001)},g@example.org`);
  expect('rows' in sheet && sheet.rows.map(({ problem }) => problem)).toEqual([
    'This row has more cells than the first row. A cell with a separator in it needs quotation marks.',
    'A cell has more than 4,000 characters.',
  ]);
});
