/** Request bodies: JSON of a limited size and depth, both checked before it is parsed. */
import express, { type RequestHandler } from 'express';
import { AppError } from '#server/platform/errors.ts';
import { metaOf } from '#server/http/routers/app.ts';
import { copy } from '#shared/copy.ts';
import { BODY_BYTES, BODY_DEPTH_MAX } from '#shared/limits.ts';
import { isNestedBeyond } from './rules/json-depth.ts';
import { bodyLimitOf } from './trpc.ts';

/**
 * A JSON object or list. Lists within thousands of lists cost more than any other input to parse, and tRPC, which writes the
 * body as text again, fails at them.
 */
function parse(body: string): object {
  if (isNestedBeyond(body, BODY_DEPTH_MAX)) throw new AppError('BAD_REQUEST', copy.bodyTooDeep);
  let value: unknown;
  try {
    // chunks may hold nothing
    value = body === '' ? {} : JSON.parse(body);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null) throw new AppError('BAD_REQUEST', copy.unreadableBody);
  return value;
}

function createReader(limit: number): RequestHandler {
  const readText = express.text({ type: 'application/json', limit });
  return (request, response, next) =>
    readText(request, response, (error?: unknown) => {
      const body: unknown = request.body;
      if (error !== undefined || typeof body !== 'string') return next(error);
      try {
        request.body = parse(body);
        next();
      } catch (refusal) {
        next(refusal);
      }
    });
}

const readers = new Map<number, RequestHandler>();

/** Reads and parses a JSON body. @param limit in bytes */
export function readJson(limit: number): RequestHandler {
  const reader = readers.get(limit) ?? createReader(limit);
  readers.set(limit, reader);
  return reader;
}

/** Reads the body of tRPC calls. A visitor's call keeps its whole batch small; otherwise the largest limit counts. */
export const readCallsBody: RequestHandler = (request, response, next) => {
  const names = decodeURIComponent(request.path).slice(1).split(',');
  const limits = names.map((name) => bodyLimitOf(metaOf(name)));
  const least = Math.min(...limits);
  readJson(least < BODY_BYTES.usual ? least : Math.max(...limits))(request, response, next);
};
