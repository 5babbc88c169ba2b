/** Any operation by REST or tRPC from one untyped input, including input that typed clients would not send. */
import { z } from 'zod';
import { REST_TABLE } from '#server/http/rest/read-operations.ts';
import { refusalCode, type RefusalCode } from '#shared/refusals.ts';
import { appRouter } from '#server/http/routers/app.ts';
import type { Service } from './service.ts';

export const TRANSPORTS = ['rest', 'trpc'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface Reply {
  status: number;
  /** the code of a refusal; null for a success */
  code: RefusalCode | null;
  /** the sentence of a refusal; null for a success */
  message: string | null;
  /** the answer itself, without tRPC's envelope */
  body: unknown;
  headers: Headers;
}

/** Number, not text: JSON that reads as Infinity. */
const ENDLESS = '1e999';

/** JSON as a stranger would write it: NUL, lone surrogates and infinity included. */
export function toJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, one: unknown) => (one === Infinity ? `@@${ENDLESS}` : one)).replaceAll(
    `"@@${ENDLESS}"`,
    ENDLESS,
  );
}

/** Percent-encoding that takes lone surrogates too, as three bytes that are no UTF-8. */
export function encode(text: string): string {
  return Array.from(text, (character) =>
    character.isWellFormed()
      ? encodeURIComponent(character)
      : `%ED%${(0x80 | ((character.charCodeAt(0) >> 6) & 0x3f)).toString(16)}%${(0x80 | (character.charCodeAt(0) & 0x3f)).toString(16)}`,
  ).join('');
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : toJson(value));

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The REST call of a procedure with this input: path, then body or query. */
export function restRequest(procedure: string, input: unknown): { method: string; path: string; body?: string } {
  const row = REST_TABLE.find(([, , name]) => name === procedure);
  if (!row) throw new Error(`${procedure} has no row in the REST table`);
  const [method, template] = row;
  const fields = Object.fromEntries(
    Object.entries(isRecord(input) ? input : {}).filter(([, one]) => one !== undefined),
  );
  const path = template.replace(/:(\w+)/g, (_match, name: string) => {
    const value = fields[name];
    delete fields[name];
    return encode(asText(value ?? ''));
  });
  if (method === 'get' || method === 'delete') {
    const query = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one: unknown) => `${encode(name)}=${encode(asText(one))}`),
    );
    return { method, path: query.length === 0 ? path : `${path}?${query.join('&')}` };
  }
  return { method, path, body: toJson(isRecord(input) || input === undefined ? fields : input) };
}

const typeOf = (procedure: string): string => {
  const found: unknown = Reflect.get(appRouter._def.procedures, procedure);
  return z.object({ _def: z.object({ type: z.string() }) }).parse(Object.assign({}, found))._def.type;
};

const restRefusal = z.object({ code: refusalCode, message: z.string() });
const trpcRefusal = z
  .object({ error: z.object({ message: z.string(), data: z.object({ refusal: refusalCode }) }) })
  .transform(({ error }) => ({ code: error.data.refusal, message: error.message }));
const trpcSuccess = z.object({ result: z.object({ data: z.unknown() }) });

/** @throws ZodError for a refusal without a sentence, or without a code of the list */
export function readRefusal(transport: Transport, answer: unknown): { code: RefusalCode; message: string } {
  return transport === 'rest' ? restRefusal.parse(answer) : trpcRefusal.parse(answer);
}

const NO_REFUSAL = { code: null, message: null };

/** A caller: the Cookie header of a browser ('' for a visitor), or the access token of a script, which sends no Origin. */
type Caller = string | { token: string };

function headersOf(service: Pick<Service, 'url'>, caller: Caller): Record<string, string> {
  if (typeof caller !== 'string') return { authorization: `Bearer ${caller.token}` };
  return { origin: service.url, ...(caller === '' ? {} : { cookie: caller }) };
}

/** Ask the service for one procedure. */
export async function ask(
  service: Pick<Service, 'url'>,
  transport: Transport,
  procedure: string,
  input: unknown,
  caller: Caller = '',
): Promise<Reply> {
  const headers = headersOf(service, caller);
  if (transport === 'rest') {
    const { method, path, body } = restRequest(procedure, input);
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: method.toUpperCase(),
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    const refusal = response.ok ? NO_REFUSAL : readRefusal(transport, answer);
    return { status: response.status, ...refusal, body: answer, headers: response.headers };
  }
  const isQuery = typeOf(procedure) === 'query';
  const query = isQuery && input !== undefined ? `?input=${encode(toJson(input))}` : '';
  const response = await fetch(`${service.url}/trpc/${procedure}${query}`, {
    method: isQuery ? 'GET' : 'POST',
    headers: isQuery ? headers : { ...headers, 'content-type': 'application/json' },
    body: isQuery || input === undefined ? undefined : toJson(input),
  });
  const { status, headers: answered } = response;
  const answer: unknown = await response.json();
  const success = trpcSuccess.safeParse(answer);
  if (success.success) return { status, ...NO_REFUSAL, body: success.data.result.data, headers: answered };
  return { status, ...readRefusal(transport, answer), body: answer, headers: answered };
}
