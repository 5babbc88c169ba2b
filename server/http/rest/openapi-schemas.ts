/** JSON schemas of the OpenAPI document, converted from the zod schemas that validate the calls. */
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;
/** Schemas by name. */
export type JsonSchemas = Record<string, JsonSchema>;

export const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;
const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: unknown): JsonSchema => (isObject(value) ? value : {});
const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isObject) : []);

const COMPONENTS = '#/components/schemas/';
export const refTo = (name: string): JsonSchema => ({ $ref: `${COMPONENTS}${name}` });

/** The name of the component that a schema refers to. */
export function nameOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' && $ref.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : undefined;
}

/** Formats whose pattern says no more than the format, at length. */
const KNOWN_FORMATS = new Set(['date-time', 'uuid', 'email']);

/** A choice between constants as an enum: `0 | 1` has the type integer. */
function joinConstants(json: JsonSchema): JsonSchema {
  const { anyOf, ...others } = json;
  const values = listOf(anyOf).map((one) => one.const);
  if (values.length === 0 || values.includes(undefined)) return json;
  return { type: values.every(Number.isInteger) ? 'integer' : typeof values[0], enum: values, ...others };
}

/** A nullable plain value as a list of types. */
function joinNull(json: JsonSchema): JsonSchema {
  const { anyOf, ...others } = json;
  const choices = listOf(anyOf);
  const [value, ...rest] = choices.filter(({ type }) => type !== 'null');
  if (value === undefined || rest.length > 0 || choices.length !== 2 || typeof value.type !== 'string') return json;
  const values = Array.isArray(value.enum) ? { enum: [...(value.enum as unknown[]), null] } : {};
  return { ...value, ...others, type: [value.type, 'null'], ...values };
}

const mapValues = (json: unknown) =>
  Object.fromEntries(Object.entries(objectOf(json)).map(([key, one]) => [key, tidy(one)]));

/**
 * A converted schema as people and generators like to read it. Objects stay open, because answers may gain properties and
 * requests with unknown ones are accepted.
 */
function tidy(schema: unknown): JsonSchema {
  const { $ref, properties, $defs, additionalProperties, ...json } = objectOf(schema);
  const tidied: JsonSchema = { ...json };
  if (typeof $ref === 'string') tidied.$ref = $ref.replace('#/$defs/', COMPONENTS);
  if (properties !== undefined) tidied.properties = mapValues(properties);
  if ($defs !== undefined) tidied.$defs = mapValues($defs);
  if (isObject(additionalProperties)) tidied.additionalProperties = tidy(additionalProperties);
  if (isObject(json.items)) tidied.items = tidy(json.items);
  for (const key of ['anyOf', 'oneOf', 'allOf']) if (key in json) tidied[key] = listOf(json[key]).map(tidy);
  delete tidied.id;
  if (KNOWN_FORMATS.has(String(json.format))) delete tidied.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum;
  return joinNull(joinConstants(tidied));
}

/**
 * zod leaves the default and the examples of a field out when its input is transformed, because they might be values of the
 * output. Ours are values of the input.
 */
function keepExamples({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  const meta: JsonSchema = z.globalRegistry.get(zodSchema) ?? {};
  const { def } = zodSchema._zod;
  const value = def.type === 'default' ? def.defaultValue : meta.default;
  if (value !== undefined) jsonSchema.default = value;
  if (meta.examples !== undefined) jsonSchema.examples = meta.examples;
}

/** Converts schemas together, so that those with an id (`.meta({ id })`) become references to one component. */
export function convert(
  schemas: Record<string, z.ZodType>,
  io: 'input' | 'output',
): { schemas: JsonSchemas; named: JsonSchemas } {
  const json = z.toJSONSchema(z.object(schemas), {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: keepExamples,
  });
  const { properties, $defs } = tidy(json);
  return { schemas: objectOf(properties) as JsonSchemas, named: objectOf($defs) as JsonSchemas };
}

/** The `.input()` steps of a procedure as one object. @param named for steps that refer to a component */
export function mergeInputs(steps: readonly JsonSchema[], named: JsonSchemas) {
  const properties: JsonSchemas = {};
  const required = new Set<string>();
  let name: string | undefined;
  let description: unknown;
  for (const step of steps) {
    const reference = nameOf(step);
    const json = reference === undefined ? step : (named[reference] ?? {});
    name = reference ?? name;
    description = json.description ?? description;
    Object.assign(properties, json.properties);
    for (const key of (json.required as string[] | undefined) ?? []) required.add(key);
  }
  return { name, description, properties, required: [...required] };
}

/** The component schemas that the document refers to, directly or through one another, by name. */
export function usedSchemas(document: unknown, named: JsonSchemas): JsonSchemas {
  const used = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isObject(node)) return;
    const name = nameOf(node);
    if (name !== undefined && !used.has(name)) {
      used.add(name);
      visit(named[name]);
    }
    Object.values(node).forEach(visit);
  };
  visit(document);
  return Object.fromEntries([...used].toSorted().map((name) => [name, named[name] ?? {}]));
}
