/**
 * The log of a service under test, read line by line for secrets. Every password, session, access token and link of the whole
 * test run is planted in this way: a line that shows one fails the file whose service wrote it.
 */
import { Writable } from 'node:stream';
import type { DestinationStream } from 'pino';

/** Everybody's password in tests. */
export const PASSWORD = 'correct horse battery';

const SECRETS: Readonly<Record<string, RegExp>> = {
  'a password': new RegExp(PASSWORD),
  'a session': /(?<![\w-])[a-z2-7]{40}(?![\w-])/,
  'an access token': /mrsh_[A-Za-z0-9]{20,}/,
  'a bearer token': /Bearer [^\s"[]{8,}/,
  'a secret link': /\/(?:sign-in|set-password|calendar|email\/unsubscribe|join|register)\/[\w-]{20,}/,
};

/** The kinds of secrets in a text. */
export const findSecrets = (text: string): string[] =>
  Object.entries(SECRETS).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));

export interface WatchedLog {
  stream: DestinationStream;
  /** @throws Error with the lines that show a secret */
  check: () => void;
}

/** @param passTo receives every line, too */
export function watchLog(passTo?: DestinationStream): WatchedLog {
  const leaks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      const line = String(chunk);
      const found = findSecrets(line);
      if (found.length > 0) leaks.push(`${found.join(', ')}: ${line}`);
      passTo?.write(line);
      done();
    },
  });
  return {
    stream,
    check() {
      if (leaks.length > 0) throw new Error(`The log shows secrets.\n${leaks.slice(0, 5).join('')}`);
    },
  };
}
