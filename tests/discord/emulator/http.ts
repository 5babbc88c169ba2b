/** The emulated REST API: routes, authentication, validation, planted faults, and a record of every request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkAnswer, checkRequest, readBody } from './contract.ts';
import { DiscordError, invalidForm, LimitError, refusals } from './errors.ts';
import type { Faults } from './faults.ts';
import type { OAuth } from './oauth.ts';
import type { Rates } from './rates.ts';
import type { Answer, Call, Route } from './routes/route.ts';
import type { Person, World } from './state.ts';
import type { FaultSpec, RecordedRequest } from './types.ts';

const API_PATH = /^\/api(?:\/v\d+)?(?=\/)/;
const VERSIONED = /^\/api\/v10\//;
const SNOWFLAKE = /^(0|[1-9]\d{0,19})$/;
/** The header that Discord requires of every client. */
const USER_AGENT = /^DiscordBot \(\S+, [^)]+\)/;

export function createRest(
  world: World,
  routes: readonly Route[],
  { faults, oauth, rates }: { faults: Faults; oauth: OAuth; rates: Rates },
): (request: IncomingMessage, response: ServerResponse, text: string) => void {
  const patterns = routes
    .map((route) => ({ route, pattern: patternOf(route.path) }))
    // a fixed word goes before a parameter
    .sort((a, b) => a.route.path.split('{').length - b.route.path.split('{').length);

  function find(method: string, path: string): { route: Route; params: Record<string, string> } {
    for (const { route, pattern } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match !== null) return { route, params: { ...match.groups } };
    }
    world.violate(`${method} ${path}: no such call is known here`);
    throw refusals.notFound();
  }

  /** @throws DiscordError 401 */
  function whoAsks(request: IncomingMessage, route: Route, name: string): Person | null {
    const { authorization } = request.headers;
    if (route.access === 'token') return null;
    if (authorization === `Bot ${world.token}`) {
      if (!USER_AGENT.test(request.headers['user-agent'] ?? '')) {
        world.violate(`${name}: the User-Agent is not "DiscordBot (address, version)"`);
      }
      return null;
    }
    if (authorization === undefined) world.violate(`${name}: without Authorization`);
    const person = authorization?.startsWith('Bearer ') ? oauth.personOfToken(authorization.slice(7)) : null;
    if (route.access !== 'any' || person === null) throw refusals.unauthorized();
    return person;
  }

  function perform(request: IncomingMessage, path: string, query: URLSearchParams, text: string): Answer {
    const method = request.method ?? 'GET';
    let specified = path;
    let headers: Record<string, string> = {};
    try {
      const { route, params } = find(method, path);
      specified = route.path;
      const person = whoAsks(request, route, `${method} ${specified}`);
      const taken = rates.take(method, specified, params);
      ({ headers } = taken);
      if (taken.refusal !== null) {
        checkAnswer(world, `${method} ${specified}`, 429, taken.refusal.body);
        return taken.refusal;
      }
      checkEnvelope(world, request, `${method} ${specified}`, params, query, text);
      const call: Call = { params, query, person, body: readBody(world, `${method} ${specified}`, text) };
      checkRequest(world, `${method} ${specified}`, call.body);
      const { body, status = body === undefined ? 204 : 200 } = route.handle(world, call);
      checkAnswer(world, `${method} ${specified}`, status, body);
      return { status, body, headers };
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error;
      const { status, code, message, errors } = error;
      const isLimit = error instanceof LimitError;
      const body = {
        message,
        code,
        ...(errors === undefined ? {} : { errors }),
        ...(isLimit ? { retry_after: error.retryAfterMs / 1000, global: false } : {}),
      };
      checkAnswer(world, `${method} ${specified}`, status, body);
      return { status, body, headers: isLimit ? limitHeaders(headers) : headers };
    }
  }

  return (request, response, text) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const path = decodeURIComponent(url.pathname.replace(API_PATH, ''));
    const method = request.method ?? 'GET';
    const isSecret = path.startsWith('/oauth2/');
    const record: RecordedRequest = {
      method,
      path,
      // codes, secrets and verifiers are left out of the record
      query: isSecret ? '' : url.search,
      body: isSecret ? null : parsed(text),
      status: null as number | null,
      atMs: Date.now(),
    };
    world.requests.push(record);
    const banned = rates.ban();
    if (banned !== null) {
      record.status = send(response, banned);
      world.changed();
      return;
    }
    const fault = faults.take(method, path);
    try {
      // a fault that strikes before leaves the work undone
      const isDone = fault === null || fault.when === 'after';
      const answer = isDone
        ? (oauth.answer(request, path, url.searchParams, text) ?? perform(request, path, url.searchParams, text))
        : null;
      const sent = fault === null ? answer : spoil(response, fault);
      if (fault !== null && sent !== null) checkAnswer(world, `${method} ${path}`, sent.status ?? 200, sent.body);
      record.status = sent === null ? null : send(response, sent);
      if (record.status !== null) rates.answered(record.status, sent?.headers?.['x-ratelimit-scope']);
    } catch (error) {
      // a fault of the emulator, not of the client: fail loudly
      world.violate(`${method} ${path}: the emulator failed: ${error instanceof Error ? error.stack : String(error)}`);
      send(response, { status: 500, body: { message: '500: Internal Server Error', code: 0 } });
    }
    world.changed();
  };
}

