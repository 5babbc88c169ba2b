/** The REST adapter: path, query and body become one input for the procedures that tRPC serves too. */
import { Router, type Request, type Response } from 'express';
import { readJson } from '#server/http/bodies.ts';
import type { RequestContext } from '#server/http/context.ts';
import { answerableError } from '#server/http/errors.ts';
import { bodyLimitOf } from '#server/http/trpc.ts';
import { AppError, isNotModified } from '#server/platform/errors.ts';
import { createCaller, metaOf } from '#server/http/routers/app.ts';
import { copy } from '#shared/copy.ts';
import { refuseMethod, setAnswerHeaders } from './answer-headers.ts';
import { CSV_ANSWERS, sendCsv } from './csv.ts';
import { REST_TABLE, type Row } from './read-operations.ts';

type Call = (input: unknown) => Promise<unknown>;

/** A procedure of the tRPC caller by its dotted name. */
function findProcedure(caller: object, name: string): Call {
  let found: unknown = caller;
  for (const part of name.split('.')) {
    found =
      (typeof found === 'object' || typeof found === 'function') && found !== null
        ? Reflect.get(found, part)
        : undefined;
  }
  if (typeof found !== 'function') throw new Error(`The REST table names an unknown procedure: ${name}`);
  return (input) => Promise.resolve(Reflect.apply(found, undefined, [input]));
}

/** One input from all parts. Path wins over body and body over query, so that a body cannot address another object. */
function readInput(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new AppError('BAD_REQUEST', copy.invalidInput);
  }
  return { ...request.query, ...body, ...request.params };
}

/** Send an error: status, code, sentence, and from status 500 on the request's id for a bug report. */
export function sendError(response: Response, error: unknown, requestId: string): void {
  const { code, status, message, issues, states, retryAfterSeconds, headers = {} } = answerableError(error);
  // RFC 9110, 15.5.2: every 401 names a way to sign in. Browsers show no password prompt for Bearer.
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="Marshal"');
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  response
    .set(headers)
    .status(status)
    .json({
      code,
      message,
      ...(issues ? { issues } : {}),
      ...(states ? { states } : {}),
      ...(status >= 500 ? { requestId } : {}),
    });
}

/** Set the ETag that a procedure has given its answer. Not sooner: an error must not have it, or would be answered by 304. */
function sendTag(response: Response): void {
  const tag: unknown = response.locals.tag;
  if (typeof tag === 'string') response.set({ ETag: tag, 'Cache-Control': 'private, no-cache' });
}

const isPolled = ([, , name]: Row): boolean => metaOf(name)?.isPolled === true;

/** The kinds of a path's segments: '0' for a word, '1' for a parameter. */
const kindsOf = ([, path]: Row): string =>
  path.replaceAll(/\/(:?)[^/]+/g, (_segment, colon: string) => (colon ? '1' : '0'));

/**
 * Express tries one route after the other, and most requests are polled reads. A word comes before a parameter in its place:
 * `/users/dev-token` before `/users/:id`.
 */
const inRouteOrder = (one: Row, other: Row): number =>
  Number(isPolled(other)) - Number(isPolled(one)) || kindsOf(one).localeCompare(kindsOf(other));

/**
 * @param contextOf creates the request's context; rejects when the database is unavailable
 * @param onError is called with every error before the answer is sent
 */
export function createRestRouter(
  contextOf: (request: Request, response: Response) => Promise<RequestContext>,
  onError: (error: unknown, request: Request) => void,
): Router {
  const rest = Router();
  // before the routes: Express would answer OPTIONS from the first one that fits
  rest.options('/{*path}', refuseMethod);
  for (const [method, path, procedure, status] of REST_TABLE.toSorted(inRouteOrder)) {
    rest[method](path, readJson(bodyLimitOf(metaOf(procedure))), async (request, response) => {
      try {
        const context = await contextOf(request, response);
        const call = findProcedure(createCaller(context), procedure);
        const answer = await call(readInput(request));
        setAnswerHeaders(request, response, procedure, answer);
        sendTag(response);
        const csv = CSV_ANSWERS[procedure];
        if (csv) response.vary('Accept');
        if (csv && request.accepts(['json', 'csv']) === 'csv') sendCsv(response, csv, answer);
        else response.status(status).json(answer);
      } catch (error) {
        if (isNotModified(error)) {
          sendTag(response);
          response.status(304).end();
          return;
        }
        onError(error, request);
        sendError(response, error, String(response.getHeader('X-Request-Id')));
      }
    });
  }
  rest.use(refuseMethod);
  return rest;
}
