/** The process's logger (pino), with secrets redacted. */

import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { currentScope } from './request-scope.ts';

export type Log = Logger;

/** Keys that are redacted in log lines, at the top level of an object and one or two levels down. */
const SECRET_KEYS = [
  'password',
  'currentPassword',
  'newPassword',
  'confirmPassword',
  'passwordHash',
  'token',
  'secret',
  'session',
  'authorization',
  'cookie',
  '"set-cookie"',
  'connectionString',
];

const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [
  key.startsWith('"') ? `[${key}]` : key,
  key.startsWith('"') ? `*[${key}]` : `*.${key}`,
  key.startsWith('"') ? `*.*[${key}]` : `*.*.${key}`,
]);

/**
 * Create the process's logger: one JSON line per event on stdout, readable lines when stdout is a terminal.
 * Passwords, cookies, tokens and authorization headers are written as `[redacted]`.
 * @param level a pino level, or `silent`
 * @param stream where lines go; stdout by default
 */
export function createLog(level: string, stream?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    mixin: currentScope,
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  };
  if (stream) return pino(options, stream);
  if (process.stdout.isTTY) {
    return pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true }));
  }
  // with a minimum length `flush` reports when everything is written; without one it reports so at once
  return pino(options, pino.destination({ dest: 1, sync: false, minLength: 1 }));
}
