/**
 * Declarations of the tRPC router for programs outside the repository: the inputs and outputs of all calls as plain
 * TypeScript, printed from the schemas that validate them. They need nothing but `@trpc/server`.
 */
import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { answerSchema } from '#server/http/typed-answer.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { REFUSALS } from '#shared/refusals.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Direction = 'input' | 'output';

const SCHEMAS = new URL('../../shared/schemas/', import.meta.url);
/** Other exported schemas, such as an id or a date, read better in place. */
const NAMED_KINDS = new Set<string>(['object', 'array', 'union']);
/** Rules of a field that its type cannot say. */
const FACTS = ['format', 'default', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;
/** Bounds of zod's safe integers, which say nothing. */
const IS_WIDE = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** Names every exported schema after its export, unless it has an `id` of its own, so that JSON Schema refers to it. */
async function nameSchemas(): Promise<void> {
  const taken = new Map<string, z.ZodType>();
  for (const file of readdirSync(SCHEMAS).filter((name) => !name.startsWith('bot'))) {
    const exported = (await import(new URL(file, SCHEMAS).href)) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      if (!(schema instanceof z.ZodType) || !NAMED_KINDS.has(schema.def.type)) continue;
      const meta = z.globalRegistry.get(schema);
      const id = meta?.id ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      if (taken.has(id) && taken.get(id) !== schema) throw new Error(`Two schemas are called ${id}: rename one.`);
      taken.set(id, schema);
      if (meta?.id === undefined) z.globalRegistry.add(schema, { ...meta, id });
    }
  }
}

const isPlainName = (name: string) => /^[A-Za-z_$][\w$]*$/.test(name);
const printKey = (name: string) => (isPlainName(name) ? name : JSON.stringify(name));

/** A comment of one or several lines above a declaration or a field; '' without lines. */
function printComment(lines: readonly string[]): string {
  const [first, ...others] = lines.flatMap((line) => line.split('\n')).map((line) => line.replaceAll('*/', '* /'));
  if (first === undefined) return '';
  return others.length === 0
    ? `/** ${first} */\n`
    : `/**\n${[first, ...others].map((line) => ` * ${line}\n`).join('')} */\n`;
}

function describe(schema: JsonSchema): string {
  const facts = FACTS.filter((fact) => schema[fact] !== undefined && !IS_WIDE.has(schema[fact])).map(
    (fact) => `@${fact} ${JSON.stringify(schema[fact]).replaceAll('"', '')}`,
  );
  return printComment([...(schema.description === undefined ? [] : [schema.description]), ...facts]);
}

/** Prints types and collects the named ones that they use. */
class TypePrinter {
  /** declarations by name */
  readonly declared = new Map<string, string>();
  readonly direction: Direction;

  constructor(direction: Direction) {
    this.direction = direction;
  }

  print(schema: z.ZodType): string {
    const { $defs = {}, ...json } = z.toJSONSchema(schema, {
      io: this.direction,
      unrepresentable: 'any',
      target: 'draft-2020-12',
    });
    for (const [name, definition] of Object.entries($defs)) this.define(name, definition);
    const { id } = z.globalRegistry.get(schema) ?? {};
    if (id === undefined) return this.type(json);
    this.define(id, json);
    return id;
  }

  private define(name: string, json: JsonSchema): void {
    if (this.declared.has(name)) return;
    this.declared.set(name, ''); // a schema may refer to itself
    this.declared.set(name, `${describe(json)}export type ${name} = ${this.type(json)};`);
  }

