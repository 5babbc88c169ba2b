/** The package marshal-client, as a program outside the repository gets it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { givenAdmin, givenAlwaysFree, givenMission, givenPerson } from '#tests/harness/given.ts';
import { installSdk, readSdkFile, runProgram, SDK, type Consumer } from '#tests/harness/sdk.ts';
import { startService, type Service } from '#tests/harness/service.ts';

const PATIENCE = { timeout: 180_000 } as const;

const SAMPLE = `
import { createMarshalClient, isRefusal, type FragOrder, type MarshalError, type RefusalCode } from 'marshal-client';

declare const process: { env: Record<string, string> };
const { MARSHAL_URL = '', MARSHAL_TOKEN = '' } = process.env;
const marshal = createMarshalClient({ baseUrl: MARSHAL_URL, token: MARSHAL_TOKEN });
const orders: FragOrder[] = await marshal.pilot.inbox.query({ includeCompleted: false }, { signal: AbortSignal.timeout(20_000) });
const [first] = orders;
if (first === undefined) throw new Error('no order');
const accepted = await marshal.pilot.rsvp.mutate({ id: first.id, response: 'accepted' });
const rsvp: 'pending' | 'accepted' | 'standby' | 'declined' = accepted.rsvp;
console.log(first.missionName, rsvp);
try {
  await marshal.pilot.order.query({ id: '00000000-0000-4000-8000-000000000000' });
} catch (error) {
  if (isRefusal(error, 'SEAT_TAKEN')) throw new Error('the wrong code');
  if (isRefusal(error, 'ORDER_NOT_FOUND', 'ORDER_EXPIRED')) {
    const code: 'ORDER_NOT_FOUND' | 'ORDER_EXPIRED' = error.data.refusal;
    console.log(code);
  }
  const refusal: RefusalCode | undefined = (error as MarshalError).data?.refusal;
  console.log(refusal);
}
`;

let consumer: Consumer;
let service: Service;

beforeAll(async () => {
  [consumer, service] = await Promise.all([installSdk(), startService()]);
}, PATIENCE.timeout);
afterAll(async () => {
  consumer.remove();
  await service.stop();
});

/** Imports of a file, by name. */
const importsOf = (text: string) => [...text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)].map(([, name]) => name);

describe('the package', () => {
  test('has the client, one declaration file of the calls, a licence and a README', () => {
    expect(consumer.files).toEqual([
      'LICENSE',
      'README.md',
      'app-router.d.ts',
      'app-router.js',
      'marshal-client.d.ts',
      'marshal-client.js',
      'package.json',
    ]);
  });

  test('declares the calls with nothing but @trpc/server', () => {
    const declarations = readSdkFile(consumer, 'app-router.d.ts');
    expect([...new Set(importsOf(declarations))]).toEqual(['@trpc/server']);
    expect(declarations.match(/Zod\w*|MikroORM|RequestContext|: any\b/g)).toBeNull();
  });

  test('needs only tRPC at run time', () => {
    expect(importsOf(readSdkFile(consumer, 'marshal-client.js'))).toEqual(['@trpc/client', './app-router.js']);
    expect(importsOf(readSdkFile(consumer, 'app-router.js'))).toEqual([]);
  });

  test('has the version of Marshal', () => {
    const versionOf = (text: string) => (JSON.parse(text) as { version: string }).version;
    expect(versionOf(readSdkFile(consumer, 'package.json'))).toBe(
      versionOf(readFileSync(join(ROOT, 'package.json'), 'utf8')),
    );
  });
});

describe.each(['5.9', '7'] as const)('with TypeScript %s', (compiler) => {
  test('a program type-checks, and each mistake in it is an error', PATIENCE, async () => {
    const mistakes = {
      field: ['first.missionName', 'first.missionTitle'],
      answer: ["response: 'accepted'", "response: 'perhaps'"],
      refusal: ["'SEAT_TAKEN'", "'SEAT_STOLEN'"],
      call: ['marshal.pilot.order.query', 'marshal.pilot.mission.query'],
    } as const;
    const programs = Object.entries(mistakes).map(([name, [right, wrong]]) => [name, SAMPLE.replace(right, wrong)]);
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readSdkFile(consumer, 'README.md')) ?? [];
    const readme = `declare const process: { env: Record<string, string> };\n${example}`;
    const errors = await consumer.check(compiler, { right: SAMPLE, readme, ...Object.fromEntries(programs) });
    expect(errors.map((line) => line.replace(/\(.*/, '')).toSorted()).toEqual(
      Object.keys(mistakes)
        .map((name) => `${name}.ts`)
        .toSorted(),
    );
  });
});

describe('the declared types', () => {
  /** Programs that compile if both routers take the same inputs and answer the same outputs. */
  const compare = (router: string) => `
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter as Real } from '${join(ROOT, 'server', 'http', 'routers', 'app.ts')}';
import type { AppRouter as Printed } from './${router}';
export const readsAll = (real: inferRouterOutputs<Real>): inferRouterOutputs<Printed> => real;
export const promisesNoMore = (printed: inferRouterOutputs<Printed>): inferRouterOutputs<Real> => printed;
export const sends = (printed: inferRouterInputs<Printed>): inferRouterInputs<Real> => printed;
`;
  const OPTIONS =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target esnext --lib esnext,dom --types node --allowImportingTsExtensions';

  test('are the types of the server, and a printed field that differs is found', PATIENCE, async () => {
    const folder = join(SDK, '..', 'marshal-client-types');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const printed = readSdkFile(consumer, 'app-router.d.ts');
    const routers = {
      printed,
      output: printed.replace('missionName: string;', 'missionTitle: string;'),
      input: printed.replace('confirmPassword: string;', 'confirmation: string;'),
    };
    for (const [name, text] of Object.entries(routers)) {
      writeFileSync(join(folder, `${name}-router.d.ts`), text);
      writeFileSync(join(folder, `${name}.ts`), compare(`${name}-router.js`));
    }
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const names = Object.keys(routers).map((name) => `${name}.ts`);
    const { output } = await runProgram(process.execPath, [tsc, ...OPTIONS.split(' '), ...names], folder);
    const wrong = output.split('\n').flatMap((line) => /^(\S+?)\(/.exec(line)?.[1] ?? []);
    expect([...new Set(wrong)].toSorted()).toEqual(['input.ts', 'output.ts']);
  });
});

describe('the client', () => {
  test('answers an order of a real Marshal with a token', PATIENCE, async () => {
    const [admin, pilot] = [await givenAdmin(service), await givenPerson(service)];
    await givenAlwaysFree(service, pilot.id);
    await givenMission(service, admin, { name: 'Op Tarball' });
    const { body } = await pilot.client.call('POST', `/users/${pilot.id}/tokens`, {
      name: 'Script',
      scopes: ['read', 'pilot'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const ended = await consumer.run(SAMPLE, { MARSHAL_URL: service.url, MARSHAL_TOKEN: body.token });
    expect(ended).toEqual({ code: 0, output: 'Op Tarball accepted\nORDER_NOT_FOUND\nORDER_NOT_FOUND\n' });
  });
});
