/** A pilot's track record, and what a mission needs of an admin, in sentences. */
import { describe, expect, test } from 'vitest';
import { debtSentence, percent, reliabilitySentence } from '#client/domain-ui/track-record-text.ts';
import { needSentence, timeLeft } from '#client/features/board/needs-text.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';

describe('track record', () => {
  test.each([
    [0.8, '80 %'],
    [0.866, '87 %'],
    [1, '100 %'],
  ])('%d is %s', (share, words) => expect(percent(share)).toBe(words));

  test.each<[debt: number, toPilot: string, toAdmin: string]>([
    [
      0.7,
      'The community owes you 0.7 seats: you are seated earlier.',
      'The community owes this pilot 0.7 seats: the pilot is seated earlier.',
    ],
    [
      1.04,
      'The community owes you 1 seat: you are seated earlier.',
      'The community owes this pilot 1 seat: the pilot is seated earlier.',
    ],
    [
      -2.333333,
      "You've had about 2 seats more than average, so others get seats first.",
      'This pilot has had about 2 seats more than average, so others get seats first.',
    ],
    [
      -1.1,
      "You've had about 1 seat more than average, so others get seats first.",
      'This pilot has had about 1 seat more than average, so others get seats first.',
    ],
    [
      -0.52,
      "You've had about 0.5 seats more than average, so others get seats first.",
      'This pilot has had about 0.5 seats more than average, so others get seats first.',
    ],
    [0.049, 'You have had a fair share of the seats.', 'This pilot has had a fair share of the seats.'],
    [-0.049, 'You have had a fair share of the seats.', 'This pilot has had a fair share of the seats.'],
  ])('a debt of %d', (debt, toPilot, toAdmin) => {
    expect(debtSentence({ debt }, 'pilot')).toBe(toPilot);
    expect(debtSentence({ debt }, 'admin')).toBe(toAdmin);
  });

  test('new pilots start at 80 %, and read that nothing counts yet', () => {
    expect(reliabilitySentence({ isNew: true }, 'pilot')).toBe(
      'New pilots start at 80 %. None of your missions count yet.',
    );
    expect(reliabilitySentence({ isNew: true }, 'admin')).toBe(
      'New pilots start at 80 %. None of this pilot’s missions count yet.',
    );
    expect(reliabilitySentence({ isNew: false }, 'pilot')).toBe(
      'New pilots start at 80 %. Missions flown raise it; no-shows and seats given back less than 24 h before the start lower it. Each counts half as much 90 days later. Excused absences do not count.',
    );
  });
});

describe('turnout', () => {
  const alert: TurnoutAlertDto = {
    missionId: 'm',
    missionName: 'Op Iron Hound',
    startUtc: '2026-07-02T19:00:00.000Z',
    endUtc: '2026-07-02T21:00:00.000Z',
    stage: '24 hours',
    seats: 4,
    accepted: 3,
    pending: 0,
    enough: 2,
    expected: 1.9,
    probability: 0.615,
  };

  test.each<[string, Partial<TurnoutAlertDto>]>([
    ['3 of 4 accepted, 2 needed. May be short (61 % chance of enough).', {}],
    ['1 of 4 accepted, 2 not answered, 2 needed. May be short (61 % chance of enough).', { accepted: 1, pending: 2 }],
    ['0 of 1 accepted, 1 needed. Likely short (under 1 %).', { seats: 1, accepted: 0, enough: 1, probability: 0 }],
    ['3 of 4 accepted, 2 needed. May be short (79 % chance of enough).', { probability: 0.7999 }],
    ['3 of 4 accepted, 2 needed. Likely short (29 % chance of enough).', { probability: 0.1 + 0.19 }],
  ])('%s', (sentence, some) => expect(needSentence({ ...alert, ...some, kind: 'short', pilots: 0 })).toBe(sentence));

  test.each([
    ['1 pilot has not answered.', 'unanswered', 1],
    ['3 pilots have not answered.', 'unanswered', 3],
    ['2 pilots have not confirmed.', 'unconfirmed', 2],
  ] as const)('%s', (sentence, kind, pilots) => expect(needSentence({ ...alert, kind, pilots })).toBe(sentence));

  test.each([
    ['2026-06-25T20:00:00Z', 'in 6 d'],
    ['2026-06-30T19:00:00Z', 'in 2 d'],
    ['2026-06-30T19:00:01Z', 'in 47 h'],
    ['2026-07-01T20:20:00Z', 'in 22 h'],
    ['2026-07-02T17:40:00Z', 'in 1 h 20 min'],
    ['2026-07-02T18:59:30Z', 'in under a minute'],
  ])('at %s it is %s', (now, words) => expect(timeLeft(alert.startUtc, new Date(now))).toBe(words));
});
