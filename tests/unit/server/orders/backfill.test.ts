import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  backfillMode,
  type BackfillMode,
  type BackfillRequest,
  decideBackfill,
  isAnswered,
  mayBeOffered,
  type PastOrder,
} from '#server/orders/rules/backfill.ts';
import type { SeatingPilot, SeatingSeat } from '#server/orders/seating/rules/eligibility.ts';
import { HOUR_MS } from '#server/time/time.ts';

const START = Date.UTC(2026, 6, 1, 19);
const mission = { id: 'mission', startMs: START, endMs: START + 3 * HOUR_MS };
const VIPER = 2;
const HORNET = 1;

/** A pilot who flies only these aircraft, or any if there are none. */
function pilot(id: string, aircraft: readonly number[] = [], more: Partial<SeatingPilot> = {}): SeatingPilot {
  const kinds = aircraft.length > 0 ? aircraft : [null];
  return {
    id,
    active: true,
    presences: kinds.map((aircraftId) => ({ ...mission, aircraftId, source: 'template', notes: null })),
    commitments: [],
    state: 'available',
    levels: new Map(),
    debt: 0,
    reliability: 1,
    ...more,
  };
}
function seat(flightId: string, aircraftId = VIPER, seatIndex = 0): SeatingSeat {
  return { flightId, seatIndex, aircraftId, aircraftName: 'Jet', role: 'CAP', flightSize: 2 };
}
function decide(hours: number, more: Partial<BackfillRequest>) {
  const { mode, offers } = decideBackfill({
    seats: [seat('a')],
    mission,
    nowMs: START - hours * HOUR_MS,
    standby: [],
    candidates: [],
    ...more,
  });
  return { mode, offers: offers.map(({ flightId, pilotId, kind }) => `${flightId} ${pilotId} ${kind}`) };
}

test.each([
  [100, 'seat'],
  [24.01, 'seat'],
  [24, 'ask'],
  [2, 'ask'],
  [1.99, 'shared'],
  [0.01, 'shared'],
  [0, 'closed'],
  [-3, 'closed'],
])('%d h before start the rule is %s', (hours, mode) => {
  expect(backfillMode(START, START - hours * HOUR_MS)).toBe(mode);
});

describe('more than a day ahead', () => {
  test('the longest waiting standby pilot is seated at once, before better ones', () => {
    const ace = pilot('ace', [], { debt: 9, levels: new Map([[VIPER, 'expert']]) });
    expect(decide(48, { standby: [pilot('z'), pilot('b'), ace], candidates: [ace] }).offers).toEqual(['a z seat']);
  });

  test('one who does not fit is skipped', () => {
    expect(decide(48, { standby: [pilot('hornet', [HORNET]), pilot('b')] }).offers).toEqual(['a b seat']);
  });

  test('seats without standby pilots go to the next best pilots as orders', () => {
    const seats = [seat('a'), seat('b')];
    const candidates = [pilot('p'), pilot('q', [], { debt: 1 })];
    const { offers } = decide(48, { seats, standby: [pilot('s')], candidates });
    expect(offers.map((offer) => offer.slice(2)).sort()).toEqual(['q order', 's seat']);
  });

  test('a standby pilot is not given the only seat that another could fly', () => {
    const seats = [seat('a', VIPER), seat('b', HORNET)];
    const waiting = { standby: [pilot('both', [VIPER, HORNET])], candidates: [pilot('viper', [VIPER])] };
    expect(decide(48, { seats, ...waiting }).offers).toEqual(['a viper order', 'b both seat']);
  });
});

test('from a day to two hours ahead standby pilots are asked first', () => {
  const waiting = { standby: [pilot('s'), pilot('t')], candidates: [pilot('p', [], { debt: 5 })] };
  expect(decide(12, waiting)).toEqual({ mode: 'ask', offers: ['a s order'] });
  expect(decide(12, { ...waiting, standby: [] })).toEqual({ mode: 'ask', offers: ['a p order'] });
});

