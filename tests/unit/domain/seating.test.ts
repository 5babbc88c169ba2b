import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Presence } from '#server/domain/availability.ts';
import { type Seating, seatMission, type SeatingPilot, type SeatingSeat } from '#server/domain/seating.ts';
import { HOUR_MS } from '#server/domain/time.ts';
import { type MissionRole, PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';

const START = Date.UTC(2026, 6, 1, 19);
const HOURS = 3;
const mission = { id: 'mission', startMs: START, endMs: START + HOURS * HOUR_MS };
const EARLY = START - 72 * HOUR_MS;
const VIPER = 2;
const HORNET = 1;

/** Present from hour `from` to hour `to` after mission start. */
function present(from: number, to: number, aircraftId: number | null = null): Presence {
  return { startMs: START + from * HOUR_MS, endMs: START + to * HOUR_MS, aircraftId, source: 'template', notes: null };
}
function pilot(id: string, more: Partial<SeatingPilot> = {}): SeatingPilot {
  return {
    id,
    active: true,
    presences: [present(0, HOURS)],
    commitments: [],
    state: 'available',
    levels: new Map(),
    debt: 0,
    reliability: 1,
    ...more,
  };
}
function flight(flightId: string, flightSize: number, more: Partial<SeatingSeat> = {}): SeatingSeat[] {
  return Array.from({ length: flightSize }, (_, seatIndex) => ({
    flightId,
    seatIndex,
    aircraftId: VIPER,
    aircraftName: 'F-16C Viper',
    role: 'CAP' as MissionRole,
    flightSize,
    ...more,
  }));
}
const solve = (seats: SeatingSeat[], pilots: SeatingPilot[], nowMs = EARLY) =>
  seatMission({ seats, mission, nowMs, pilots });
const holders = ({ seated }: Seating) =>
  seated.map(({ flightId, seatIndex, pilotId }) => `${flightId}${seatIndex} ${pilotId}`);

describe('who may hold a seat', () => {
  const [seat] = flight('a', 1);
  test.each<[string, Partial<SeatingPilot>, number, string]>([
    ['present throughout', {}, 72, 'seated'],
    ['present by two windows that touch', { presences: [present(0, 1), present(1, 3, VIPER)] }, 72, 'seated'],
    ['away for a moment', { presences: [present(0, 1), present(1.01, 3)] }, 72, 'NOT_AVAILABLE'],
    ['leaving early', { presences: [present(-2, 2.99)] }, 72, 'NOT_AVAILABLE'],
    ['suspended', { active: false }, 72, 'NOT_AVAILABLE'],
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
    ['not to be disturbed, days ahead', { state: 'dnd' }, 24.01, 'seated'],
    ['not to be disturbed, a day ahead', { state: 'dnd' }, 24, 'DO_NOT_DISTURB'],
    ['not to be disturbed, minutes ahead', { state: 'dnd' }, 0.1, 'DO_NOT_DISTURB'],
  ])('%s', (_rule, more, hoursAhead, expected) => {
    const { seated, unseated, open } = solve(seat ? [seat] : [], [pilot('p', more)], START - hoursAhead * HOUR_MS);
    expect(seated[0] ? 'seated' : unseated[0]?.reason).toBe(expected);
    expect(open.length).toBe(expected === 'seated' ? 0 : 1);
  });

  test('a pilot who fits but is not needed is outranked', () => {
    const { seated, unseated } = solve(flight('a', 1), [pilot('p', { debt: 1 }), pilot('q')]);
    expect(seated.map(({ pilotId }) => pilotId)).toEqual(['p']);
    expect(unseated).toEqual([{ pilotId: 'q', reason: 'OUTRANKED' }]);
  });

  test('a mission without pilots stays open, one without seats seats nobody', () => {
    expect(solve(flight('a', 2), [])).toEqual({
      seated: [],
      open: [
        { flightId: 'a', seatIndex: 0 },
        { flightId: 'a', seatIndex: 1 },
      ],
      unseated: [],
    });
    expect(solve([], [pilot('p')])).toEqual({
      seated: [],
      open: [],
      unseated: [{ pilotId: 'p', reason: 'OUTRANKED' }],
    });
  });
});

describe('who is preferred', () => {
  const expert = new Map([[VIPER, 'expert' as const]]);
  const proficient = new Map([[VIPER, 'proficient' as const]]);
  const learning = new Map([[VIPER, 'learning' as const]]);

  test('in a four-ship the two leads go to proficient pilots, a rookie flies wing', () => {
    const crew = [pilot('a'), pilot('b', { levels: expert }), pilot('c'), pilot('d', { levels: proficient })];
    const bySeat = new Map(solve(flight('f', 4), crew).seated.map(({ seatIndex, pilotId }) => [seatIndex, pilotId]));
    expect(new Set([bySeat.get(0), bySeat.get(2)])).toEqual(new Set(['b', 'd']));
  });

  test('the third seat leads in a flight of three, and there is no third in a pair', () => {
    for (let size = 2; size <= 4; size++) {
      const crew = Array.from({ length: size }, (_, index) => pilot(`p${index}`, index < 2 ? { levels: expert } : {}));
      const leads = solve(flight('f', size), crew).seated.filter(({ pilotId }) => ['p0', 'p1'].includes(pilotId));
      expect(leads.map(({ seatIndex }) => seatIndex)).toEqual(size === 2 ? [0, 1] : [0, 2]);
    }
  });

  test('a seat is filled rather than kept for a better pilot, and a lead rather than a wing', () => {
    expect(solve(flight('f', 1), [pilot('rookie')]).seated).toHaveLength(1);
    expect(holders(solve(flight('f', 2), [pilot('rookie')]))).toEqual(['f0 rookie']);
  });

  test('a proficient lead goes before fairness, fairness before an expert one', () => {
    const owed = pilot('owed', { debt: 50, levels: learning });
    expect(holders(solve(flight('f', 1), [owed, pilot('able', { levels: proficient })]))).toEqual(['f0 able']);
    const owedAble = pilot('owed', { debt: 0.01, levels: proficient });
    expect(holders(solve(flight('f', 1), [owedAble, pilot('ace', { levels: expert })]))).toEqual(['f0 owed']);
  });

  test('nobody’s level counts on a tanker: the longest owed flies it', () => {
    const seats = flight('t', 1, { role: 'Tanker' });
    const ranked = [pilot('ace', { levels: expert }), pilot('owed', { debt: 0.01 })];
    expect(holders(solve(seats, ranked))).toEqual(['t0 owed']);
  });

  test('then who asked for this aircraft, then who turns up', () => {
    const exact = pilot('exact', { presences: [present(0, 3, VIPER)], reliability: 0 });
    expect(holders(solve(flight('f', 1), [pilot('any'), exact]))).toEqual(['f0 exact']);
    expect(holders(solve(flight('f', 1), [pilot('shaky', { reliability: 0.5 }), pilot('sure')]))).toEqual(['f0 sure']);
  });

  test('a pilot who goes first does so whatever the level, but never at the cost of a seat', () => {
    const first = pilot('first', { goesFirst: true });
    expect(holders(solve(flight('f', 1), [first, pilot('ace', { levels: expert, debt: 9 })]))).toEqual(['f0 first']);
    const both = [...flight('f', 1), ...flight('h', 1, { aircraftId: HORNET })];
    const onlyViper = pilot('viper', { presences: [present(0, 3, VIPER)] });
    expect(holders(solve(both, [first, onlyViper]))).toEqual(['f0 viper', 'h0 first']);
  });

  test('equals are drawn by lot, and the lot differs between missions', () => {
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
      ['You are free from 1900Z to 2200Z.', 'You fly the F-16C Viper as proficient.', 'You asked for this aircraft.'],
    ],
    [
      'any aircraft, no level, a longer window',
      { presences: [present(-1, 1), present(1, 7)] },
      {},
      ['You are free from 1800Z to 0200Z.'],
    ],
    ['a window of days', { presences: [present(-30, 30)] }, {}, ['You are free from 1900Z to 2200Z.']],
    [
      'a support seat',
      {},
      { role: 'AWACS' },
      ['You are free from 1900Z to 2200Z.', 'AWACS needs no proficiency in the aircraft.'],
    ],
    [
      'a debt',
      { debt: 0.4 },
      {},
      ['You are free from 1900Z to 2200Z.', 'You have had fewer seats than others lately.'],
    ],
    [
      'standby',
      { goesFirst: true },
      {},
      ['You are free from 1900Z to 2200Z.', 'You were on standby for this mission.'],
    ],
  ])('%s', (_rule, more, seat, reasons) => {
    expect(solve(flight('f', 1, seat), [pilot('p', more)]).seated[0]?.reasons).toEqual(reasons);
  });
});

