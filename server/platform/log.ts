/** The process's logger (pino), with secrets redacted. */

import { Writable } from 'node:stream';
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

/** Everything that a terminal obeys, except line breaks, tabs and the colours of these lines. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const CONTROL = /(?!\x1b\[\d+m)[^\P{Cc}\n\t]/gu;

/**
 * Lines for people at a terminal. The stack of an error quotes what it was about, which may be a stranger's text: its control
 * characters are shown as replacement characters, so that it cannot clear the screen or write over other lines.
 */
export function prettyLines(terminal: NodeJS.WritableStream): DestinationStream {
  const destination = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      terminal.write(line.replaceAll(CONTROL, '\u{fffd}'), () => done());
    },
  });
  return pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', singleLine: true, sync: true, destination });
}

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
  if (process.stdout.isTTY) return pino(options, prettyLines(process.stdout));
  // with a minimum length `flush` reports when everything is written; without one it reports so at once
  return pino(options, pino.destination({ dest: 1, sync: false, minLength: 1 }));
}
