/** `GET /metrics`: who may read it, what it counts, and Prometheus's own reading of it and of the alert rules. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { givenAdmin, givenPerson } from '#tests/harness/given.ts';
import { createClient, startService, type Service } from '#tests/harness/service.ts';
import { runProgram } from '#tests/harness/sdk.ts';
import { openStream } from '#tests/harness/stream.ts';
import { query, sql } from '#server/schema/query.ts';

const MONITORING = fileURLToPath(new URL('../../../docker/monitoring', import.meta.url));
const TOKEN = 'scrape-me-if-you-know-me';
const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

let service: Service;
beforeAll(async () => {
  service = await startService({ withJobs: true });
});
afterAll(() => service.stop());

const read = (headers: Record<string, string> = {}, { url } = service) => fetch(`${url}/metrics`, { headers });
const readText = async () => (await read()).text();

/** The value of a sample by its exact name and labels, as they are printed. */
function valueOf(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? NaN : Number(line.slice(sample.length + 1));
}

describe('readers', () => {
  test('without a token: programs on this machine, but nothing that a proxy passes on', async () => {
    const found = await read();
    expect([found.status, found.headers.get('content-type'), found.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']) {
      const refused = await read({ [header]: '127.0.0.1' });
      expect([refused.status, await refused.json()]).toEqual([404, { code: 'NOT_FOUND', message: 'Not found' }]);
    }
  });

  test('with a token: whoever sends it, and nobody else', async () => {
    const guarded = await startService({ env: { METRICS_TOKEN: TOKEN } });
    const statusOf = async (headers: Record<string, string>) => (await read(headers, guarded)).status;
    expect([
      await statusOf({}),
      await statusOf({ authorization: `Bearer ${TOKEN.slice(0, -1)}` }),
      await statusOf({ authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '192.0.2.1' }),
    ]).toEqual([401, 401, 200]);
    await guarded.stop();
  });
});

describe('figures', () => {
  test('requests and calls are counted by route, status and code, whichever way they came', async () => {
    const visitor = createClient(service);
    const pilot = await givenPerson(service);
    await visitor.call('GET', `/users/${pilot.id}/standing`);
    await visitor.trpc.pilot.inbox.query().catch(() => undefined);
    await vi.waitFor(async () => {
      const text = await readText();
      expect(valueOf(text, 'marshal_call_duration_seconds_count{call="pilot.inbox",result="NOT_AUTHENTICATED"}')).toBe(
        1,
      );
    });
    const text = await readText();
    expect(text).toMatch(
      /^marshal_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/users\/:id\/standing",status="401"\} 1$/m,
    );
    expect(valueOf(text, 'marshal_call_duration_seconds_count{call="pilot.standing",result="NOT_AUTHENTICATED"}')).toBe(
      1,
    );
    // an id in a label would make a time series for every pilot
    expect(text).not.toContain(pilot.id);
  });

  test('made-up paths add one route, and no call', async () => {
    const before = (await readText()).split('\n').length;
    for (const path of ['/trpc/no.such', '/trpc/../../x', '/api/v1/none', '/wp-login.php', '/trpc/constructor']) {
      for (const end of ['', '1', '2']) await fetch(`${service.url}${path}${end}`);
    }
    const text = await readText();
    expect(text).not.toMatch(/no\.such|wp-login|constructor/);
    // `(unknown)` and `(other)`, each with a histogram
    expect(text.split('\n').length - before).toBeLessThan(60);
  });

  test('jobs: executed, due, and without attempts left', async () => {
    const em = service.app.orm.em.fork();
    await query(em, sql`select graphile_worker.add_job('maintenance', '{}'::json)`);
    await vi.waitFor(
      async () => {
        expect(
          valueOf(await readText(), 'marshal_job_duration_seconds_count{job="maintenance",result="done"}'),
        ).toBeGreaterThan(0);
      },
      { timeout: 10_000, interval: 100 },
    );
    await query(
      em,
      sql`select graphile_worker.add_job('send_mail', '{"deliveryId":"x"}'::json, run_at => now() - interval '90 seconds', job_key => 'due'),
                 graphile_worker.add_job('send_mail', '{"deliveryId":"y"}'::json, max_attempts => 1, job_key => 'dead')`,
    );
    await query(em, sql`update graphile_worker._private_jobs set attempts = 1 where key = 'dead'`);
    // the figures of the database are read again after five seconds; no mail worker runs without an SMTP server
    await vi.waitFor(
      async () => {
        const text = await readText();
        expect(valueOf(text, 'marshal_queued_jobs{job="send_mail",state="dead"}')).toBe(1);
        expect(valueOf(text, 'marshal_queued_jobs{job="send_mail",state="due"}')).toBe(1);
        expect(valueOf(text, 'marshal_queue_lag_seconds{job="send_mail"}')).toBeGreaterThanOrEqual(90);
      },
      { timeout: 12_000, interval: 200 },
    );
  });

  test('open event streams and connections', async () => {
    const admin = await givenAdmin(service);
    const { token } = await service.app.sessions.create(admin.id);
    const stream = await openStream(service, `${service.app.sessions.cookieName}=${token}`);
    expect(valueOf(await readText(), 'marshal_event_streams')).toBe(1);
    stream.close();
    await vi.waitFor(async () => expect(valueOf(await readText(), 'marshal_event_streams')).toBe(0));
    expect(valueOf(await readText(), 'marshal_database_connections')).toBeGreaterThan(0);
    expect(valueOf(await readText(), 'marshal_database_up')).toBe(1);
    // without a token there is no bot to miss
    expect(valueOf(await readText(), 'marshal_bot_connected')).toBeNaN();
  });
});

test('the time of the newest backup, where backups are made', async () => {
  const made = async (env: Record<string, string>) => {
    const one = await startService({ env });
    const value = valueOf(await (await read({}, one)).text(), 'marshal_backup_made_timestamp_seconds');
    await one.stop();
    return value;
  };
  const folder = mkdtempSync(join(tmpdir(), 'marshal-metrics-'));
  expect([await made({}), await made({ BACKUP_DIR: folder })]).toEqual([NaN, NaN]);
  const names = ['2026-11-24T031700Z', '2026-11-25T031700Z', '2026-11-26T120000Z-before-restore'];
  for (const name of names) writeFileSync(join(folder, `marshal-${name}.backup`), '');
  expect(await made({ BACKUP_DIR: folder })).toBe(Date.UTC(2026, 10, 25, 3, 17) / 1000);
  rmSync(folder, { recursive: true });
});

test.runIf(HAS_PROMTOOL)('promtool reads the metrics, and the alert rules do what they say', async () => {
  // in processes of their own: a server whose thread waits for seconds closes connections in the middle of the next request
  const promtool = (...args: string[]) => runProgram('promtool', args, MONITORING);
  const folder = mkdtempSync(join(tmpdir(), 'marshal-promtool-'));
  const checkMetrics = (text: string) => {
    const file = join(folder, 'metrics.txt');
    writeFileSync(file, text);
    return runProgram('sh', ['-c', 'promtool check metrics < "$0"', file], MONITORING);
  };
  expect(await checkMetrics(await readText())).toMatchObject({ code: 0 });
  const config = await promtool('check', 'config', 'prometheus.yaml');
  expect(config.output).toContain('SUCCESS: 19 rules found');
  const rules = await promtool('test', 'rules', 'alerts.test.yaml');
  expect(rules.output).toContain('SUCCESS');
  // the same programs find what is wrong
  const wrong = await checkMetrics('no metric');
  expect(wrong.code).not.toBe(0);
  rmSync(folder, { recursive: true });
});

test('every metric of the alerts and the dashboard exists', async () => {
  const known = new Set([...(await readText()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const files = ['alerts.yaml', 'dashboard.json']
    .map((file) => readFileSync(`${MONITORING}/${file}`, 'utf8'))
    .join('\n');
  const used = new Set(
    [...files.matchAll(/\b(?:marshal|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count)$/, '')),
  );
  expect(used.size).toBeGreaterThan(12);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
});
