import { describe, expect, test } from 'vitest';
import {
  type Seating,
  seatMission,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { copy } from '#shared/copy.ts';
import { presentIn } from '#server/orders/seating/rules/eligibility.ts';
import { EARLY, flight, HORNET, mission, pilot, present, solve, START, VIPER } from './seating-given.ts';

const holders = ({ seated }: Seating) =>
  seated.map(({ flightId, seatIndex, pilotId }) => `${flightId}${seatIndex} ${pilotId}`);

const leave = (from: number, to: number) => ({
  startMs: START + from * HOUR_MS,
  endMs: START + to * HOUR_MS,
  lastDate: '2026-12-05',
});

describe('eligibility', () => {
  const [seat] = flight('a', 1);
  test.each<[string, Partial<SeatingPilot>, number, string]>([
    ['present throughout', {}, 72, 'seated'],
    ['present by two windows that touch', { presences: [present(0, 1), present(1, 3, VIPER)] }, 72, 'seated'],
    ['away for a moment', { presences: [present(0, 1), present(1.01, 3)] }, 72, 'NOT_AVAILABLE'],
    ['present until shortly before the end', { presences: [present(-2, 2.99)] }, 72, 'NOT_AVAILABLE'],
    ['suspended', { active: false }, 72, 'NOT_AVAILABLE'],
    ['on leave for a moment of it', { presences: [present(0, 2.99)], leave: leave(2.99, 9) }, 72, 'ON_LEAVE'],
    ['on leave until right before', { leave: leave(-9, 0) }, 72, 'seated'],
    ['on leave from right after', { leave: leave(3, 9) }, 72, 'seated'],
    ['suspended and on leave', { active: false, leave: leave(-9, 9) }, 72, 'NOT_AVAILABLE'],
    ['present for any aircraft, with this one listed', { levels: new Map([[VIPER, 'basic']]) }, 72, 'seated'],
    ['present for any aircraft, with only another listed', { levels: new Map([[HORNET, 'expert']]) }, 72, 'AIRCRAFT'],
    [
      'present for this aircraft, with only another listed',
      { presences: [present(0, 3, VIPER)], levels: new Map([[HORNET, 'expert']]) },
      72,
      'seated',
    ],
    [
      'present for this aircraft half of the time and for any, with only another listed',
      { presences: [present(0, 2, VIPER), present(2, 3)], levels: new Map([[HORNET, 'expert']]) },
      72,
      'AIRCRAFT',
    ],
    ['present for another aircraft', { presences: [present(0, 3, HORNET)] }, 72, 'AIRCRAFT'],
    [
      'present for this aircraft half of the time',
      { presences: [present(0, 3, HORNET), present(0, 2, VIPER)] },
      72,
      'AIRCRAFT',
    ],
    [
      'seated elsewhere at the time',
      { commitments: [{ startMs: START + 2 * HOUR_MS, endMs: START + 9 * HOUR_MS }] },
      72,
      'COMMITTED',
    ],
    ['seated elsewhere right before', { commitments: [{ startMs: START - HOUR_MS, endMs: START }] }, 72, 'seated'],
    [
      'seated elsewhere right after',
      { commitments: [{ startMs: mission.endMs, endMs: mission.endMs + 1 }] },
      72,
      'seated',
    ],
    ['on Do Not Disturb, days ahead', { state: 'dnd' }, 24.01, 'seated'],
    ['on Do Not Disturb, a day ahead', { state: 'dnd' }, 24, 'DO_NOT_DISTURB'],
    ['on Do Not Disturb, minutes ahead', { state: 'dnd' }, 0.1, 'DO_NOT_DISTURB'],
  ])('%s', (_rule, more, hoursAhead, expected) => {
    const { seated, ineligible, open } = solve(seat ? [seat] : [], [pilot('p', more)], START - hoursAhead * HOUR_MS);
    expect(seated[0] ? 'seated' : ineligible[0]?.reason).toBe(expected);
    expect(open.length).toBe(expected === 'seated' ? 0 : 1);
  });

  test('a pilot who fits but is not needed is outranked', () => {
    const { seated, ineligible } = solve(flight('a', 1), [pilot('p', { debt: 1 }), pilot('q')]);
    expect(seated.map(({ pilotId }) => pilotId)).toEqual(['p']);
    expect(ineligible).toEqual([{ pilotId: 'q', reason: 'OUTRANKED' }]);
  });

  test('without pilots all seats stay open, and without seats all pilots are outranked', () => {
    expect(solve(flight('a', 2), [])).toEqual({
      seated: [],
      open: [
        { flightId: 'a', seatIndex: 0 },
        { flightId: 'a', seatIndex: 1 },
      ],
      ineligible: [],
    });
    expect(solve([], [pilot('p')])).toEqual({
      seated: [],
      open: [],
      ineligible: [{ pilotId: 'p', reason: 'OUTRANKED' }],
    });
  });
});

test('times in an aircraft include those for any, merged, unless the pilot lists only others', () => {
  const presences = [present(20, 30, HORNET), present(0, 10), present(10, 20, VIPER), present(15, 18)];
  const inAircraft = (aircraftId: number, listed: number[]) =>
    presentIn({ presences, levels: new Map(listed.map((id) => [id, 'basic' as const])) }, aircraftId);
  const hours = (...spans: [number, number][]) =>
    spans.map(([from, to]) => ({ startMs: START + from * HOUR_MS, endMs: START + to * HOUR_MS }));
  expect(inAircraft(VIPER, [])).toEqual(hours([0, 20]));
  expect(inAircraft(HORNET, [])).toEqual(hours([0, 10], [15, 18], [20, 30]));
  expect(inAircraft(HORNET, [HORNET])).toEqual(hours([0, 10], [15, 18], [20, 30]));
  expect(inAircraft(HORNET, [VIPER])).toEqual(hours([20, 30]));
});

describe('priorities', () => {
  const expert = new Map([[VIPER, 'expert' as const]]);
  const proficient = new Map([[VIPER, 'proficient' as const]]);
  const learning = new Map([[VIPER, 'learning' as const]]);

  test('in a flight of four, proficient pilots get the two lead seats', () => {
    const crew = [pilot('a'), pilot('b', { levels: expert }), pilot('c'), pilot('d', { levels: proficient })];
    const bySeat = new Map(solve(flight('f', 4), crew).seated.map(({ seatIndex, pilotId }) => [seatIndex, pilotId]));
    expect(new Set([bySeat.get(0), bySeat.get(2)])).toEqual(new Set(['b', 'd']));
  });

  test('the third seat is a lead seat in flights of three and four', () => {
    for (let size = 2; size <= 4; size++) {
      const crew = Array.from({ length: size }, (_, index) => pilot(`p${index}`, index < 2 ? { levels: expert } : {}));
      const leads = solve(flight('f', size), crew).seated.filter(({ pilotId }) => ['p0', 'p1'].includes(pilotId));
      expect(leads.map(({ seatIndex }) => seatIndex)).toEqual(size === 2 ? [0, 1] : [0, 2]);
    }
  });

  test('a seat is filled even without a proficient pilot, and a lead seat before a wing seat', () => {
    expect(solve(flight('f', 1), [pilot('rookie')]).seated).toHaveLength(1);
    expect(holders(solve(flight('f', 2), [pilot('rookie')]))).toEqual(['f0 rookie']);
  });

  test('a proficient lead has priority over fairness, and fairness over an expert lead', () => {
    const owed = pilot('owed', { debt: 50, levels: learning });
    expect(holders(solve(flight('f', 1), [owed, pilot('able', { levels: proficient })]))).toEqual(['f0 able']);
    const owedAble = pilot('owed', { debt: 0.01, levels: proficient });
    expect(holders(solve(flight('f', 1), [owedAble, pilot('ace', { levels: expert })]))).toEqual(['f0 owed']);
  });

  const basic = new Map([[VIPER, 'basic' as const]]);

  test('pilots who list the aircraft come before those who list none, whatever their debt', () => {
    const listed = pilot('listed', { levels: basic, debt: -9, reliability: 0 });
    expect(holders(solve(flight('f', 1), [listed, pilot('none', { debt: 9 })]))).toEqual(['f0 listed']);
    const exact = pilot('exact', { presences: [present(0, 3, VIPER)], debt: -9 });
    expect(holders(solve(flight('f', 1), [exact, pilot('none', { debt: 9 })]))).toEqual(['f0 exact']);
  });

  test('a pilot who lists none gets a lead seat only if nobody else can take it', () => {
    const crew = [pilot('none', { debt: 9 }), pilot('listed', { levels: basic })];
    expect(holders(solve(flight('f', 2), crew))).toEqual(['f0 listed', 'f1 none']);
    expect(holders(solve(flight('f', 2), crew.slice(0, 1)))).toEqual(['f0 none']);
    const elsewhere = pilot('hornet', { levels: new Map([[HORNET, 'expert']]) });
    expect(holders(solve(flight('f', 2), [pilot('none'), elsewhere]))).toEqual(['f0 none']);
  });

  test('the list counts for support seats, where no level does', () => {
    const seats = flight('t', 1, { role: 'Tanker' });
    expect(solve(seats, [pilot('hornet', { levels: new Map([[HORNET, 'expert']]) })]).seated).toEqual([]);
    expect(holders(solve(seats, [pilot('none', { debt: 9 }), pilot('listed', { levels: basic })]))).toEqual([
      't0 listed',
    ]);
  });

  test('levels do not count on a tanker, so fairness decides', () => {
    const seats = flight('t', 1, { role: 'Tanker' });
    const ranked = [pilot('ace', { levels: expert }), pilot('owed', { levels: basic, debt: 0.01 })];
    expect(holders(solve(seats, ranked))).toEqual(['t0 owed']);
  });

  test('a window for this aircraft counts more than one for any, and then reliability decides', () => {
    const exact = pilot('exact', { presences: [present(0, 3, VIPER)], reliability: 0 });
    expect(holders(solve(flight('f', 1), [pilot('any', { levels: basic }), exact]))).toEqual(['f0 exact']);
    expect(holders(solve(flight('f', 1), [pilot('shaky', { reliability: 0.5 }), pilot('sure')]))).toEqual(['f0 sure']);
  });

  test('a pilot who goes first comes before any level and debt, unless a seat would stay empty', () => {
    const first = pilot('first', { goesFirst: true });
    expect(holders(solve(flight('f', 1), [first, pilot('ace', { levels: expert, debt: 9 })]))).toEqual(['f0 first']);
    const both = [...flight('f', 1), ...flight('h', 1, { aircraftId: HORNET })];
    const onlyViper = pilot('viper', { presences: [present(0, 3, VIPER)] });
    expect(holders(solve(both, [first, onlyViper]))).toEqual(['f0 viper', 'h0 first']);
  });

  test('ties are broken by a hash that differs between missions', () => {
    const crew = Array.from({ length: 12 }, (_, index) => pilot(`p${index}`));
    const winners = Array.from(
      { length: 40 },
      (_, index) =>
        holders(
          seatMission({ seats: flight('f', 1), mission: { ...mission, id: `m${index}` }, nowMs: EARLY, pilots: crew }),
        )[0],
    );
    expect(new Set(winners).size).toBeGreaterThan(6);
  });
});

describe('reasons', () => {
  test.each<[string, Partial<SeatingPilot>, Partial<SeatingSeat>, string[]]>([
    [
      'an exact window and a level',
      { presences: [present(0, 3, VIPER)], levels: new Map([[VIPER, 'proficient']]) },
      {},
      ['You are free from 1900Z to 2200Z.', "You're proficient in the F-16C Viper.", 'You asked for this aircraft.'],
    ],
    [
      'any aircraft, none listed, a longer window',
      { presences: [present(-1, 1), present(1, 7)] },
      {},
      ['You are free from 1800Z to 0200Z.', copy.aircraftUnlisted],
    ],
    [
      'this aircraft, none listed',
      { presences: [present(0, 3, VIPER)] },
      {},
      ['You are free from 1900Z to 2200Z.', 'You asked for this aircraft.'],
    ],
    [
      'a window of days',
      { presences: [present(-30, 30)] },
      {},
      ['You are free from 1900Z to 2200Z.', copy.aircraftUnlisted],
    ],
    [
      'a support seat, none listed',
      {},
      { role: 'AWACS' },
      ['You are free from 1900Z to 2200Z.', copy.aircraftUnlisted],
    ],
    [
      'a support seat',
      { levels: new Map([[VIPER, 'expert']]) },
      { role: 'AWACS' },
      ['You are free from 1900Z to 2200Z.', 'AWACS needs no proficiency in the aircraft.'],
    ],
    [
      'a debt',
      { debt: 0.4, presences: [present(0, 3, VIPER)] },
      {},
      [
        'You are free from 1900Z to 2200Z.',
        'You asked for this aircraft.',
        'You have had fewer seats than others lately.',
      ],
    ],
    [
      'standby',
      { goesFirst: true, presences: [present(0, 3, VIPER)] },
      {},
      ['You are free from 1900Z to 2200Z.', 'You asked for this aircraft.', 'You were on standby for this mission.'],
    ],
  ])('%s', (_rule, more, seat, reasons) => {
    expect(solve(flight('f', 1, seat), [pilot('p', more)]).seated[0]?.reasons).toEqual(reasons);
  });
});