const anyHour = fc.integer({ min: -1, max: HOURS + 1 });
const anyPresence = fc
  .tuple(anyHour, anyHour, fc.constantFrom(null, null, VIPER, HORNET))
  .map(([a, b, aircraftId]) => present(Math.min(a, b), Math.max(a, b), aircraftId));
const fullPresence = fc.constantFrom(present(0, HOURS), present(0, HOURS, VIPER), present(-1, HOURS + 1, HORNET));
const anyLevels = fc
  .tuple(fc.option(fc.constantFrom(...PROFICIENCY_LEVELS)), fc.option(fc.constantFrom(...PROFICIENCY_LEVELS)))
  .map(([viper, hornet]) => {
    const rows = [
      [VIPER, viper],
      [HORNET, hornet],
    ] as const;
    return new Map(rows.flatMap(([id, level]) => (level === null ? [] : [[id, level] as const])));
  });
/** Eighths and quarters are exact in binary and in the code's steps, so sums can be compared as they are. */
const anyPilots = (max: number) =>
  fc
    .array(
      fc.record({
        active: fc.constantFrom(true, true, true, true, false),
        presences: fc.oneof(fc.tuple(fullPresence), fc.array(fc.oneof(fullPresence, anyPresence), { maxLength: 3 })),
        commitments: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, fc.tuple(anyPresence)),
        state: fc.constantFrom('available' as const, 'now' as const, 'dnd' as const),
        levels: anyLevels,
        debt: fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
        reliability: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
        goesFirst: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: max },
    )
    .map((pilots) => pilots.map((one, index): SeatingPilot => ({ id: `p${index}`, ...one })));
