import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerableError } from '#server/http/errors.ts';
import { AppError } from '#server/platform/errors.ts';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
/** An error as http-errors creates it for Express, its middleware and `send`. */
const fromFramework = (status: number, more: object = {}) =>
  Object.assign(new Error('x'), { status, statusCode: status, expose: true, ...more });
const wrapped = (cause: unknown) => new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'wrapped', cause });

function refusedInput(): unknown {
  const { error } = z.object({ name: z.string({ error: 'Call sign is required' }) }).safeParse({});
  return new TRPCError({ code: 'BAD_REQUEST', cause: error });
}

describe('every thrown value becomes a code, a status and a sentence', () => {
  test.each([
    [
      'a rule that says no',
      new AppError('NO_SEAT_FREE', 'No seat is free; you remain on standby.'),
      409,
      'NO_SEAT_FREE',
      'No seat is free; you remain on standby.',
    ],
    [
      'the same, wrapped by tRPC',
      wrapped(new AppError('ORDER_EXPIRED', 'This frag order has expired.')),
      410,
      'ORDER_EXPIRED',
      'This frag order has expired.',
    ],
    ['invalid input', refusedInput(), 400, 'VALIDATION', 'Call sign is required'],
    [
      'a lost connection',
      withCode('ECONNREFUSED'),
      503,
      'DATABASE_UNAVAILABLE',
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a socket that is not there',
      wrapped(withCode('ENOENT')),
      503,
      'DATABASE_UNAVAILABLE',
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a database that shuts down',
      withCode('57P01'),
      503,
      'DATABASE_UNAVAILABLE',
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      // PostgreSQL has no code of its own for it
      'a disk that has become read-only',
      wrapped(withCode('42501', 'could not open file "base/16385/17368": Read-only file system')),
      503,
      'DATABASE_UNAVAILABLE',
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a statement that took too long',
      withCode('57014'),
      503,
      'DATABASE_UNAVAILABLE',
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a deadlock that did not end',
      withCode('40P01'),
      503,
      'BUSY',
      'Someone else changed this at the same moment. Please try again.',
    ],
    [
      'a constraint nobody explained',
      Object.assign(withCode('23505'), { constraint: 'any_key' }),
      409,
      'CONFLICT',
      'Someone else changed this at the same moment. Please try again.',
    ],
    ['a body that is too large', fromFramework(413), 413, 'BODY_TOO_LARGE', 'The request is too large'],
    [
      'a body that is no JSON',
      fromFramework(400, { type: 'entity.parse.failed' }),
      400,
      'BAD_REQUEST',
      'The request body is not valid JSON',
    ],
    [
      'a file that has changed',
      fromFramework(412),
      412,
      'PRECONDITION_FAILED',
      'This file has changed in the meantime',
    ],
    [
      'a part that a file does not have',
      fromFramework(416),
      416,
      'RANGE_NOT_SATISFIABLE',
      'This file has no such part',
    ],
    ['a status without a sentence of its own', fromFramework(406), 406, 'BAD_REQUEST', 'The request could not be read'],
    ['a code of tRPC without our own', new TRPCError({ code: 'UNSUPPORTED_MEDIA_TYPE' }), 415, 'NOT_JSON', /JSON/],
    ...['25006', '57P03', '57P05', '08006', '53100', '58030'].map(
      (code) =>
        [
          `a database that says ${code}`,
          withCode(code),
          503,
          'DATABASE_UNAVAILABLE',
          /^The database is not available/,
        ] as const,
    ),
    ['an unknown procedure', new TRPCError({ code: 'NOT_FOUND' }), 404, 'NOT_FOUND', 'Not found'],
  ] as const)('%s', (_title, error, status, code, message) => {
    const sentence = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(answerableError(error)).toMatchObject({ code, status, message: sentence, isBug: false });
  });

  test.each([
    ['a plain bug', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['SQL that is wrong', withCode('42601', 'syntax error at or near "slect"')],
    [
      'an output that does not fit its schema',
      new TRPCError({
        code: 'INTERNAL_SERVER_ERROR',
        message: 'Output validation failed',
        cause: z.string().safeParse(1).error,
      }),
    ],
    ['a thrown string', 'boom'],
    ["the status of another service's response", Object.assign(new Error('Unknown Channel'), { status: 404 })],
    ['an invalid status', fromFramework(1)],
  ])('%s is masked', (_title, error) => {
    expect(answerableError(error)).toEqual({
      code: 'INTERNAL',
      status: 500,
      message: 'Unknown error occurred',
      isBug: true,
    });
  });
});
