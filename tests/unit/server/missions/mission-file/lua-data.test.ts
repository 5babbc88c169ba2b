/** The parser of Lua data: what it reads, what it refuses, and that Lua's own interpreter reads the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isTable,
  NotLuaData,
  parseLuaData,
  quoteLua,
  readText,
  type LuaValue,
} from '#server/missions/mission-file/rules/lua-data.ts';
import { startProcessorTime } from '#tests/harness/processor-time.ts';

type Plain = string | number | boolean | undefined | [key: string | number, value: Plain][];

function plain(value: LuaValue | undefined): Plain {
  if (!isTable(value)) return value?.value;
  return [...value].map(([key, one]): [string | number, Plain] => [key, plain(one)]);
}
const read = (source: string): Plain => plain(parseLuaData(`x = ${source}`).get('x'));

test.each([
  ['"a\\"b\\\\c\\n\\065\\9"', 'a"b\\c\nA\t'],
  ["'it\\'s'", "it's"],
  ['"two\\\nlines"', 'two\nlines'],
  ['"two\\\r\nlines"', 'two\nlines'],
  ['[[\nlong ]=] ]]', 'long ]=] '],
  ['[==[a]]b]==]', 'a]]b'],
  ['-12.5e-1', -1.25],
  ['0x1F', 31],
  ['.5', 0.5],
  ['- 3', -3],
  ['true', true],
  ['nil', undefined],
  ['{}', []],
  [
    '{1, "b"; [5] = 2, name = false, ["a b"] = {}}',
    [
      [1, 1],
      [2, 'b'],
      [5, 2],
      ['name', false],
      ['a b', []],
    ],
  ],
  ['{[1] = 1, nil, 3}', [[2, 3]]],
  ['{ -- note\n a --[[ long\n ]] = --[==[ ] ]==] 1 }', [['a', 1]]],
])('reads %s', (source, expected) => {
  expect(read(source)).toEqual(expected);
});

test('reads several assignments, with or without semicolons, and the last one counts', () => {
  expect(plain(parseLuaData('\xef\xbb\xbfa = 1; b = {} a = 2 -- end'))).toEqual([
    ['a', 2],
    ['b', []],
  ]);
});

test.each([
  'f()',
  'os.exit()',
  '1 + 1',
  '"a" .. "b"',
  '{f()}',
  '{function() end}',
  '{[f()] = 1}',
  '{[{}] = 1}',
  '{[nil] = 1}',
  '(1)',
  'y',
  'not true',
  '#"a"',
  '-"1"',
  '1 2',
  '"a',
  '"a\nb"',
  '"\\300"',
  '[[a',
  '{',
  '{1',
  '{,}',
  '{1,,}',
  '}',
  '0x',
  '1.2.3',
  '',
])('refuses %s', (source) => {
  expect(() => parseLuaData(`x = ${source}`)).toThrow(NotLuaData);
});

test.each(['return {}', 'local x = 1', 'x.y = 1', 'x, y = 1, 2', 'if = 1', 'print("a")'])('refuses %s', (source) => {
  expect(() => parseLuaData(source)).toThrow(NotLuaData);
});

test('names the line of what it refuses', () => {
  expect(() => parseLuaData('x = {\n  a = 1,\n  b = f(),\n}')).toThrow('line 3');
});

test.each([
  ['a million open tables', `x = ${'{'.repeat(1_000_000)}`],
  ['two million values', `x = {${'1,'.repeat(2_000_000)}}`],
  ['four million escapes', `x = "${String.raw`\n`.repeat(4_000_000)}"`],
])('refuses %s soon', (_name, source) => {
  const used = startProcessorTime();
  expect(() => parseLuaData(source)).toThrow(NotLuaData);
  // usually a tenth of it
  expect(used()).toBeLessThan(5_000);
});

/** Pieces that a pattern of the parser repeats, and where they can stand. */
const PIECES = [
  '1',
  '0',
  '.1',
  '1.',
  '1e',
  '1e1',
  '0x1',
  'F',
  '-',
  '- ',
  '+',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\v',
  '=',
  '[',
  ']',
  '[=',
  ']=',
  '[[',
  '--',
  '--\n',
  '--[',
  '--[=',
  '--[[]]',
  '--[[',
  '"',
  '\\',
  '\\1',
  '\\\n',
  "'",
  'a',
  '_',
  'true ',
  'nil,',
  '{',
  '}',
  '{},',
  '[1]=1,',
  'a=1;',
];
const PLACES: [place: string, source: (repeated: string) => string][] = [
  ['as a value', (repeated) => `x = ${repeated}x`],
  ['in a table', (repeated) => `x = {${repeated}x}`],
  ['as a key', (repeated) => `x = {[${repeated}x] = 1}`],
  ['in a string', (repeated) => `x = "${repeated}`],
  ['in a long string', (repeated) => `x = [==[${repeated}`],
  ['as the level of a long string', (repeated) => `x = [${repeated}`],
  ['in a comment', (repeated) => `x = 1 --[=[${repeated}`],
  ['as a name', (repeated) => `${repeated}x`],
];
const MIB = 1024 * 1024;