const anySeats = (maxFlights: number) =>
  fc
    .array(
      fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        aircraftId: fc.constantFrom(VIPER, HORNET),
        role: fc.constantFrom('CAP' as const, 'Tanker' as const, 'SEAD' as const),
      }),
      { maxLength: maxFlights },
    )
    .map((flights) => flights.flatMap(({ size, ...rest }, index) => flight(`f${index}`, size, rest)));

/** Quarter hours one by one: no interval arithmetic shared with the code. */
function fits(one: SeatingPilot, aircraftId: number, nowMs: number): 'exact' | 'any' | null {
  const isHeld = (at: number, list: readonly Presence[]) =>
    list.some(({ startMs, endMs }) => startMs <= at && at < endMs);
  const moments = Array.from({ length: HOURS * 4 }, (_, index) => START + (index * HOUR_MS) / 4);
  if (!one.active || (one.state === 'dnd' && START - nowMs <= 24 * HOUR_MS)) return null;
  if (one.commitments.some((busy) => moments.some((at) => busy.startMs <= at && at < busy.endMs))) return null;
  const own = one.presences.filter((each) => each.aircraftId === aircraftId);
  if (moments.every((at) => isHeld(at, own))) return 'exact';
  const suitable = one.presences.filter((each) => each.aircraftId === null || each.aircraftId === aircraftId);
  return moments.every((at) => isHeld(at, suitable)) ? 'any' : null;
}

type Score = number[];
/** What one way of seating is worth, by the priorities as the rules word them; more is better. */
function scoreOf(seats: SeatingSeat[], given: (SeatingPilot | null)[], nowMs: number): Score {
  const score = [0, 0, 0, 0, 0, 0, 0];
  const gain = (criterion: number, amount: number) => (score[criterion] = (score[criterion] ?? 0) + amount);
  seats.forEach((seat, index) => {
    const holder = given[index];
    const leads = seat.role !== 'Tanker' && (seat.seatIndex === 0 || (seat.seatIndex === 2 && seat.flightSize > 2));
    if (!holder) {
      if (leads) gain(4, -1);
      return;
    }
    const level = PROFICIENCY_LEVELS.indexOf(holder.levels.get(seat.aircraftId) ?? 'basic');
    gain(0, 1);
    gain(1, holder.goesFirst ? 1 : 0);
    gain(2, leads && level >= 2 ? 1 : 0);
    gain(3, holder.debt);
    gain(4, leads ? level : 0);
    gain(5, fits(holder, seat.aircraftId, nowMs) === 'exact' ? 1 : 0);
    gain(6, holder.reliability);
  });
  return score;
}
function isBetter(a: Score, b: Score): boolean {
  const differing = a.findIndex((value, criterion) => value !== b[criterion]);
  return differing >= 0 && (a[differing] ?? 0) > (b[differing] ?? 0);
}

