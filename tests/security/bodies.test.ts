/** Bodies of requests: those of visitors' calls are small, and deep nesting is refused before it costs anything. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '#server/http/routers/app.ts';
import { restRequest, TRANSPORTS, type Transport } from '#tests/harness/transports.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
const lines: string[] = [];
beforeAll(async () => {
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  service = await startService({ logTo });
});
afterAll(() => service.stop());

const definition = z.object({
  _def: z.object({
    type: z.string(),
    meta: z.object({ policy: z.string() }),
    inputs: z.array(z.custom<z.ZodType>((input) => input instanceof z.ZodType)),
  }),
});
/** Writes that anybody may send, each with its inputs. */
const VISITORS = Object.entries(appRouter._def.procedures).flatMap(([name, procedure]) => {
  const { type, meta, inputs } = definition.parse(Object.assign({}, procedure))._def;
  return type === 'mutation' && meta.policy === 'public' ? [{ name, inputs }] : [];
});

const refusal = z.union([
  z.object({ code: z.string(), message: z.string() }),
  z
    .object({ error: z.object({ message: z.string(), data: z.object({ refusal: z.string() }) }) })
    .transform(({ error }) => ({ code: error.data.refusal, message: error.message })),
]);

const ID = '0192c0de-0000-7000-8000-000000000000';

async function send(transport: Transport, procedure: string, body: string, { batch = false } = {}) {
  const path =
    transport === 'rest'
      ? `/api/v1${restRequest(procedure, { id: ID }).path}`
      : `/trpc/${procedure}${batch ? '?batch=1' : ''}`;
  const headers = { origin: service.url, 'content-type': 'application/json' };
  const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
  const answer: unknown = await response.json();
  const parsed = refusal.safeParse(Array.isArray(answer) ? answer[0] : answer);
  return { status: response.status, ...(parsed.success ? parsed.data : { code: null, message: null }) };
}

const TOO_LARGE = { status: 413, code: 'BODY_TOO_LARGE', message: 'The request is too large' };
/** A register of passwords and names in any script, a visitor's notes, and the signature of a passkey need more. */
const ROOMY: ReadonlySet<string> = new Set(['auth.register', 'auth.requestSlot', 'auth.secondFactor.finish']);

describe.each(TRANSPORTS)('by %s', (transport) => {
  test.each(VISITORS)('$name takes 4 KB of a visitor, or 8 KB where its text needs them', async ({ name }) => {
    const bytes = (ROOMY.has(name) ? 8 : 4) * 1024;
    const body = (length: number) => JSON.stringify({ unknown: 'x'.repeat(length - '{"unknown":""}'.length) });
    expect(await send(transport, name, body(bytes + 1))).toEqual(TOO_LARGE);
    expect(await send(transport, name, body(bytes))).not.toMatchObject({ status: 413 });
  });

  test.each([
    ['lists', '['.repeat(30_000), ']'.repeat(30_000)],
    ['objects', '{"a":'.repeat(10_000), `1${'}'.repeat(10_000)}`],
  ])('60 KB of nested %s are refused with a sentence, and are no bug', async (_kind, open, close) => {
    lines.length = 0;
    const refused = { status: 400, code: 'BAD_REQUEST', message: 'The request body is nested too deeply' };
    const inner = `${open}${close}`;
    for (const body of [inner, `{"id":${inner}}`]) {
      expect(await send(transport, 'pilot.rsvp', body)).toEqual(refused);
    }
    if (transport === 'trpc') {
      expect(await send(transport, 'pilot.rsvp', `{"0":${inner}}`, { batch: true })).toEqual(refused);
    }
    expect(lines.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
  });

  test('brackets in a text nest nothing', async () => {
    const email = `${'[{\\"'.repeat(300)}@example.org`;
    expect(await send(transport, 'auth.login', `{"email":"${email}","password":"x"}`)).toMatchObject({
      status: 400,
      code: 'VALIDATION',
    });
  });
});

test('one call of a visitor keeps its whole batch small', async () => {
  const body = JSON.stringify({ 0: { email: 'a@example.org', password: 'x' }, 1: { unknown: 'x'.repeat(4_096) } });
  expect(await send('trpc', 'auth.login,pilot.rsvp', body, { batch: true })).toEqual(TOO_LARGE);
});

/** Bytes of the longest JSON that the schema describes, in a script whose letters take four bytes. */
function bytesAtMost(schema: unknown): number {
  const node = z
    .looseObject({
      type: z.string().optional(),
      maxLength: z.number().optional(),
      enum: z.array(z.unknown()).optional(),
      properties: z.record(z.string(), z.unknown()).optional(),
      anyOf: z.array(z.unknown()).optional(),
      pattern: z.string().optional(),
      format: z.string().optional(),
    })
    .parse(schema);
  if (node.enum) return Math.max(...node.enum.map((one) => JSON.stringify(one).length));
  if (node.anyOf) return Math.max(...node.anyOf.map(bytesAtMost));
  if (node.properties) {
    const each = Object.entries(node.properties).map(([key, value]) => `"${key}":,`.length + bytesAtMost(value));
    return each.reduce((sum, one) => sum + one, 2);
  }
  if (node.type === 'string') return 2 + (node.maxLength ?? 100) * 4;
  return 30;
}

test.each(VISITORS.filter(({ name }) => name !== 'auth.secondFactor.finish'))(
  'the longest input of $name fits',
  ({ name, inputs }) => {
    const bytes = inputs.map((input) => bytesAtMost(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })));
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual((ROOMY.has(name) ? 8 : 4) * 1024);
  },
);
