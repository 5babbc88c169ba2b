/** The live hub without a database: a page that does not read its stream, and a stream opened after the stop. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLive } from '#server/http/live.ts';
import { createLog } from '#server/platform/log.ts';

/** No database listens on this port. */
const NOWHERE = 'postgresql://nobody@127.0.0.1:1/none';

const listener = (accessId: string) => ({ userId: 'a', accessId, roles: ['user' as const] });

/** A response over a connection whose client reads nothing, or everything. */
function openAnswer(reads: boolean): { response: ServerResponse; text: () => string } {
  let text = '';
  const line = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      if (reads) done();
    },
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.assignSocket(line as Socket);
  return { response, text: () => text };
}

const createHub = () =>
  createLive(NOWHERE, (ids) => Promise.resolve(new Map(ids.map((id) => [id, ['user' as const]]))), createLog('silent'));

test('a stream that is not read is closed before it uses much memory; one that is read stays open', async () => {
  const live = createHub();
  const [idle, busy] = [openAnswer(false), openAnswer(true)];
  live.open(listener('idle'), idle.response);
  live.open(listener('busy'), busy.response);
  let most = 0;
  for (let beat = 0; beat < 20_000 && !idle.response.destroyed; beat += 1) {
    await live.check();
    await nextTurn();
    most = Math.max(most, idle.response.writableLength);
  }
  expect(idle.response.destroyed).toBe(true);
  expect(busy.response.destroyed).toBe(false);
  expect(most).toBeGreaterThan(10_000);
  expect(most).toBeLessThan(20_000);
  await live.stop();
  expect(busy.response.writableEnded).toBe(true);
});

test('a stream opened after the stop ends at once, with a time to reconnect', async () => {
  const live = createHub();
  await live.stop();
  const late = openAnswer(true);
  live.open(listener('late'), late.response);
  expect(late.response.writableEnded).toBe(true);
  expect(late.text()).toMatch(/retry: \d{4}\n/);
});