describe('1 MB of one piece takes a moment', () => {
  test.each(PLACES)('%s', (_place, source) => {
    for (const piece of PIECES) {
      const text = source(piece.repeat(MIB / piece.length));
      const used = startProcessorTime();
      try {
        parseLuaData(text);
      } catch (error) {
        expect(error).toBeInstanceOf(NotLuaData);
      }
      // usually some milliseconds; in quadratic time it would be minutes
      expect([piece, used() < 3_000]).toEqual([piece, true]);
    }
  });
});

test('checks what it forgets', () => {
  const forget = new Set(['route']);
  expect(plain(parseLuaData('x = {route = {1, {2}}, a = 1}', forget).get('x'))).toEqual([
    ['route', false],
    ['a', 1],
  ]);
  expect(() => parseLuaData('x = {route = {f()}}', forget)).toThrow(NotLuaData);
});

test('gives the place of a value in the text, in bytes', () => {
  const text = Buffer.from('x = { a = "Жук", b = -5 }').toString('latin1');
  const table = parseLuaData(text).get('x');
  const places = isTable(table)
    ? [...table.values()].map((one) => (isTable(one) ? '' : text.slice(one.from, one.to)))
    : [];
  expect(places.map((bytes) => readText(bytes, 10))).toEqual(['"Жук"', '-5']);
});

test('shows bytes that are not UTF-8 as replacement characters', () => {
  expect(readText('\xc6\xf3\xea', 10)).toBe('\u{fffd}\u{fffd}\u{fffd}');
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\r', '\0', '7', ']', 'é', '飛', '🚁', "'") });

test('quotes any text so that it is read again', () => {
  fc.assert(fc.property(text, (one) => readText(String(read(quoteLua(one))), 1_000) === one));
});

const data = fc.letrec<{ value: Data }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;
type Data = string | number | boolean | Data[] | { [key: string]: Data };

/** Lua source in one of the ways to write it, chosen by the length of what is inside. */
function write(value: Data): string {
  if (typeof value === 'string') return quoteLua(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `{ ${value.map(write).join(', ')} }`;
  return `{ -- table\n${Object.entries(value)
    .map(([key, one]) => `[${quoteLua(key)}] = ${write(one)};\n`)
    .join('')}}`;
}

/** Prints a table of the interpreter, keys in order, strings as hexadecimal bytes. */
const PRINT = `
local function hex(s) return (s:gsub('.', function(c) return ('%02x'):format(c:byte()) end)) end
local function show(v)
  if type(v) == 'string' then return 's' .. hex(v) end
  if type(v) == 'number' then return 'n' .. ('%.17g'):format(v) end
  if type(v) ~= 'table' then return tostring(v) end
  local keys = {}
  for k, one in pairs(v) do keys[#keys + 1] = show(k) .. '=' .. show(one) end
  table.sort(keys)
  return '{' .. table.concat(keys, ',') .. '}'
end
local f = assert(loadstring(io.read('*a')))
local env = {}
setfenv(f, env)()
for i = 1, #env.all do io.write(show(env.all[i]), '\\n') end
`;

const hex = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('hex');
function shown(value: LuaValue): string {
  if (isTable(value)) {
    const fields = [...value].map(([key, one]) => `${shown({ value: key, from: 0, to: 0 })}=${shown(one)}`);
    return `{${fields.toSorted().join(',')}}`;
  }
  const { value: one } = value;
  return typeof one === 'string' ? `s${hex(one)}` : typeof one === 'number' ? `n${one}` : String(one);
}

const HAS_LUA = spawnSync('lua5.1', ['-v']).status === 0;

describe.skipIf(!HAS_LUA)('beside lua5.1', () => {
  test('reads 1,000 generated tables as the interpreter does', () => {
    const samples = fc.sample(data, { numRuns: 1_000, seed: 20_261_126 }).map(write);
    const whole = `all = {\n${samples.map((one) => `{ ${one} },\n`).join('')}}`;
    const lines = execFileSync('lua5.1', ['-e', PRINT], { input: Buffer.from(whole, 'latin1'), maxBuffer: 2 ** 28 });
    const all = parseLuaData(whole).get('all');
    const ours = isTable(all) ? [...all.values()].map(shown) : [];
    expect(ours).toHaveLength(1_000);
    // the interpreter writes numbers with 17 digits
    const theirs = lines.toString().trimEnd().split('\n');
    const digits = (line: string) => line.replaceAll(/n(-?[\d.e+-]+)/g, (_all, number: string) => `n${Number(number)}`);
    expect(ours.map(digits)).toEqual(theirs.map(digits));
  });
});
