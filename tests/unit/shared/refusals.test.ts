/** The list of error codes: every code is used, and the OpenAPI document lists them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createOpenApi } from '#server/rest/openapi.ts';
import { refusalCode, REFUSALS } from '#shared/refusals.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Codes that do not occur in these sources as a string. */
function unusedIn(sources: readonly string[], codes: readonly string[]): string[] {
  return codes.filter((code) => !sources.some((source) => source.includes(`'${code}'`)));
}

test('every code is used by a refusal of the server', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT });
  // the list of sign-in outcomes reads codes but throws none
  const sources = files
    .filter((file) => file !== join('server', 'rest', 'discord-sign-in.ts'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'));
  expect(sources.length).toBeGreaterThan(100);
  expect(unusedIn(sources, refusalCode.options)).toEqual([]);
  expect(unusedIn(sources, ['PLANTED', 'NOT_FOUND'])).toEqual(['PLANTED']);
});

test('every code has a status of a refusal and a meaning', () => {
  for (const [status, meaning] of Object.values(REFUSALS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  }
});

test('the OpenAPI document lists the codes for every call', () => {
  const operation = z.object({
    responses: z.object({
      default: z.object({
        content: z.object({
          'application/json': z.object({
            schema: z.object({
              required: z.array(z.string()),
              properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }),
            }),
          }),
        }),
      }),
    }),
  });
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), operation)) })
    .parse(createOpenApi('https://marshal.example'));
  const schemas = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ responses }) => responses.default.content['application/json'].schema);
  expect(schemas.length).toBeGreaterThan(80);
  for (const { required, properties } of schemas) {
    expect(required).toContain('code');
    expect(properties.code.enum).toEqual(refusalCode.options);
  }
});