/** The response in place of the normal one; null: none, and the connection may be cut. */
function spoil(response: ServerResponse, fault: FaultSpec): Answer | null {
  switch (fault.kind) {
    case 'drop':
      response.socket?.destroy();
      return null;
    case 'hang':
      return null;
    case 'rate limit': {
      const seconds = fault.retryAfterSeconds ?? 1;
      const headers = {
        'retry-after': String(Math.ceil(seconds)),
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.now() / 1000 + seconds),
        'x-ratelimit-reset-after': String(seconds),
        'x-ratelimit-bucket': 'emulated',
        'x-ratelimit-scope': 'user',
      };
      const body = { message: 'You are being rate limited.', code: 0, retry_after: seconds, global: false };
      return { status: 429, headers, body };
    }
    case 'status': {
      const status = fault.status ?? 500;
      const message = fault.message ?? (status >= 500 ? `${status}: Internal Server Error` : 'Refused');
      return { status, body: { message, code: fault.code ?? 0 } };
    }
  }
}

/** Of a limit beside the bucket, which others share. @param headers of the bucket */
function limitHeaders(headers: Record<string, string>): Record<string, string> {
  const seconds = Math.ceil(Number(headers['x-ratelimit-reset-after'] ?? 1));
  return { ...headers, 'retry-after': String(seconds), 'x-ratelimit-scope': 'shared' };
}

/** @returns the status */
function send(response: ServerResponse, { body, page, headers = {}, status = 200 }: Answer): number {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (page !== undefined) response.setHeader('content-type', 'text/html; charset=utf-8');
  else if (body !== undefined) response.setHeader('content-type', 'application/json');
  response.end(page ?? (body === undefined ? undefined : JSON.stringify(body)));
  return status;
}

/** Checks a call's version, ids and content type. @throws DiscordError 50035 */
function checkEnvelope(
  world: World,
  request: IncomingMessage,
  name: string,
  params: Record<string, string>,
  query: URLSearchParams,
  text: string,
): void {
  if (!VERSIONED.test(request.url ?? '')) world.violate(`${name}: without the version in its address`);
  if (text !== '' && !request.headers['content-type']?.startsWith('application/json')) {
    world.violate(`${name}: the body is not application/json`);
    throw invalidForm('', 'CONTENT_TYPE_INVALID', 'Expected "Content-Type" header to be application/json.');
  }
  const ids = Object.entries(params).filter(([key]) => key.endsWith('_id'));
  const marks = ['before', 'after', 'around'].flatMap((key) => query.getAll(key).map((value) => [key, value] as const));
  for (const [key, value] of [...ids, ...marks]) {
    if (SNOWFLAKE.test(value)) continue;
    world.violate(`${name}: ${key}: "${value}" is no snowflake`);
    throw invalidForm(key, 'NUMBER_TYPE_COERCE', `Value "${value}" is not snowflake.`);
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
