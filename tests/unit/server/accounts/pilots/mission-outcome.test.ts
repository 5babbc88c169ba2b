/** What became of a pilot's missions: one outcome per order, and which of several is shown. */
import { expect, test } from 'vitest';
import { outcomesOf, type PastOrder } from '#server/accounts/pilots/rules/mission-outcome.ts';

const order = (part: Partial<PastOrder>): PastOrder => ({
  missionId: 'm1',
  status: 'issued',
  statusReason: null,
  rsvp: 'accepted',
  attendance: null,
  isLate: false,
  ...part,
});
const shown = (...orders: Partial<PastOrder>[]) => outcomesOf(orders.map(order)).map(({ outcome }) => outcome);

const GONE = { status: 'cancelled', statusReason: 'superseded' } as const;
const EXPIRED = { status: 'cancelled', statusReason: 'expired', rsvp: 'pending' } as const;

test.each<[what: string, part: Partial<PastOrder>, outcome: string | null]>([
  ['attended', { attendance: 'attended' }, 'flown'],
  ['marked as a no-show', { attendance: 'no_show' }, 'no_show'],
  ['excused', { attendance: 'excused' }, 'excused'],
  ['given back in time', { rsvp: 'declined' }, 'declined_early'],
  ['given back late', { rsvp: 'declined', isLate: true }, 'declined_late'],
  ['given back late for the queue', { rsvp: 'standby', isLate: true }, 'declined_late'],
  ['on standby until the end', { rsvp: 'standby' }, 'standby'],
  ['accepted and not marked yet', {}, 'unmarked'],
  ['expired', EXPIRED, 'unanswered'],
  ['past its start before a job has expired it', { rsvp: 'pending' }, 'unanswered'],
  ['withdrawn by an admin', { ...GONE, rsvp: 'accepted' }, null],
])('an order %s', (_what, part, outcome) => {
  expect(shown(part)).toEqual(outcome === null ? [] : [outcome]);
});

test.each<[what: string, orders: Partial<PastOrder>[], outcomes: string[]]>([
  ['an expired order, then a seat by an admin', [EXPIRED, { attendance: 'attended' }], ['flown']],
  [
    'a seat given back late, then another one flown',
    [{ rsvp: 'declined', isLate: true }, { attendance: 'attended' }],
    ['declined_late', 'flown'],
  ],
  ['declined, then on standby', [{ rsvp: 'declined' }, { rsvp: 'standby' }], ['standby']],
  ['expired twice', [EXPIRED, EXPIRED], ['unanswered']],
])('several orders of one mission: %s', (_what, orders, outcomes) => {
  expect(shown(...orders)).toEqual(outcomes);
});

test('missions keep their order, and each has its own outcome', () => {
  expect(
    shown(
      { missionId: 'm2', rsvp: 'declined' },
      { missionId: 'm1', attendance: 'attended' },
      { missionId: 'm3', rsvp: 'standby' },
    ),
  ).toEqual(['declined_early', 'flown', 'standby']);
});
