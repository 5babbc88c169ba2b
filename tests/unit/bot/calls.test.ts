/** The bot's queue of calls, which decides by the code of a refusal, not by its sentence. */
import { TRPCClientError } from '@trpc/client';
import { describe, expect, test } from 'vitest';
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
    onStale() {},
    onNotActing: () => resolve('stands by'),
    log: { ...log, warn: () => resolve('tries again') },
    retryMinMs: 60_000,
    retryMaxMs: 60_000,
  });
  calls.add(() => Promise.reject(refusal));
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
