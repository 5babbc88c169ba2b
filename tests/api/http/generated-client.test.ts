/** A client that other people's tools generate from the served OpenAPI document: it type-checks, and does the main job. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { query, sql } from '#server/schema/query.ts';
import { givenAdmin } from '#tests/harness/given.ts';
import { runProgram } from '#tests/harness/sdk.ts';
import { startService, type Service } from '#tests/harness/service.ts';

/** Ignored by git; a folder below ours, so that programs in it find our packages. */
const FOLDER = join(ROOT, 'tests', '.results', 'generated-client');
const PROGRAM = readFileSync(join(import.meta.dirname, 'generated-client', 'main-job.ts'), 'utf8');
const OPTIONS = {
  target: 'esnext',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
};

let service: Service;
beforeAll(async () => {
  service = await startService({ withJobs: true });
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(FOLDER, 'openapi.ts'), await generateTypes(new URL(`${service.url}/api/v1/openapi.json`)));
});
afterAll(() => service.stop());

/** The types by openapi-typescript, which needs the compiler of TypeScript 5; TypeScript 7 offers no program interface. */
async function generateTypes(document: URL): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      next(
        name === 'typescript' && context.parentURL?.includes('/openapi-typescript/') ? 'typescript-5' : name,
        context,
      ),
  });
  try {
    const { default: openapiTypes, astToString } = await import('openapi-typescript');
    return astToString(await openapiTypes(document, { silent: true, defaultNonNullable: false }));
  } finally {
    hooks.deregister();
  }
}

/** Type-checks a program beside the generated types. @returns the errors, by line */
async function check(name: string, source: string): Promise<{ line: number; text: string }[]> {
  writeFileSync(join(FOLDER, name), source);
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: [name] }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await runProgram(process.execPath, [tsc, '-p', FOLDER, '--pretty', 'false'], ROOT);
  const errors = [...output.matchAll(/^.*\.ts\((\d+),\d+\): (error .*)$/gm)];
  if (code !== 0 && errors.length === 0) throw new Error(`tsc ended with ${code}: ${output}`);
  return errors.map(([, line, text = '']) => ({ line: Number(line), text }));
}

test('a wrong path, method, parameter, body or property of an answer does not compile', async () => {
  const start = [
    "import createClient from 'openapi-fetch';",
    "import type { paths } from './openapi.ts';",
    'const marshal = createClient<paths>();',
    "const { data = [] } = await marshal.GET('/pilot/inbox');",
  ];
  const right = [
    "await marshal.GET('/aircraft');",
    "await marshal.GET('/pilot/inbox/{id}', { params: { path: { id: '1' } } });",
    "await marshal.POST('/pilot/inbox/{id}/rsvp', { params: { path: { id: '1' } }, body: { response: 'accepted' } });",
    "await marshal.GET('/admin/missions/by-date', { params: { query: { date: '2026-11-21', tz: 'UTC' } } });",
    'console.log(data[0]?.missionName);',
  ];
  const wrong = [
    "await marshal.GET('/aircrafts');",
    "await marshal.DELETE('/aircraft');",
    "await marshal.GET('/pilot/inbox/{id}', { params: { path: { order: '1' } } });",
    "await marshal.POST('/pilot/inbox/{id}/rsvp', { params: { path: { id: '1' } }, body: { response: 'maybe' } });",
    "await marshal.GET('/admin/missions/by-date', { params: { query: { date: 21, tz: 'UTC' } } });",
    'console.log(data[0]?.missionTitle);',
  ];
  const lines = [...start, ...right, ...wrong];
  const errors = await check('wrong.ts', lines.join('\n'));
  const refused = new Set(errors.map(({ line }) => lines[line - 1]));
  expect([...refused]).toEqual(wrong);
});

test('registers three pilots, sets their weeks, creates a mission, answers, and marks attendance', async () => {
  expect(await check('main-job.ts', PROGRAM)).toEqual([]);
  const admin = await givenAdmin(service);
  const made = await admin.client.call('POST', `/users/${admin.id}/tokens`, {
    name: 'Main job',
    scopes: ['read', 'admin'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const waitForEnd = (id: string) =>
    query(
      service.app.orm.em.fork(),
      sql`with m as (update mission set starts_at = now() - interval '5 hours', ends_at = now() - interval '2 hours'
                     where id = ${id} returning *)
          update seat s set starts_at = m.starts_at, ends_at = m.ends_at from m where s.mission_id = m.id`,
    );
  const program: { doMainJob: (job: object) => Promise<unknown> } = await import(
    /* @vite-ignore */ pathToFileURL(join(FOLDER, 'main-job.ts')).href
  );
  const done = await program.doMainJob({ url: service.url, adminToken: made.body.token, waitForEnd });
  const names = ['Viper', 'Goose', 'Merlin'];
  const { answers, seated, attendance } = done as {
    answers: Record<string, string>;
    seated: string[];
    attendance: Record<string, string | null>;
  };
  expect(Object.keys(answers).toSorted()).toEqual(names.toSorted());
  expect(Object.values(answers).toSorted()).toEqual(['accepted', 'accepted', 'declined']);
  const accepted = names.filter((name) => answers[name] === 'accepted').toSorted();
  expect(seated.toSorted()).toEqual(accepted);
  expect(new Set(accepted.map((name) => attendance[name]))).toEqual(new Set(['attended', 'no_show']));
  expect(names.filter((name) => attendance[name] === null)).toEqual(
    names.filter((name) => answers[name] === 'declined'),
  );
});
