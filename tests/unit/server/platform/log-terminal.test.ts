/** Log lines at a terminal: a stranger's text in an error gives it no commands. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { prettyLines } from '#server/platform/log.ts';

test('control characters of a text are not obeyed, and colours and lines stay', async () => {
  const parts: string[] = [];
  const terminal = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk.toString());
      done();
    },
  });
  const log = pino({ base: null }, prettyLines(terminal));
  log.error({ err: new Error('clear \u001b[2J title \u001b]0;owned\u0007 back\r\b \u009b2J') }, 'Request failed');
  await expect.poll(() => parts.join('')).toContain('owned');
  const text = parts.join('');
  expect(text).toContain('Request failed');
  expect(text).toContain('\u001b[31mERROR');
  for (const command of ['\u001b[2J', '\u001b]', '\u0007', '\r', '\b', '\u009b']) expect(text).not.toContain(command);
});
