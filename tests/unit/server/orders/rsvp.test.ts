import { describe, expect, test } from 'vitest';
import { decideRsvp, type RsvpQuestion } from '#server/orders/rules/rsvp.ts';
import { HOUR_MS } from '#server/time/time.ts';

const NOW = Date.UTC(2026, 6, 1, 12);

/** A pending order of a mission that starts in `hours`, unless `more` changes it. */
function question(hours: number, more: Partial<RsvpQuestion>): RsvpQuestion {
  return {
    status: 'issued',
    statusReason: null,
    rsvp: 'pending',
    response: 'accepted',
    startMs: NOW + hours * HOUR_MS,
    isSharedOffer: false,
    isUnseen: false,
    expiresMs: NOW + 1,
    nowMs: NOW,
    seatFree: false,
    ...more,
  };
}
const changed = (to: string, late = false) => ({ kind: 'changed', to, late });
const refused = (code: string) => ({ kind: 'refused', code });

describe('an answer', () => {
  test.each([
    // hours to start, from, response, a seat is free, decision
    [48, 'pending', 'accepted', true, changed('accepted')],
    [48, 'pending', 'accepted', false, refused('SEAT_TAKEN')],
    [48, 'pending', 'standby', false, changed('standby')],
    [48, 'pending', 'declined', false, changed('declined')],
    [1, 'pending', 'declined', false, changed('declined')],
    [1, 'pending', 'standby', false, changed('standby')],
    [48, 'accepted', 'accepted', false, { kind: 'confirmed' }],
    [-1, 'accepted', 'accepted', false, { kind: 'confirmed' }],
    [48, 'accepted', 'declined', false, changed('declined')],
    [24, 'accepted', 'declined', false, changed('declined')],
    [23.99, 'accepted', 'declined', false, changed('declined', true)],
    [0.01, 'accepted', 'declined', false, changed('declined', true)],
    [0, 'accepted', 'declined', false, refused('MISSION_STARTED')],
    [-1, 'accepted', 'declined', false, refused('MISSION_STARTED')],
    [48, 'accepted', 'standby', false, changed('standby')],
    [24, 'accepted', 'standby', false, changed('standby')],
    [23.99, 'accepted', 'standby', false, refused('STANDBY_TOO_LATE')],
    [0, 'accepted', 'standby', false, refused('MISSION_STARTED')],
    [48, 'standby', 'accepted', true, changed('accepted')],
    [48, 'standby', 'accepted', false, refused('NO_SEAT_FREE')],
    [1, 'standby', 'accepted', true, changed('accepted')],
    [0, 'standby', 'accepted', true, refused('MISSION_STARTED')],
    [48, 'standby', 'standby', true, { kind: 'unchanged' }],
    [1, 'standby', 'declined', false, changed('declined')],
    [48, 'declined', 'accepted', true, changed('accepted')],
    [48, 'declined', 'accepted', false, refused('NO_SEAT_FREE')],
    [1, 'declined', 'standby', false, changed('standby')],
    [0, 'declined', 'standby', false, refused('MISSION_STARTED')],
    [-5, 'declined', 'declined', false, { kind: 'unchanged' }],
  ] as const)('%d h before start, %s -> %s, seat free: %s', (hours, rsvp, response, seatFree, decision) => {
    expect(decideRsvp(question(hours, { rsvp, response, seatFree }))).toEqual(decision);
  });

  test.each([
    ['at its expiry', { expiresMs: NOW }, 'ORDER_EXPIRED'],
    ['swept as expired', { status: 'cancelled', statusReason: 'expired' }, 'ORDER_EXPIRED'],
    ['with its mission cancelled', { status: 'cancelled', statusReason: 'mission cancelled' }, 'ORDER_CANCELLED'],
    ['superseded', { status: 'cancelled', statusReason: 'superseded', rsvp: 'accepted' }, 'ORDER_CANCELLED'],
    ['not yet issued', { status: 'draft' }, 'ANSWER_NOT_POSSIBLE'],
  ] as const)('to an order %s is refused, whichever answer it is', (_state, order, code) => {
    for (const response of ['accepted', 'standby', 'declined'] as const) {
      expect(decideRsvp(question(48, { ...order, response }))).toEqual(refused(code));
    }
  });

  test('an answered order does not expire', () => {
    for (const rsvp of ['accepted', 'standby', 'declined'] as const) {
      const decision = decideRsvp(question(48, { rsvp, response: rsvp, expiresMs: NOW - HOUR_MS }));
      expect(decision.kind).not.toBe('refused');
    }
  });

  test('to a shared offer takes the seat only while it is free; declining needs none', () => {
    const offer = { isSharedOffer: true } as const;
    expect(decideRsvp(question(1, { ...offer, seatFree: true }))).toEqual(changed('accepted'));
    expect(decideRsvp(question(1, { ...offer, seatFree: false }))).toEqual(refused('SEAT_TAKEN'));
    expect(decideRsvp(question(1, { ...offer, response: 'declined' }))).toEqual(changed('declined'));
    const lost = { ...offer, status: 'cancelled', statusReason: 'superseded' } as const;
    expect(decideRsvp(question(1, lost))).toEqual(refused('SEAT_TAKEN'));
    expect(decideRsvp(question(1, { ...lost, response: 'declined' }))).toEqual(refused('ORDER_CANCELLED'));
  });

  test.each([
    ['pending', 'accepted', true, refused('CHANGED')],
    ['accepted', 'accepted', false, refused('CHANGED')],
    ['standby', 'accepted', false, refused('NO_SEAT_FREE')],
    ['accepted', 'declined', false, changed('declined')],
  ] as const)('%s -> %s to an order that an admin has changed since', (rsvp, response, seatFree, decision) => {
    expect(decideRsvp(question(48, { rsvp, response, seatFree, isUnseen: true }))).toEqual(decision);
  });
});