describe('the optimum', () => {
  test.each([
    ['days ahead', 72],
    ['hours ahead', 5],
  ])('is what trying every way finds: %s', (_rule, hoursAhead) => {
    const nowMs = START - hoursAhead * HOUR_MS;
    fc.assert(
      fc.property(anySeats(3), anyPilots(6), (allSeats, pilots) => {
        const seats = allSeats.slice(0, 6);
        const given: (SeatingPilot | null)[] = seats.map(() => null);
        const suitable = seats.map(({ aircraftId }) => pilots.filter((one) => fits(one, aircraftId, nowMs) !== null));
        let best: Score | null = null;
        const tryFrom = (index: number) => {
          if (index === seats.length) {
            const score = scoreOf(seats, given, nowMs);
            if (!best || isBetter(score, best)) best = score;
            return;
          }
          given[index] = null;
          tryFrom(index + 1);
          for (const one of suitable[index] ?? []) {
            if (given.slice(0, index).includes(one)) continue;
            given[index] = one;
            tryFrom(index + 1);
          }
          given[index] = null;
        };
        tryFrom(0);

        const { seated, open, unseated } = solve(seats, pilots, nowMs);
        const found = seats.map((seat) => {
          const holder = seated.find((one) => one.flightId === seat.flightId && one.seatIndex === seat.seatIndex);
          const one = pilots.find(({ id }) => id === holder?.pilotId) ?? null;
          if (one) expect(fits(one, seat.aircraftId, nowMs)).not.toBeNull();
          return one;
        });
        expect(scoreOf(seats, found, nowMs)).toEqual(best);
        expect(seated.length + open.length).toBe(seats.length);
        expect(new Set([...seated, ...unseated].map(({ pilotId }) => pilotId)).size).toBe(pilots.length);
        expect(seated.length + unseated.length).toBe(pilots.length);
      }),
      { numRuns: 250 },
    );
  });

  test('does not depend on the order of seats, pilots or windows', () => {
    fc.assert(
      fc.property(anySeats(8), anyPilots(30), fc.integer(), (seats, pilots, seed) => {
        const shuffle = <T>(items: readonly T[]): T[] =>
          items
            .map((item, index) => ({ item, key: Math.sin(seed + index * 7919) }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const shuffled = shuffle(pilots.map((one) => ({ ...one, presences: shuffle(one.presences) })));
        expect(solve(shuffle(seats), shuffled)).toEqual(solve(seats, pilots));
      }),
      { numRuns: 150 },
    );
  });

  /** The size of a maximum matching by augmenting paths. */
  function largestMatching(fitting: readonly (readonly number[])[], pilots: number): number {
    const seatOf = Array.from({ length: pilots }, () => -1);
    const augment = (seat: number, seen: Set<number>): boolean =>
      (fitting[seat] ?? []).some((one) => {
        if (seen.has(one)) return false;
        seen.add(one);
        const held = seatOf[one] ?? -1;
        if (held >= 0 && !augment(held, seen)) return false;
        seatOf[one] = seat;
        return true;
      });
    return fitting.filter((_, seat) => augment(seat, new Set())).length;
  }

  test('fills as many seats as any way could when pilots are scarce', () => {
    const kinds = [1, 2, 3, 4, 5, 6];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 4 })), { maxLength: 12 }),
        fc.array(fc.tuple(fc.subarray(kinds, { maxLength: 3 }), fc.integer({ min: -8, max: 8 })), { maxLength: 36 }),
        (flights, crews) => {
          const seats = flights.flatMap(([aircraftId, size], index) => flight(`f${index}`, size, { aircraftId }));
          const pilots = crews.map(([own, debt], index) =>
            pilot(`p${index}`, { debt, presences: own.map((aircraftId) => present(0, HOURS, aircraftId)) }),
          );
          const fitting = seats.map(({ aircraftId }) =>
            crews.flatMap(([own], index) => (own.includes(aircraftId) ? [index] : [])),
          );
          expect(solve(seats, pilots).seated.length).toBe(largestMatching(fitting, pilots.length));
        },
      ),
      { numRuns: 400 },
    );
  });

  /** A crowd in which everybody differs in everything, so that ties do not make it easy. */
  function crowd(count: number): SeatingPilot[] {
    let state = 1;
    const next = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    return Array.from({ length: count }, (_, index) =>
      pilot(`p${index}`, {
        presences: [
          present(-1, 4, 1 + next(6)),
          present(0, 3, 1 + next(6)),
          present(0, 3, next(5) ? 1 + next(6) : null),
        ],
        levels: new Map([1, 2, 3, 4, 5, 6].map((id) => [id, PROFICIENCY_LEVELS[next(4)] ?? 'basic'])),
        debt: next(3_000_000) / 1_000_000 - 1,
        reliability: next(1000) / 1000,
      }),
    );
  }

  test.each([
    [256, 500],
    [256, 200],
    [64, 1000],
  ])('of %i seats and %i pilots takes well under a second', (count, crew) => {
    const seats = Array.from({ length: count / 4 }, (_, index) =>
      flight(`f${index}`, 4, { aircraftId: 1 + (index % 6) }),
    ).flat();
    const pilots = crowd(crew);
    const before = performance.now();
    const { seated } = solve(seats, pilots);
    expect(performance.now() - before).toBeLessThan(1000);
    expect(seated.length).toBe(Math.min(count, crew));
  });
});
