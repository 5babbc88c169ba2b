/** OpenTelemetry traces, as a collector receives them: the service runs as a process of its own, with the real exporter. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTraces, withoutValues } from '#server/platform/traces.ts';
import { givenPerson, PASSWORD, type Person } from '#tests/harness/given.ts';
import { startService, type Service } from '#tests/harness/service.ts';

/** A span in OTLP's JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

let bodies = '';
const spans: Span[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    bodies += body;
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

let service: Service;
let person: Person;
let stopTraces: () => Promise<void>;
beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  stopTraces = await startTraces(endpoint);
  service = await startService({ withJobs: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  person = await givenPerson(service);
});
afterAll(async () => {
  await service.stop();
  collector.close();
});

const attribute = (span: Span | undefined, key: string) =>
  span?.attributes.find((one) => one.key === key)?.value.stringValue;
const inTrace = () => spans.filter(({ traceId }) => traceId === TRACE);

test("a request, its call, its statements and its jobs are one trace, which continues the caller's", async () => {
  const { sessions, metrics } = service.app;
  const { token } = await sessions.create(person.id);
  const answer = await fetch(`${service.url}/api/v1/users/${person.id}/status`, {
    method: 'PUT',
    headers: {
      origin: service.url,
      cookie: `${sessions.cookieName}=${token}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({ state: 'dnd' }),
  });
  expect(answer.status).toBe(200);
  await vi.waitFor(
    async () => {
      const done = await metrics.jobs.get();
      expect(done.values.some(({ labels }) => labels.job === 'backfill_pilot')).toBe(true);
    },
    { timeout: 10_000, interval: 50 },
  );
  await fetch(`${service.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@example.org', password: PASSWORD }),
  });
  // sends what is left
  await stopTraces();

  const request = inTrace().find(({ kind }) => kind === 2);
  expect(request).toMatchObject({ name: 'PUT /api/v1/users/:id/status', parentSpanId: CALLER });
  expect(attribute(request, 'marshal.request_id')).toBe(answer.headers.get('x-request-id'));
  const call = inTrace().find(({ name }) => name === 'pilot.setStatus');
  expect(call?.parentSpanId).toBe(request?.spanId);
  expect(attribute(call, 'marshal.result')).toBe('OK');
  const job = inTrace().find(({ name }) => name === 'backfill_pilot');
  expect(job?.kind).toBe(5);
  const statements = inTrace().filter((span) => attribute(span, 'db.system.name') === 'postgresql');
  const parents = new Set(statements.map(({ parentSpanId }) => parentSpanId));
  expect([parents.has(call?.spanId), parents.has(job?.spanId)]).toEqual([true, true]);
  expect(statements.some((span) => /pilot_status/.test(attribute(span, 'db.query.text') ?? ''))).toBe(true);
});

test('what was sent has no values: no id, address, password or token', () => {
  expect(spans.some(({ name }) => name === 'POST /api/v1/auth/login')).toBe(true);
  // signing in writes an audit entry with the address, the device and the account
  expect(spans.some((span) => /insert into "audit_entry"/.test(attribute(span, 'db.query.text') ?? ''))).toBe(true);
  const secrets = [person.id, person.email, 'nobody@example.org', PASSWORD, '127.0.0.1', 'Node.js'];
  expect(secrets.filter((secret) => bodies.includes(secret))).toEqual([]);
});

test('values are taken out of a statement, and its parameters and names stay', () => {
  expect(
    withoutValues(`select "u0".*, 'it''s' from "t1" as "u0" where id = '7' and n > 2.5 and m = $12 limit 20`),
  ).toBe(`select "u0".*, ? from "t1" as "u0" where id = ? and n > ? and m = $12 limit ?`);
});
