/** The bot's queue of calls, which decides by the code of a refusal, not by its sentence. */
import { TRPCClientError } from '@trpc/client';
import { describe, expect, test, vi } from 'vitest';
import { createCallQueue } from '#bot/calls.ts';
import { copy } from '#shared/copy.ts';
import type { RefusalCode } from '#shared/refusals.ts';

const refused = (refusal: RefusalCode | undefined, message: string) =>
  TRPCClientError.from({ error: { message, code: -32_009, data: { refusal, httpStatus: 409 } } });

/** The queue's reaction to a refused call. */
async function reactionTo(refusal: unknown): Promise<'stands by' | 'tries again'> {
  const log = { debug() {}, info() {}, error() {} };
  const { promise, resolve } = Promise.withResolvers<'stands by' | 'tries again'>();
  const calls = createCallQueue({
    everything: () => Promise.resolve(),
    onTold() {},
    onLost() {},
    onNotActing: () => resolve('stands by'),
    log: { ...log, warn: () => resolve('tries again') },
    retryMinMs: 60_000,
    retryMaxMs: 60_000,
  });
  calls.add('700000000000000001', () => Promise.reject(refusal));
  const reaction = await promise;
  calls.stop();
  return reaction;
}

describe('a refused call', () => {
  test.each([copy.botStandsBy, 'Some other bot is at work.', ''])(
    'of another acting instance: %j',
    async (sentence) => {
      expect(await reactionTo(refused('BOT_STANDS_BY', sentence))).toBe('stands by');
    },
  );

  test.each<[string, unknown]>([
    ['with the same words and another code', refused('CONFLICT', copy.botStandsBy)],
    ['with the same words and no code', refused(undefined, copy.botStandsBy)],
  ])('%s', async (_what, error) => expect(await reactionTo(error)).toBe('tries again'));
});

test('a report that the server refuses loses its own guild and no other, and the next ones are sent', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const lost: string[] = [];
  const calls = createCallQueue({
    everything: () => Promise.resolve(),
    onTold() {},
    onLost: (guildId) => lost.push(guildId),
    onNotActing() {},
    log,
    retryMinMs: 60_000,
    retryMaxMs: 60_000,
  });
  const tooLarge = TRPCClientError.from({ error: { message: 'too large', code: -32_013, data: { httpStatus: 413 } } });
  calls.add('refused', () => Promise.reject(tooLarge));
  const { promise, resolve } = Promise.withResolvers<void>();
  calls.add('next', () => Promise.resolve(resolve()));
  await promise;
  expect(lost).toEqual(['refused']);
  // a server that cannot be reached is another matter: everything is told again
  calls.add('cut', () => Promise.reject(new Error('fetch failed')));
  calls.add('skipped', () => Promise.resolve());
  await vi.waitFor(() => expect(lost).toEqual(['refused', 'cut', 'skipped']));
  calls.stop();
});
