/** Discord's REST interface: finds the route, checks who asks and what they say, lets faults happen, records everything. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkAnswer, checkRequest, readBody } from './contract.ts';
import { DiscordError, refusals } from './errors.ts';
import type { Faults } from './faults.ts';
import type { Answer, Call, Route } from './routes/route.ts';
import type { Person, World } from './state.ts';
import type { FaultSpec } from './types.ts';

const API_PATH = /^\/api(?:\/v\d+)?(?=\/)/;
/** What Discord asks of every client. */
const USER_AGENT = /^DiscordBot \(\S+, [^)]+\)/;

/** @param personOfToken whom an access token of OAuth2 stands for */
export function createRest(
  world: World,
  routes: readonly Route[],
  faults: Faults,
  personOfToken: (token: string) => Person | null,
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
    const person = authorization?.startsWith('Bearer ') ? personOfToken(authorization.slice(7)) : null;
    if (route.access !== 'any' || person === null) throw refusals.unauthorized();
    return person;
  }

  function perform(request: IncomingMessage, path: string, query: URLSearchParams, text: string): Required<Answer> {
    const method = request.method ?? 'GET';
    let specified = path;
    try {
      const { route, params } = find(method, path);
      specified = route.path;
      const person = whoAsks(request, route, `${method} ${specified}`);
      const call: Call = { params, query, person, body: readBody(world, `${method} ${specified}`, text) };
      checkRequest(world, `${method} ${specified}`, call.body);
      const { body, status = body === undefined ? 204 : 200 } = route.handle(world, call);
      checkAnswer(world, `${method} ${specified}`, status, body);
      return { status, body };
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error;
      const { status, code, message, errors } = error;
      const body = { message, code, ...(errors === undefined ? {} : { errors }) };
      checkAnswer(world, `${method} ${specified}`, status, body);
      return { status, body };
    }
  }

  return (request, response, text) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const path = decodeURIComponent(url.pathname.replace(API_PATH, ''));
    const method = request.method ?? 'GET';
    const record = {
      method,
      path,
      query: url.search,
      body: parsed(text),
      status: null as number | null,
      atMs: Date.now(),
    };
    world.requests.push(record);
    const fault = faults.take(method, path);
    try {
      const done = fault !== null && fault.when !== 'after' ? null : perform(request, path, url.searchParams, text);
      record.status = fault === null && done !== null ? done.status : spoil(response, fault, done);
      if (fault === null && done !== null) send(response, done);
    } catch (error) {
      // a mistake in here, not in who asks: loud
      world.violate(`${method} ${path}: the emulator failed: ${error instanceof Error ? error.stack : String(error)}`);
      send(response, { status: 500, body: { message: '500: Internal Server Error', code: 0 } });
    }
    world.changed();
  };
}

/** @returns the status that went out; null when none did */
function spoil(response: ServerResponse, fault: FaultSpec | null, done: Required<Answer> | null): number | null {
  switch (fault?.kind) {
    case undefined:
      return done?.status ?? null;
    case 'drop':
      response.socket?.destroy();
      return null;
    case 'hang':
      return null;
    case 'rate limit': {
      const seconds = fault.retryAfterSeconds ?? 1;
      response.setHeader('retry-after', String(Math.ceil(seconds)));
      response.setHeader('x-ratelimit-limit', '5');
      response.setHeader('x-ratelimit-remaining', '0');
      response.setHeader('x-ratelimit-reset', String(Date.now() / 1000 + seconds));
      response.setHeader('x-ratelimit-reset-after', String(seconds));
      response.setHeader('x-ratelimit-bucket', 'emulated');
      response.setHeader('x-ratelimit-scope', 'user');
      const body = { message: 'You are being rate limited.', retry_after: seconds, global: false };
      send(response, { status: 429, body });
      return 429;
    }
    case 'status': {
      const status = fault.status ?? 500;
      const message = fault.message ?? (status >= 500 ? `${status}: Internal Server Error` : 'Refused');
      send(response, { status, body: { message, code: fault.code ?? 0 } });
      return status;
    }
  }
}

function send(response: ServerResponse, { status, body }: Required<Answer>): void {
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
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
