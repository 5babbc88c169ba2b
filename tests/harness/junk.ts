/** Junk for inputs: values that have broken such services before, and how they get into a working input. */
import fc from 'fast-check';
import { isRecord } from './transports.ts';

/** Texts that have broken such services before. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDC00y',
  '\u202Egnp.exe',
  '\u2066mixed\u2069',
  '\u0007bell',
  '\u0085',
  '\uFFFF',
  '👩‍✈️'.repeat(60),
  'x'.repeat(3_000),
  "'; drop table app_user; --",
  "' or 1=1 --",
  '%',
  '\\',
  '{}',
  '{"$gt":""}',
  '$1',
  '${jndi:ldap://x}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%zz',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '12345678901234567890',
  '2026-02-29',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31',
  '2100-12-31',
  '2000-01-01',
  '2026-02-29T10:00',
  '2100-12-31T23:59',
  '2026-11-20T24:00',
  '24:00',
  '7:5',
  'EVIL-3',
  '+05:00',
  'UTC+5',
  'Etc/GMT-14',
  'europe/berlin',
  'Mars/Olympus',
  '__proto__',
  'constructor',
  'toString',
  '00000000-0000-0000-0000-000000000000',
  '0192c0de-0000-7000-8000-00000000000g',
  '{0192c0de-0000-7000-8000-000000000000}',
  'a@b',
  'a@b.co',
  'ä@müller.example',
  `${'a'.repeat(250)}@example.org`,
];

const NUMBERS = [0, -0, -1, 1.5, 7, 64, 65, 2 ** 15, 2 ** 31, 2 ** 53, 1e300, -1e300, Infinity];

const prototypeKeys = (value: unknown) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":1}`);

const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      [[]],
      {},
      [null],
      { $ne: null },
      prototypeKeys({ a: 1 }),
    ),
  },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...TEXTS), { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constant(Array.from({ length: 300 }, () => 1)) },
);

export type Path = readonly (string | number)[];

type JsonSchema = { properties?: Record<string, unknown>; items?: unknown; anyOf?: unknown[] };
type Resolve = (schema: unknown) => unknown;

/** Every place in an input that its schema names, the elements of lists included. @param resolve follows references */
export function pathsOf(stated: unknown, resolve: Resolve = (schema) => schema, at: Path = []): Path[] {
  const schema = resolve(stated);
  if (!isRecord(schema)) return [];
  const { properties = {}, items, anyOf = [] }: JsonSchema = schema;
  const below = [
    ...Object.entries(properties).flatMap(([name, one]) => [[...at, name], ...pathsOf(one, resolve, [...at, name])]),
    ...(items === undefined ? [] : [[...at, 0], ...pathsOf(items, resolve, [...at, 0])]),
  ];
  return [...below, ...anyOf.flatMap((one) => pathsOf(one, resolve, at))];
}

/** In place of a value: the field is left out. */
export const MISSING = Symbol('missing');

/** The input with one place changed; a place that it does not reach stays as it is. */
export function withChange(input: unknown, [head, ...rest]: Path, value: unknown): unknown {
  if (head === undefined) return value;
  if (Array.isArray(input)) {
    return input.map((one, index) => (index === head ? withChange(one, rest, value === MISSING ? null : value) : one));
  }
  if (!isRecord(input)) return input;
  if (rest.length === 0 && value === MISSING) {
    return Object.fromEntries(Object.entries(input).filter(([name]) => name !== head));
  }
  return { ...input, [String(head)]: withChange(input[String(head)], rest, value) };
}

export type Change = { path: Path; value: unknown };

/** One to three changes of an input at these places, or at places that it does not have. */
export function changesOf(paths: Path[]): fc.Arbitrary<Change[]> {
  const path = fc.oneof(
    { weight: 8, arbitrary: paths.length === 0 ? fc.constant<Path>(['extra']) : fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.constant<Path>([]) },
    { weight: 1, arbitrary: fc.constantFrom<Path>(['roles'], ['passwordHash'], ['__proto__'], ['extra']) },
  );
  const value = fc.oneof({ weight: 6, arbitrary: junk }, { weight: 1, arbitrary: fc.constant(MISSING) });
  return fc.array(fc.record({ path, value }), { minLength: 1, maxLength: 3 });
}
