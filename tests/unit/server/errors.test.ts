import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError, publicError } from '#server/errors.ts';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const wrapped = (cause: unknown) => new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'wrapped', cause });

function refusedInput(): unknown {
  const { error } = z.object({ name: z.string({ error: 'Call sign is required' }) }).safeParse({});
  return new TRPCError({ code: 'BAD_REQUEST', cause: error });
}

describe('everything thrown becomes a status and a sentence', () => {
  test.each([
    [
      'a rule that says no',
      new AppError(409, 'No seat is free; you remain on standby.'),
      409,
      'No seat is free; you remain on standby.',
    ],
    [
      'the same, wrapped by tRPC',
      wrapped(new AppError(410, 'This frag order has expired.')),
      410,
      'This frag order has expired.',
    ],
    ['input that does not fit', refusedInput(), 400, 'Call sign is required'],
    [
      'a lost connection',
      withCode('ECONNREFUSED'),
      503,
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a socket that is not there',
      wrapped(withCode('ENOENT')),
      503,
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a database that shuts down',
      withCode('57P01'),
      503,
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a statement that took too long',
      withCode('57014'),
      503,
      'The database is not available right now. Please try again in a moment.',
    ],
    [
      'a deadlock that did not end',
      withCode('40P01'),
      503,
      'Somebody else changed this at the same moment. Please try again.',
    ],
    [
      'a constraint nobody explained',
      Object.assign(withCode('23505'), { constraint: 'any_key' }),
      409,
      'Somebody else changed this at the same moment. Please try again.',
    ],
    ['a body that is too large', Object.assign(new Error('x'), { status: 413 }), 413, 'The request is too large'],
    [
      'a body that is no JSON',
      Object.assign(new Error('Unexpected token'), { status: 400, type: 'entity.parse.failed' }),
      400,
      'The request body is not valid JSON',
    ],
    ['an unknown procedure', new TRPCError({ code: 'NOT_FOUND' }), 404, 'Not found'],
  ])('%s', (_title, error, status, message) => {
    expect(publicError(error)).toMatchObject({ status, message, isBug: false });
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
    ['something that is no error', 'boom'],
  ])('%s is masked', (_title, error) => {
    expect(publicError(error)).toEqual({ status: 500, message: 'Unknown error occurred', isBug: true });
  });
});
