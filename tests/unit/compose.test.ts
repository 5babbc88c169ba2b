/** `docker/compose.yaml`: every setting of .env arrives, whatever version of Compose reads it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ROOT } from '#server/cli/programs.js';
import { readEnv } from '#server/platform/env.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const compose = read('docker/compose.yaml');

/** The lines of a block of a service, without its own indentation. */
function blockOf(service: string, name: string): string[] {
  const [, body = ''] = new RegExp(`^  ${service}:\n((?:    .*\n|\n)+)`, 'm').exec(compose) ?? [];
  const [, block = ''] = new RegExp(`^    ${name}:\n((?:      .*\n)+)`, 'm').exec(body) ?? [];
  return block
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

/** What compose.yaml decides itself: the inside of the container, and the database beside it. */
const DECIDED = new Set([
  'HOST',
  'PORT',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_HOST',
  'DATABASE_PORT',
  'DATABASE_NAME',
  'DATABASE_USER',
]);
const decided = Object.fromEntries(
  blockOf('marshal', 'environment').map((line) => {
    const [, name = '', value = ''] = /^(\w+): '?(.*?)'?$/.exec(line) ?? [];
    return [name, value];
  }),
);

/** Blocks of two spaces or of `x-` fragments, by their names or anchors. */
const blocksOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^(?:x-[\w-]+: &|  )([\w-]+):?\n((?:(?:    |  (?=[\w<#])).*\n)+)/gm)].map(
      ([, name = '', body = '']) => [name, body],
    ),
  );

describe.each(['docker/compose.yaml', 'docker/compose.scale.yaml'])('the services of %s', (file) => {
  const blocks = blocksOf(read(file));
  /** with what it takes from a fragment */
  const whole = (body: string): string =>
    body + [...body.matchAll(/^ *<<: \*(\w+)/gm)].map(([, name = '']) => blocks.get(name) ?? '').join('');
  const services = [...blocks].map(([name, body]) => ({ name, body: whole(body) }));
  const running = services.filter(({ body }) => /^ +restart: /m.test(body));

  test('are found', () => expect(running.length).toBeGreaterThan(1));
  test.each(running)('$name keeps at most five log files of 10 MB', ({ body }) => {
    expect(body).toMatch(
      /^ +logging: (?:\*logging|&logging\n +driver: json-file\n +options:\n +max-size: 10m\n +max-file: '5')$/m,
    );
  });
  test.each(running)('$name has a limit on its memory, and says whether it is well', ({ body }) => {
    expect(body).toMatch(/^ +mem_limit: \d+[mg]$/m);
    // the image of Marshal brings its own check
    expect(body).toMatch(/^ +(?:healthcheck:(?: &health)?|image: \S+\/marshal:\S+)$/m);
  });
  test.each(services.filter(({ body }) => /^ +image: /m.test(body)))('$name runs one version', ({ body }) => {
    expect(/^ +image: (.*)$/m.exec(body)?.[1]).toMatch(/^[\w./-]+:v?\d+\.\d+[\w.-]*$/);
  });
  test('are not built here', () => expect(read(file)).not.toMatch(/^ +build:/m));
});

test('the table of tried versions names those of the compose file', () => {
  const scale = read('docker/compose.scale.yaml');
  const [, etcd] = /image: \S+\/etcd:v(\d+\.\d+)\./.exec(scale) ?? [];
  const [, haproxy] = /image: haproxy:(\d+\.\d+)\./.exec(scale) ?? [];
  const [, postgres] = /^FROM postgres:(\d+)\./m.exec(read('docker/scale/postgres.Dockerfile')) ?? [];
  const [, node] = /^FROM node:(\d+)\./m.exec(read('docker/Dockerfile')) ?? [];
  const rows = read('docker/README.md').matchAll(/^\| (Node|etcd|PostgreSQL|HAProxy) \| ([\d.]+) \| .+ \|$/gm);
  expect(Object.fromEntries([...rows].map(([, name = '', version]) => [name, version]))).toEqual({
    Node: node,
    etcd,
    PostgreSQL: postgres,
    HAProxy: haproxy,
  });
});

test('etcd, PostgreSQL and the API of Patroni are out of reach of Marshal and of the outside', () => {
  const scale = read('docker/compose.scale.yaml');
  const blocks = blocksOf(scale);
  const networksOf = (name: string) => /^ +networks: \[(.*)\]$/m.exec(blocks.get(name) ?? '')?.[1] ?? 'default';
  const names = ['etcd', 'postgres', 'database', 'haproxy', 'marshal'];
  expect(Object.fromEntries(names.map((name) => [name, networksOf(name)]))).toEqual({
    etcd: 'cluster',
    postgres: 'cluster',
    database: 'cluster',
    haproxy: 'cluster, default',
    marshal: 'default',
  });
  expect(scale.match(/^ +- \S*:\d+:\d+$/gm)).toEqual(['      - 127.0.0.1:3000:3000']);
});

describe('the compose file', () => {
  test('reads nothing by itself: versions of Compose look for .env in different folders', () => {
    expect(compose).not.toContain('$');
    expect(compose).not.toMatch(/password/i);
    const scale = read('docker/compose.scale.yaml').replaceAll(/^ *#.*/gm, '');
    expect(scale).not.toContain('$');
    expect(scale).not.toMatch(/password/i);
  });

  test('passes .env on, in a form that old versions know, and wins over it where the container decides', () => {
    expect(blockOf('marshal', 'env_file')).toEqual(['- compose.env', '- ../.env']);
    expect(blockOf('database', 'env_file')).toEqual(['- ../.env']);
    expect(new Set(Object.keys(decided))).toEqual(DECIDED);
  });

  test('reaches its database with the password of .env, whatever else is set there', () => {
    const env = readEnv({
      ...parseEnv(read('docker/compose.env')),
      DATABASE_URL: 'postgres://elsewhere/x',
      DATABASE_PASSWORD: 'ab/cd+ef=@#',
      PUBLIC_URL: 'https://marshal.example',
      ...decided,
    });
    expect(env).toMatchObject({
      DATABASE_URL: 'postgresql://marshal:ab%2Fcd%2Bef%3D%40%23@database:5432/marshal',
      PUBLIC_URL: 'https://marshal.example',
      TRUST_PROXY: 1,
      BACKUP_DIR: '/data/backups',
    });
  });

  test('.env.example sets nothing until a line is changed, so that a copy keeps the defaults of compose.env', () => {
    expect(parseEnv(read('.env.example'))).toEqual({});
  });
});
