/** Failures of Discord calls: outcome, sentence, and back-off until the next try. */
import { describe, expect, test } from 'vitest';
import { backoffMs } from '#server/discord/rules/backoff.ts';
import { cannotPost, judge, type Outcome, type Place, uncertainAnnouncement } from '#server/discord/rules/failures.ts';

const OPS: Place = { kind: 'channel', name: 'ops', canSendMessages: true, canEmbedLinks: true };
const PERSON: Place = { kind: 'person' };

test.each<[rule: string, status: number | null, code: number | null, outcome: Outcome]>([
  ['no answer may pass', null, null, 'again'],
  ['too many requests', 429, null, 'rate limited'],
  ['opening direct messages too fast', 400, 40003, 'again'],
  ['slowmode', 400, 20016, 'again'],
  ['an old message edited too often', 400, 30046, 'again'],
  ['an announcement edited too often', 403, 20022, 'again'],
  ['a channel written to too often', 403, 20028, 'again'],
  ['a server written to too often', 403, 20029, 'again'],
  ['sending switched off by Discord for a time', 400, 40004, 'again'],
  ['a feature switched off by Discord for a time', 403, 40006, 'again'],
  ['a part of Discord that is limited', 400, 40062, 'again'],
  ['a server error', 500, null, 'again'],
  ['an overload', 503, 130000, 'again'],
  ['a bad gateway', 502, null, 'again'],
  ['a request that took too long', 408, null, 'again'],
  ['a wrong token waits for a right one', 401, null, 'token refused'],
  ['a channel that is gone', 404, 10003, 'channel gone'],
  ['a message that is gone', 404, 10008, 'message gone'],
  ['closed direct messages', 403, 50007, 'dms closed'],
  ['no server in common', 403, 50278, 'dms closed'],
  ['nobody of that id', 404, 10013, 'dms closed'],
  ['nobody who can be written to', 400, 50033, 'dms closed'],
  ['no access', 403, 50001, 'failed'],
  ['no permission', 403, 50013, 'failed'],
  ['a malformed message', 400, 50035, 'failed'],
  ['whatever else is forbidden', 403, null, 'failed'],
  ['whatever else is not found', 404, 10004, 'failed'],
])('%s', (_rule, status, code, outcome) => {
  expect(judge({ status, code }, OPS).outcome).toBe(outcome);
});

describe('the sentence names the missing permission', () => {
  const lacking = (send: boolean, embed: boolean): Place => ({
    kind: 'channel',
    name: 'ops',
    canSendMessages: send,
    canEmbedLinks: embed,
  });
  test.each<[rule: string, code: number, place: Place, sentence: string, rights: [send: boolean, embed: boolean]]>([
    [
      'a channel it cannot see',
      50001,
      OPS,
      'The bot cannot post in #ops. It lacks the permission View Channel.',
      [false, false],
    ],
    [
      'embeds, when that is known',
      50013,
      lacking(true, false),
      'The bot cannot post in #ops. It lacks the permission Embed Links.',
      [true, false],
    ],
    [
      'sending, when that is known',
      50013,
      lacking(false, true),
      'The bot cannot post in #ops. It lacks the permission Send Messages.',
      [false, true],
    ],
    [
      'both',
      50013,
      lacking(false, false),
      'The bot cannot post in #ops. It lacks the permissions Send Messages and Embed Links.',
      [false, false],
    ],
    [
      'either, when it was thought to have both: Discord does not say which',
      50013,
      OPS,
      'The bot cannot post in #ops. It lacks the permission Send Messages or Embed Links.',
      [true, true],
    ],
  ])('%s', (_rule, code, place, sentence, [canSendMessages, canEmbedLinks]) => {
    expect(judge({ status: 403, code }, place)).toEqual({
      outcome: 'failed',
      sentence,
      isUndone: true,
      rights: { canSendMessages, canEmbedLinks },
    });
  });
});

test.each<[sentence: string, status: number, code: number | null, place: Place]>([
  ['#ops no longer exists.', 404, 10003, OPS],
  ['Discord refused the message as malformed (400, code 50035).', 400, 50035, OPS],
  ['Discord refused the post in #ops (403).', 403, null, OPS],
  ['Discord refused this (403, code 50013).', 403, 50013, PERSON],
  ["This pilot doesn't accept direct messages.", 403, 50007, PERSON],
])('%s', (sentence, status, code, place) => {
  expect(judge({ status, code }, place)).toEqual({
    outcome: expect.any(String),
    sentence,
    isUndone: true,
    rights: null,
  });
});

test('a channel without a known missing permission', () => {
  expect(cannotPost('ops', [])).toBe('The bot cannot post in #ops.');
});

test('an uncertain post explains how to send another', () => {
  expect(uncertainAnnouncement('ops')).toContain('"Send again"');
  expect(uncertainAnnouncement('ops')).toContain('#ops');
});

describe('back-off', () => {
  test.each([
    ['starts at a second', 1, 0, null, 1_000],
    ['is spread by up to a half', 1, 1, null, 1_500],
    ['doubles', 4, 0, null, 8_000],
    ['ends at five minutes', 10, 0, null, 300_000],
    ['and stays there', 30_000, 1, null, 300_000],
    ['never undercuts what Discord asks for', 1, 0, 12_345, 12_345],
    ['nor is undercut by it', 4, 0, 50, 8_000],
    ['has no attempt before the first', 0, 0, null, 1_000],
  ])('%s', (_rule, attempts, jitter, retryAfterMs, expected) => {
    expect(backoffMs(attempts, jitter, retryAfterMs)).toBe(expected);
  });
});
