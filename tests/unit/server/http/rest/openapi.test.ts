/** The OpenAPI document: valid, free of lint, named, and equal to the file in the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '#server/cli/programs.js';
import { OPERATIONS_FILE, writeOperations } from '#server/cli/generated-docs.ts';
import { createOpenApi } from '#server/http/rest/openapi.ts';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.record(z.string(), z.unknown())),
  responses: z.record(z.string(), z.unknown()),
});
const document = z
  .looseObject({
    paths: z.record(z.string(), z.record(z.string(), operation)),
    tags: z.array(z.object({ name: z.string(), description: z.string() })),
    components: z.looseObject({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
  })
  .parse(createOpenApi());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ ...one, name: `${method} ${path}`, method, path })),
);

const redocly = await createConfig({ extends: ['recommended'] });
const spectral = new spectralCore.Spectral();
// the types of the two packages name the same ruleset differently
spectral.setRuleset({ extends: [rulesets.oas] } as unknown as RulesetDefinition);

/** @returns findings of Redocly's recommended rules, which include the structure of OpenAPI 3.1 */
async function lintByRedocly(text: string): Promise<string[]> {
  const problems = await lintFromString({ source: text, config: redocly, absoluteRef: join(ROOT, 'openapi.json') });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** @returns findings of Spectral's rules for OpenAPI, which include the JSON schema of OpenAPI 3.1 */
async function lintBySpectral(text: string): Promise<string[]> {
  const problems = await spectral.run(text);
  return problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('.')}`);
}

test('the list of operations is what `npm run docs` writes', () => {
  expect(readFileSync(join(ROOT, OPERATIONS_FILE), 'utf8')).toBe(writeOperations());
});

// Spectral follows every reference of a document of a megabyte, for each of its rules
describe('linters', { timeout: 120_000 }, () => {
  const planted = {
    ...document,
    paths: { ...document.paths, '/attic/{id}/': { get: { operationId: 'getStats', responses: { 999: {} } } } },
  };

  test.each([
    ['Redocly', lintByRedocly],
    ['Spectral', lintBySpectral],
  ] as const)('%s finds nothing', async (_name, lint) => {
    expect(await lint(JSON.stringify(document))).toEqual([]);
  });

  test('Redocly finds planted errors', async () => {
    const found = (await lintByRedocly(JSON.stringify(planted))).join('\n');
    for (const rule of ['struct', 'operation-summary', 'no-path-trailing-slash', 'operation-operationId-unique'])
      expect(found).toContain(`${rule}: `);
  });

  test('Spectral finds planted errors', async () => {
    const found = (await lintBySpectral(JSON.stringify(planted))).join('\n');
    for (const rule of ['oas3-schema', 'operation-description', 'path-params', 'operation-operationId-unique'])
      expect(found).toContain(`${rule}: `);
  });
});

describe('operations', () => {
  test('are the rows of the REST table and the calls without a procedure', () => {
    const rows = REST_TABLE.map(([method, path]) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(operations.map(({ name }) => name)).toEqual(expect.arrayContaining(rows));
    expect(operations.length).toBe(rows.length + 12);
  });

  test('have an id that a generated client can use as the name of a function', () => {
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z][a-zA-Z]+$/);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test('need a session or a token unless they are public', () => {
    const open = operations.filter(({ security }) => security.length === 0).map(({ path }) => path);
    expect(
      open.every((path) =>
        /^\/(auth|mail\/(verification\/confirm|subscription)$|stats|theaters|roles|time-zones|public|calendar|slot-requests|users\/dev-token)/.test(
          path,
        ),
      ),
    ).toBe(true);
    expect(open).toContain('/stats');
    expect(operations.filter(({ security }) => security.length === 2).length).toBeGreaterThan(70);
  });

  test('have a short summary and a tag with a description', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { name, summary, tags: own } of operations) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^.]{5,60}$/)]);
      expect([name, own.every((tag) => tags.has(tag))]).toEqual([name, true]);
    }
    for (const tag of tags) expect(operations.some(({ tags: own }) => own.includes(tag))).toBe(true);
  });

  test('name every status; only page loads of a browser have a default', () => {
    const open = operations.filter(({ responses }) => 'default' in responses).map(({ name }) => name);
    expect(open).toEqual(['get /auth/discord', 'get /auth/discord/callback']);
  });
});

describe('examples', () => {
  /** Places of the document with examples, and the schema that these must match. */
  function examplesIn(node: unknown, path: readonly string[] = []): { path: string; schema: string; value: unknown }[] {
    if (typeof node !== 'object' || node === null) return [];
    const here = `#/${path.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const all: unknown = Reflect.get(node, 'examples');
    const one: unknown = Reflect.get(node, 'example');
    const isShape = path.at(-1) === 'properties';
    const own = [
      ...(Array.isArray(all) && !isShape ? all.map((value: unknown) => ({ path: here, schema: here, value })) : []),
      ...(one === undefined || isShape ? [] : [{ path: here, schema: `${here}/schema`, value: one }]),
    ];
    return [...own, ...Object.entries(node).flatMap(([key, child]) => examplesIn(child, [...path, key]))];
  }

  /** @returns places of examples that do not match their schema */
  function wrongExamples(found: ReturnType<typeof examplesIn>): string[] {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema(document, 'document');
    return found
      .filter(({ schema, value }) => !ajv.validate({ $ref: `document${schema}` }, value))
      .map(({ path }) => path);
  }

  test('match their schemas', () => {
    const found = examplesIn(document);
    expect(found.length).toBeGreaterThan(10);
    expect(wrongExamples(found)).toEqual([]);
  });

  test('that do not match are found', () => {
    const path = '#/components/schemas/Refusal/properties/requestId';
    expect(wrongExamples([{ path, schema: path, value: 'not a UUID' }])).toEqual([path]);
  });
});

