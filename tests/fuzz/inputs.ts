/** Generated inputs: values that a JSON schema allows, around a working input, and junk. */
import fc from 'fast-check';
import { isRecord } from '#tests/harness/transports.ts';
import type { Schema } from './contract.ts';

/** More entries make requests larger, not other. */
const LIST_MAX = 3;
const TEXT_MAX = 60;
/** Depth at which optional parts are left out, for schemas that contain themselves. */
const DEPTH_MAX = 6;

type Resolve = (schema: unknown) => Schema;

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.stringMatching(/^[a-z]{1,12}@[a-z]{1,12}\.[a-z]{2,3}$/),
  uri: fc.stringMatching(/^https:\/\/[a-z]{1,12}\.example\/[a-z]{0,8}$/),
  date: days().map((day) => day.slice(0, 10)),
  'date-time': days(),
};

/** Instants of the years in which missions are planned, in UTC. */
function days(): fc.Arbitrary<string> {
  const [min, max] = [new Date('2026-01-01T00:00:00Z'), new Date('2029-12-31T23:59:00Z')];
  return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  const known = FORMATS[String(schema.format)];
  if (known) return known;
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  const minLength = numberOf(schema.minLength, 0);
  const maxLength = Math.max(minLength, Math.min(TEXT_MAX, numberOf(schema.maxLength, TEXT_MAX)));
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.floor(maxLength / 4)) }),
  );
}

/**
 * Values that the schema allows.
 * @param base a working value, which most of the generated ones keep in part; undefined for none
 */
export function validOf(stated: unknown, resolve: Resolve, base?: unknown, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(stated);
  const fresh = freshOf(schema, resolve, base, depth);
  const examples = [...listOf(schema.examples), ...('example' in schema ? [schema.example] : [])];
  return fc.oneof(
    { weight: 2, arbitrary: fresh },
    ...(examples.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...examples) }] : []),
    // identifiers have to exist, or every answer would be 404
    ...(base === undefined ? [] : [{ weight: schema.format === 'uuid' ? 60 : 4, arbitrary: fc.constant(base) }]),
  );
}

function freshOf(schema: Schema, resolve: Resolve, base: unknown, depth: number): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => validOf(choice, resolve, base, depth)));
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => typed(type, schema, resolve, base, depth)));
}

function typed(type: unknown, schema: Schema, resolve: Resolve, base: unknown, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: numberOf(schema.minimum, -1000), max: numberOf(schema.maximum, 1_000_000) });
    case 'number':
      return fc.double({ min: numberOf(schema.minimum, -1000), max: numberOf(schema.maximum, 1e6), noNaN: true });
    case 'string':
      return textOf(schema);
    case 'array': {
      const minLength = numberOf(schema.minItems, 0);
      const maxLength = Math.max(minLength, Math.min(LIST_MAX, numberOf(schema.maxItems, LIST_MAX)));
      const item = Array.isArray(base) ? (base as unknown[])[0] : undefined;
      return fc.array(validOf(schema.items, resolve, item, depth + 1), { minLength, maxLength });
    }
    default:
      return objectOf(schema, resolve, base, depth);
  }
}

function objectOf(schema: Schema, resolve: Resolve, base: unknown, depth: number): fc.Arbitrary<unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = new Set(listOf(schema.required));
  const given = isRecord(base) ? base : {};
  const fields = Object.entries(properties)
    .filter(([name]) => depth < DEPTH_MAX || required.has(name))
    .map(([name, field]) => [name, validOf(field, resolve, given[name], depth + 1)] as const);
  const requiredKeys = fields.map(([name]) => name).filter((name) => required.has(name));
  return fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true });
}
