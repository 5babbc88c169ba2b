import { describe, expect, test } from 'vitest';
import { readLiveSignal } from '#server/signals/live-signals.ts';
import { readLiveEvent } from '#shared/live.ts';

describe('only well-formed events are parsed', () => {
  test.each([
    ['{"topic":"orders","version":7}', { topic: 'orders', version: 7 }],
    ['{"topic":"all","version":0,"more":"later"}', { topic: 'all', version: 0 }],
    ['{"topic":"weather","version":7}', null],
    ['{"topic":"orders"}', null],
    ['{"topic":"orders","version":"7"}', null],
    ['["orders",7]', null],
    ['null', null],
    ['"orders"', null],
    ['orders', null],
    ['', null],
  ])('%s', (data, event) => expect(readLiveEvent(data)).toEqual(event));
});

describe('a notification of another release is ignored without an error', () => {
  test.each([
    ['{"topic":"orders","version":7,"to":["a","b"]}', { topic: 'orders', version: 7, to: ['a', 'b'] }],
    ['{"topic":"stats","version":7,"to":"everybody"}', { topic: 'stats', version: 7, to: 'everybody' }],
    ['{"topic":"session","version":7,"to":["a"]}', { topic: 'session', version: 7, to: ['a'] }],
    ['{"topic":"all","version":7,"to":"everybody"}', null],
    ['{"topic":"weather","version":7,"to":"everybody"}', null],
    ['{"topic":"orders","version":7,"to":"moderators"}', null],
    ['{"topic":"orders","to":["a"]}', null],
    ['', null],
  ])('%s', (payload, notice) => expect(readLiveSignal(payload)).toEqual(notice));
});