describe('descriptions', () => {
  type Node = Record<string, unknown>;
  const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

  /** @returns properties at any depth without a description, their own or that of the component they refer to */
  function undescribed(node: unknown, path = ''): string[] {
    if (!isNode(node)) return [];
    const own = isNode(node.properties) ? Object.entries(node.properties) : [];
    const missing = own.filter(([, one]) => isNode(one) && !('description' in one) && !('$ref' in one));
    return [
      ...missing.map(([name]) => `${path}.${name}`),
      ...own.flatMap(([name, one]) => undescribed(one, `${path}.${name}`)),
      ...Object.entries(node).flatMap(([key, one]) => (key === 'properties' ? [] : undescribed(one, path))),
    ];
  }

  test('every property of every schema has one', () => {
    expect(undescribed(document.components)).toEqual([]);
    expect(undescribed(document.paths)).toEqual([]);
    const planted = { User: { properties: { id: { type: 'string' }, name: { description: 'Name.' } } } };
    expect(undescribed(planted, 'User')).toEqual(['User.id']);
  });

  test('every component has one', () => {
    const names = Object.entries(document.components.schemas).filter(([, schema]) => !('description' in schema));
    expect(names.map(([name]) => name)).toEqual([]);
  });

  test('every parameter has one', () => {
    const missing = operations.flatMap(({ name, parameters }) =>
      parameters
        .filter((one) => !('description' in one) && !('$ref' in one))
        .map((one) => `${name}: ${String(one.name)}`),
    );
    expect(missing).toEqual([]);
  });

  test('are sentences', () => {
    const texts = [...JSON.stringify(document).matchAll(/"description":("(?:[^"\\\\]|\\\\.)*")/g)].map(
      ([, text = '']) => z.string().parse(JSON.parse(text)),
    );
    expect(texts.length).toBeGreaterThan(800);
    expect(texts.filter((text) => !/^[`A-Z0-9*-][^]*[.)`]$/.test(text))).toEqual([]);
  });
});

test('no component has a generated name', () => {
  const names = Object.keys(document.components.schemas);
  expect(names).toEqual(
    expect.arrayContaining(['User', 'Status', 'Template', 'Window', 'FragOrder', 'AcceptedMission', 'CreateMission']),
  );
  for (const name of names) expect(name).toMatch(/^([A-Z][a-z]+){1,4}$/);
});