describe('in the last two hours', () => {
  const looking = { state: 'now' } as const;

  test('every pilot on standby or on Find Flight has one shared offer', () => {
    const { mode, offers } = decide(1, {
      seats: [seat('a'), seat('b')],
      standby: [pilot('s'), pilot('t'), pilot('hornet', [HORNET])],
      candidates: [
        pilot('idle'),
        pilot('n', [], looking),
        pilot('m', [], looking),
        pilot('away', [], { ...looking, active: false }),
      ],
    });
    expect(mode).toBe('shared');
    expect(offers.map((offer) => offer.slice(2)).sort()).toEqual(['m shared', 'n shared', 's shared', 't shared']);
    expect(offers.filter((offer) => offer.startsWith('a')).length).toBe(2);
  });

  test('thousands of pilots are spread over the seats within seconds', () => {
    const crowd = Array.from({ length: 5_000 }, (_, index) => pilot(`p${index}`, [], looking));
    const hornets = Array.from({ length: 2 }, (_, index) => pilot(`h${index}`, [HORNET], looking));
    const seats = [seat('a'), seat('b'), seat('c', HORNET), seat('d', HORNET)];
    const vipers = crowd.map((one) => ({ ...one, levels: new Map([[VIPER, 'basic' as const]]) }));
    const began = performance.now();
    const { offers } = decide(1, { seats, candidates: [...vipers, ...hornets] });
    expect(performance.now() - began).toBeLessThan(5_000);
    const of = (flight: string) => offers.filter((offer) => offer.startsWith(flight)).length;
    expect([of('a') + of('b'), of('c'), of('d')]).toEqual([5_000, 1, 1]);
    expect(Math.abs(of('a') - of('b'))).toBeLessThanOrEqual(1);
    expect(new Set(offers.map((offer) => offer.split(' ')[1])).size).toBe(5_002);
  });

  test('pilots on Do Not Disturb are not asked', () => {
    expect(decide(1, { standby: [pilot('s', [], { state: 'dnd' })] }).offers).toEqual([]);
  });
});

describe('a pilot who stood down from a seat that is still free', () => {
  const gaveUp = { flightId: 'a', seatIndex: 0 };

  test.each([48, 12, 1])('is not given it back %d h before start', (hours) => {
    expect(decide(hours, { standby: [{ ...pilot('s'), gaveUp }] }).offers).toEqual([]);
    expect(decide(hours, { standby: [pilot('s')] }).offers).toHaveLength(1);
  });

  test('is not held back from other seats that fit', () => {
    const seats = [seat('a'), seat('b', HORNET)];
    expect(decide(48, { seats, standby: [{ ...pilot('s', [VIPER]), gaveUp }] }).offers).toEqual([]);
    expect(decide(48, { seats, standby: [{ ...pilot('s', [HORNET]), gaveUp }] }).offers).toEqual(['b s seat']);
  });

  test('leaves it to pilots never asked', () => {
    const { offers } = decide(48, { standby: [{ ...pilot('s'), gaveUp }], candidates: [pilot('s'), pilot('c')] });
    expect(offers).toEqual(['a c order']);
  });
});

