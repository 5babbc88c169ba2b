/** The list of error codes: every code is used, and the OpenAPI document names the calls that answer it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createOpenApi } from '#server/http/rest/openapi.ts';
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
    .filter((file) => file !== join('server', 'http', 'rest', 'discord-sign-in.ts'))
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

test('the OpenAPI document lists every code that a call of /api/v1 can answer', () => {
  const { paths, components } = z
    .object({ paths: z.unknown(), components: z.object({ responses: z.unknown() }) })
    .parse(createOpenApi());
  const text = JSON.stringify([paths, components.responses]);
  /** Refusals of the HTTP layer, of static files and of the bot's own API. */
  const elsewhere = (
    'METHOD_NOT_ALLOWED REQUEST_TIMEOUT EXPECTATION_FAILED HEADERS_TOO_LARGE PRECONDITION_FAILED RANGE_NOT_SATISFIABLE ' +
    'BOT_ONLY BOT_STANDS_BY GUILD_REQUIRED MANAGE_GUILD_REQUIRED NOT_GUILD_MEMBER ' +
    // redirects to a page that shows them
    'DISCORD_ACCOUNT_UNKNOWN DISCORD_LINKED_ELSEWHERE DISCORD_OTHER_LINKED VIEWER_CHANGED'
  ).split(' ');
  expect(refusalCode.options.filter((code) => !text.includes(`"${code}"`)).toSorted()).toEqual(elsewhere.toSorted());
});
