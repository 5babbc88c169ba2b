/** When an admin may nudge a pilot, by times written by hand. */
import { expect, test } from 'vitest';
import { nudgeDue, type WaitingOrder } from '#server/orders/rules/nudges.ts';

const at = (time: string) => Date.parse(`2031-05-${time}:00Z`);

/** Issued on the 1st at noon for the 3rd at 18:00, until the 2nd at noon. */
const PENDING: WaitingOrder = {
  status: 'issued',
  rsvp: 'pending',
  isSharedOffer: false,
  startMs: at('03T18:00'),
  issuedMs: at('01T12:00'),
  changedMs: null,
  nudgedMs: null,
  expiresMs: at('02T12:00'),
  acceptedMs: null,
  confirmedMs: null,
};
/** Asked "Still flying?" from the 2nd at 18:00. */
const ACCEPTED: WaitingOrder = { ...PENDING, rsvp: 'accepted', acceptedMs: at('01T13:00') };

test.each<[string, WaitingOrder, string, string | null]>([
  ['a minute too soon', PENDING, '01T14:59', null],
  ['three hours after the order', PENDING, '01T15:00', 'unanswered'],
  ['after its time', PENDING, '02T12:00', null],
  ['three hours after a change', { ...PENDING, changedMs: at('01T14:00') }, '01T16:59', null],
  ['three hours after a change', { ...PENDING, changedMs: at('01T14:00') }, '01T17:00', 'unanswered'],
  ['soon after a nudge', { ...PENDING, nudgedMs: at('01T15:00') }, '01T17:59', null],
  ['three hours after a nudge', { ...PENDING, nudgedMs: at('01T15:00') }, '01T18:00', 'unanswered'],
  ['half of a time limit of an hour', { ...PENDING, expiresMs: at('01T13:00') }, '01T12:29', null],
  ['half of a time limit of an hour', { ...PENDING, expiresMs: at('01T13:00') }, '01T12:30', 'unanswered'],
  ['less than 15 minutes of 20', { ...PENDING, expiresMs: at('01T12:20') }, '01T12:14', null],
  ['15 minutes of 20', { ...PENDING, expiresMs: at('01T12:20') }, '01T12:15', 'unanswered'],
  ['one of several pilots', { ...PENDING, isSharedOffer: true }, '01T20:00', null],
  ['declined', { ...PENDING, rsvp: 'declined' }, '01T20:00', null],
  ['on standby', { ...PENDING, rsvp: 'standby' }, '01T20:00', null],
  ['withdrawn', { ...PENDING, status: 'cancelled' }, '01T20:00', null],
  ['accepted, before the question', ACCEPTED, '02T17:00', null],
  ['accepted, soon after the question', ACCEPTED, '02T20:59', null],
  ['accepted, three hours after the question', ACCEPTED, '02T21:00', 'unconfirmed'],
  ['accepted and nudged', { ...ACCEPTED, nudgedMs: at('02T21:00') }, '02T23:59', null],
  ['accepted and nudged', { ...ACCEPTED, nudgedMs: at('02T21:00') }, '03T00:00', 'unconfirmed'],
  ['confirmed', { ...ACCEPTED, confirmedMs: at('02T19:00') }, '03T12:00', null],
  ['accepted on the last day', { ...ACCEPTED, acceptedMs: at('02T19:00') }, '03T12:00', null],
  ['accepted, at the start', ACCEPTED, '03T18:00', null],
])('%s: %o at %s', (_name, order, time, expected) => {
  expect(nudgeDue(order, at(time))).toBe(expected);
});