describe('an order for the mission', () => {
  const order = (rsvp: PastOrder['rsvp'], statusReason: PastOrder['statusReason'] = null, isSharedOffer = false) => ({
    status: statusReason === null ? ('issued' as const) : ('cancelled' as const),
    statusReason,
    rsvp,
    isSharedOffer,
  });

  test.each<[what: string, past: PastOrder, keeps: Record<Exclude<BackfillMode, 'closed'>, boolean>]>([
    ['pending', order('pending'), { seat: true, ask: true, shared: true }],
    ['accepted', order('accepted'), { seat: true, ask: true, shared: true }],
    ['declined', order('declined'), { seat: true, ask: true, shared: true }],
    ['declined and superseded', order('declined', 'superseded'), { seat: true, ask: true, shared: true }],
    ['expired', order('pending', 'expired'), { seat: true, ask: true, shared: false }],
    ['an expired shared offer', order('pending', 'expired', true), { seat: true, ask: true, shared: true }],
    [
      'a shared offer that another took',
      order('pending', 'superseded', true),
      { seat: false, ask: false, shared: false },
    ],
    [
      'a place in the queue that was called',
      order('standby', 'superseded'),
      { seat: false, ask: false, shared: false },
    ],
    ['accepted and superseded', order('accepted', 'superseded'), { seat: true, ask: true, shared: true }],
    ['pending and superseded', order('pending', 'superseded'), { seat: true, ask: true, shared: true }],
  ])('%s', (_what, past, keeps) => {
    const found = (['seat', 'ask', 'shared'] as const).map((mode) => [mode, isAnswered(past, mode)]);
    expect(Object.fromEntries(found)).toEqual(keeps);
  });

  test.each<[what: string, hours: number, one: SeatingPilot, orders: PastOrder[], may: boolean]>([
    ['a pilot who declined cannot', 48, pilot('p'), [order('declined')], false],
    ['a pilot never asked can', 48, pilot('p'), [], true],
    ['a standby pilot can', 48, pilot('p'), [order('standby')], true],
    ['a standby pilot can in the last hours', 1, pilot('p'), [order('standby')], true],
    ['a pilot who is only available cannot in the last hours', 1, pilot('p'), [], false],
    [
      'a pilot on Find Flight can after an expired order',
      1,
      pilot('p', [], { state: 'now' }),
      [order('pending', 'expired')],
      true,
    ],
    ['a pilot of another aircraft cannot', 48, pilot('p', [HORNET]), [], false],
    ['a pilot on Do Not Disturb cannot', 12, pilot('p', [], { state: 'dnd' }), [], false],
    ['a suspended pilot cannot', 48, pilot('p', [], { active: false }), [], false],
    ['a pilot on Find Flight cannot after the start', 0, pilot('p', [], { state: 'now' }), [], false],
  ])('offer of a seat: %s get one', (_what, hours, one, orders, may) => {
    expect(mayBeOffered(one, mission, [VIPER], orders, START - hours * HOUR_MS)).toBe(may);
  });
});

test('nothing is offered once the mission has started, or without a seat', () => {
  expect(decide(0, { standby: [pilot('s')] })).toEqual({ mode: 'closed', offers: [] });
  expect(decide(48, { seats: [], standby: [pilot('s')] }).offers).toEqual([]);
});

test('a standby pilot gets no seat only if the pilots ahead leave none that fits', () => {
  const kinds = [1, 2, 3];
  const anyCase = fc.record({
    seats: fc.array(fc.constantFrom(...kinds), { maxLength: 5 }),
    standby: fc.array(fc.subarray(kinds, { minLength: 1 }), { maxLength: 6 }),
    candidates: fc.array(fc.subarray(kinds, { minLength: 1 }), { maxLength: 4 }),
  });
  /** True if all these pilots can be seated together, by exhaustive search. */
  const canSeat = (crew: readonly (readonly number[])[], seats: readonly number[]): boolean => {
    const [first, ...rest] = crew;
    if (!first) return true;
    return seats.some((kind, index) => first.includes(kind) && canSeat(rest, seats.toSpliced(index, 1)));
  };
  fc.assert(
    fc.property(anyCase, (one) => {
      const seats = one.seats.map((kind, index) => seat(`f${index}`, kind));
      const standby = one.standby.map((own, index) => pilot(`s${index}`, own));
      const candidates = one.candidates.map((own, index) => pilot(`c${index}`, own, { debt: index }));
      const { offers } = decideBackfill({ seats, mission, nowMs: START - 48 * HOUR_MS, standby, candidates });
      const expected: number[] = [];
      one.standby.forEach((_, index) => {
        const crew = [...expected, index].map((each) => one.standby[each] ?? []);
        if (canSeat(crew, one.seats)) expected.push(index);
      });
      const seated = offers.filter(({ kind }) => kind === 'seat').map(({ pilotId }) => Number(pilotId.slice(1)));
      expect(seated.sort((a, b) => a - b)).toEqual(expected);
      expect(new Set(offers.map(({ flightId }) => flightId)).size).toBe(offers.length);
      const crew = expected.map((index) => one.standby[index] ?? []);
      const most = Math.max(
        ...Array.from({ length: 2 ** one.candidates.length }, (_, mask) => {
          const extra = one.candidates.filter((__, index) => (mask >> index) & 1);
          return canSeat([...crew, ...extra], one.seats) ? crew.length + extra.length : 0;
        }),
      );
      expect(offers.length).toBe(most);
    }),
    { numRuns: 300 },
  );
});
