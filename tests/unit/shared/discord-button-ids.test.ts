/** Button ids are parsed as they were written, and the ids in posted messages do not change. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUTTON_ACTIONS, parseButtonId, writeButtonId } from '#shared/discord-button-ids.ts';

const ORDER = '0198c0de-0000-7000-8000-000000000007';
/** Discord's limit. */
const CUSTOM_ID_MAX = 100;

test.each([
  [{ action: 'register', subject: 'reply', seenMs: null }, 'v1:register:reply'],
  [{ action: 'accept', subject: ORDER, seenMs: null }, `v1:accept:${ORDER}`],
  [{ action: 'accept', subject: ORDER, seenMs: 1_795_201_500_123 }, `v1:accept:1795201500123:${ORDER}`],
  [{ action: 'standby', subject: ORDER, seenMs: null }, `v1:standby:${ORDER}`],
  [{ action: 'decline', subject: ORDER, seenMs: null }, `v1:decline:${ORDER}`],
  [{ action: 'orders-off', subject: 'inbox', seenMs: null }, 'v1:orders-off:inbox'],
  [{ action: 'orders-on', subject: ORDER, seenMs: null }, `v1:orders-on:${ORDER}`],
  [{ action: 'inbox', subject: ORDER, seenMs: null }, `v1:inbox:${ORDER}`],
  [{ action: 'unlink', subject: ORDER, seenMs: null }, `v1:unlink:${ORDER}`],
] as const)('%j is %s', (id, written) => {
  expect(writeButtonId(id)).toBe(written);
  expect(parseButtonId(written)).toEqual(id);
});

test('every id is parsed as it was written, and fits on a button', () => {
  fc.assert(
    fc.property(
      fc.record({
        action: fc.constantFrom(...BUTTON_ACTIONS),
        subject: fc.stringMatching(/^[\w-]{1,50}$/),
        seenMs: fc.option(fc.nat({ max: 99_999_999_999_999 })),
      }),
      (id) => {
        const written = writeButtonId(id);
        expect(parseButtonId(written)).toEqual(id);
        expect(written.length).toBeLessThanOrEqual(CUSTOM_ID_MAX);
      },
    ),
  );
});

describe('refuses the id', () => {
  test.each([
    '',
    'accept',
    'v1:accept',
    'v1:accept:',
    `v0:accept:${ORDER}`,
    `v2:accept:${ORDER}`,
    `V1:accept:${ORDER}`,
    ` v1:accept:${ORDER}`,
    `v1:accept:${ORDER}\n`,
    `v1:accept:${ORDER}:x`,
    `v1:accept:-1:${ORDER}`,
    `v1:accept::${ORDER}`,
    `v1:accept:999999999999999:${ORDER}`,
    `v1:Accept:${ORDER}`,
    `v1:launch:${ORDER}`,
    `v1:constructor:${ORDER}`,
    `v1:__proto__:${ORDER}`,
    `v1:accept:${'x'.repeat(51)}`,
    "v1:accept:'; drop table seat",
  ])('%j', (id) => expect(parseButtonId(id)).toBeNull());
});