  private type(json: JsonSchema | boolean): string {
    if (typeof json === 'boolean') return json ? 'unknown' : 'never';
    if (json.$ref !== undefined) return json.$ref.replace(/^.*\//, '');
    if ('const' in json) return JSON.stringify(json.const);
    if (json.enum) return json.enum.map((value) => JSON.stringify(value)).join(' | ');
    const choices = json.anyOf ?? json.oneOf;
    if (choices) return [...new Set(choices.map((one) => this.type(one)))].join(' | ');
    if (json.allOf) return json.allOf.map((one) => `(${this.type(one)})`).join(' & ');
    if (Array.isArray(json.type)) return json.type.map((type) => this.type({ ...json, type })).join(' | ');
    if (json.type === 'array') return this.list(json);
    if (json.type === 'object') return this.object(json);
    if (json.type === 'integer') return 'number';
    return json.type ?? 'unknown';
  }

  private list({ prefixItems, items }: JsonSchema): string {
    if (prefixItems) return `[${prefixItems.map((item) => this.type(item)).join(', ')}]`;
    return `(${Array.isArray(items) || items === undefined ? 'unknown' : this.type(items)})[]`;
  }

  private object({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
    const fields = Object.entries(properties).map(([name, field]) => {
      const mark = required.includes(name) ? '' : '?';
      const comment = typeof field === 'boolean' ? '' : describe(field);
      return `${comment}${printKey(name)}${mark}: ${this.type(field)};`;
    });
    if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
    return typeof additionalProperties === 'object' ? `Record<string, ${this.type(additionalProperties)}>` : '{}';
  }
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

/** The type of a call's input: its `.input()` steps together, without those that a later step repeats. */
function printInput(printer: TypePrinter, steps: readonly z.ZodType[]): string {
  const fieldsOf = (step: z.ZodType | undefined) => (step instanceof z.ZodObject ? Object.keys(step.shape) : []);
  const last = new Set(fieldsOf(steps.at(-1)));
  const needed = steps.filter(
    (step, at) =>
      at === steps.length - 1 || !(fieldsOf(step).length > 0 && fieldsOf(step).every((key) => last.has(key))),
  );
  if (needed.length === 0) return 'void';
  const type = needed.map((step) => printer.print(step)).join(' & ');
  return needed.every((step) => step.safeParse(undefined).success) ? `${type} | undefined` : type;
}

interface Branch {
  [name: string]: Branch | string;
}

function printBranch(branch: Branch): string {
  const lines = Object.entries(branch).map(([name, inner]) =>
    typeof inner === 'string' ? inner : `${printKey(name)}: ${printBranch(inner)};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

/** Method and path of each call under /api/v1, for the comment above it. */
const ADDRESS = new Map(
  REST_TABLE.map(([method, path, name]) => [name, `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`]),
);

const HEADER = `/** The calls of Marshal, printed from its schemas by \`npm run build:sdk\`. */
import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';

type Query<Input, Output> = TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;
type Mutation<Input, Output> = TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>;

/** A refusal, as \`error.shape\` of a TRPCClientError. */
export interface Refusal {
message: string;
code: number;
data: {
/** tRPC's name for the status */
code: string;
/** the reason, for programs */
refusal: RefusalCode;
httpStatus: number;
path: string | null;
/** invalid fields of the input */
issues: { path: string; message: string }[] | null;
};
}

interface Root {
ctx: object;
meta: object;
errorShape: Refusal;
transformer: false;
}
`;

interface Call {
  type: string;
  inputs: z.ZodType[];
  output: z.ZodType;
}

/** A procedure's kind, input steps and output, from the router. */
function describeCall(name: string): Call {
  const procedure: unknown = Reflect.get(appRouter._def.procedures, name);
  const definition: unknown = typeof procedure === 'function' ? Reflect.get(procedure, '_def') : undefined;
  const { type, inputs, output: parser } = Object(definition) as Record<keyof Call, unknown>;
  const output = answerSchema(parser);
  if (!isSchema(output)) throw new Error(`${name} has no output schema.`);
  return { type: String(type), inputs: [inputs].flat().filter(isSchema), output };
}

/** @returns TypeScript that declares `AppRouter`, `RefusalCode` and the named shapes */
export async function printRouterTypes(): Promise<string> {
  await nameSchemas();
  const [inputs, outputs] = [new TypePrinter('input'), new TypePrinter('output')];
  const tree: Branch = {};
  for (const name of Object.keys(appRouter._def.procedures)) {
    const call = describeCall(name);
    const kind = call.type === 'query' ? 'Query' : 'Mutation';
    const type = `${kind}<${printInput(inputs, call.inputs)}, ${outputs.print(call.output)}>`;
    const keys = name.split('.');
    const last = keys.pop() ?? name;
    let branch = tree;
    for (const key of keys) branch = (branch[key] ??= {}) as Branch;
    branch[last] = `${printComment([ADDRESS.get(name) ?? []].flat())}${printKey(last)}: ${type};`;
  }
  for (const [name, text] of inputs.declared) {
    const other = outputs.declared.get(name);
    if (other !== undefined && other !== text) {
      throw new Error(`${name} is read differently from how it is answered: give its input another name.`);
    }
  }
  const shapes = new Map([...outputs.declared, ...inputs.declared]);
  const codes = Object.entries(REFUSALS).map(
    ([code, [status, meaning]]) => `${printComment([`${status}: ${meaning}`])}| '${code}'`,
  );
  return [
    HEADER,
    ...shapes.values(),
    `/** The reason of a refusal. */\nexport type RefusalCode =\n${codes.join('\n')};`,
    `export type AppRouter = TRPCBuiltRouter<Root, ${printBranch(tree)}>;\n`,
  ].join('\n\n');
}
