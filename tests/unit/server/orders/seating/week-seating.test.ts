import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessPilot } from '#server/orders/seating/rules/eligibility.ts';
import { seatMission, type SeatingPilot } from '#server/orders/seating/rules/one-mission/seating.ts';
import { HOUR_MS } from '#server/time/time.ts';
import { seatWeek, type WeekMission } from '#server/orders/seating/rules/week/week-seating.ts';
import { createCrowd, createMatrix, FIT, INELIGIBILITY } from '#server/orders/seating/rules/week/week-matrix.ts';
import { EARLY, flight, HORNET, pilot, present, START, VIPER } from './seating-given.ts';
import { anyMissions, anyWeekPilots, givenWeek, missionAt } from './week-given.ts';

const solve = (missions: WeekMission[], pilots: SeatingPilot[]) => seatWeek({ missions, nowMs: EARLY, pilots });
const crews = (missions: WeekMission[], pilots: SeatingPilot[]) =>
  solve(missions, pilots).seatings.map(({ seated }) => seated.map(({ pilotId }) => pilotId));

/** Seats filled if the missions are issued in this order: pilots of one are not available for others at that time. */
function oneByOne(missions: readonly WeekMission[], pilots: readonly SeatingPilot[]): number {
  let crowd = pilots;
  return missions.reduce((filled, { mission, seats }) => {
    const { seated } = seatMission({ mission, seats, nowMs: EARLY, pilots: crowd });
    const flying = new Set(seated.map(({ pilotId }) => pilotId));
    crowd = crowd.map((one) => (flying.has(one.id) ? { ...one, commitments: [...one.commitments, mission] } : one));
    return filled + seated.length;
  }, 0);
}

describe('missions seated together', () => {
  const listed = new Map([VIPER, HORNET].map((id) => [id, 'basic' as const]));
  const missions = [
    missionAt('a', 0, 3, flight('fa', 1)),
    missionAt('b', 1, 4, flight('fb', 1, { aircraftId: HORNET })),
  ];
  const pilots = [
    pilot('both', { presences: [present(0, 4)], levels: listed, debt: 1 }),
    pilot('viper', { presences: [present(0, 4, VIPER)] }),
    pilot('absent', { presences: [present(0, 1)] }),
    pilot('busy', { presences: [present(0, 4)], commitments: [present(3, 9)] }),
  ];

  test('fill seats that stay open if they are issued one after the other', () => {
    expect(oneByOne(missions, pilots.slice(0, 2))).toBe(1);
    const { seatings, filled, isBest } = solve(missions, pilots.slice(0, 2));
    expect({ filled, isBest }).toEqual({ filled: 2, isBest: true });
    expect(seatings.map(({ seated }) => seated.map(({ pilotId }) => pilotId))).toEqual([['viper'], ['both']]);
  });

  test('give pilots without a seat the other mission at that time as the reason, or another one', () => {
    const { seatings } = solve(missions, [
      ...pilots.slice(0, 3),
      pilot('late', { ...pilots[1], id: 'late', debt: -1 }),
    ]);
    expect(seatings.map(({ ineligible }) => ineligible)).toEqual([
      [
        { pilotId: 'absent', reason: 'NOT_AVAILABLE' },
        { pilotId: 'both', reason: 'COMMITTED' },
        { pilotId: 'late', reason: 'OUTRANKED' },
      ],
      [
        { pilotId: 'absent', reason: 'NOT_AVAILABLE' },
        { pilotId: 'late', reason: 'AIRCRAFT' },
        { pilotId: 'viper', reason: 'COMMITTED' },
      ],
    ]);
  });

  test('do not take pilots from other missions', () => {
    expect(crews([missionAt('b', 1, 4, flight('fb', 1))], pilots.slice(3))).toEqual([[]]);
  });

  test('are flown back to back by one pilot', () => {
    const chain = [missionAt('a', 0, 3, flight('fa', 1)), missionAt('b', 3, 6, flight('fb', 1))];
    expect(crews(chain, [pilot('one', { presences: [present(0, 6)] })])).toEqual([['one'], ['one']]);
  });

  test('give a single pilot the first and the last of three that overlap in a chain', () => {
    const chain = [
      missionAt('a', 0, 3, flight('fa', 1)),
      missionAt('b', 2, 5, flight('fb', 1)),
      missionAt('c', 4, 7, flight('fc', 1)),
    ];
    expect(crews(chain, [pilot('one', { presences: [present(0, 7)] })])).toEqual([['one'], [], ['one']]);
  });

  test('give equal pilots one evening each', () => {
    const evenings = [0, 24, 48, 72].map((hour) => missionAt(`m${hour}`, hour, hour + 3, flight(`f${hour}`, 1)));
    const equals = ['p', 'q', 'r', 's'].map((id) => pilot(id, { presences: [present(0, 90)] }));
    expect(crews(evenings, equals).flat().toSorted()).toEqual(['p', 'q', 'r', 's']);
  });

  test('seat the pilot with the highest fairness debt', () => {
    const owed = pilot('owed', { presences: [present(0, 4)], debt: 1 });
    const others = ['a', 'b', 'c'].map((id) => pilot(id, { presences: [present(0, 4)] }));
    expect(crews(missions, [...others, owed]).flat()).toContain('owed');
  });

  test('without seats have none', () => {
    expect(solve([], pilots)).toEqual({ seatings: [], filled: 0, isBest: true });
    const empty = missionAt('a', 0, 3, []);
    expect(solve([empty], pilots).seatings).toEqual([seatMission({ ...empty, nowMs: EARLY, pilots })]);
  });
});

test('the matrix agrees with the assessment of each pilot', () => {
  const anyOne = anyMissions(fc.constant([[0, 3]] as const), 8);
  fc.assert(
    fc.property(anyOne, anyWeekPilots(4, 8), fc.constantFrom(EARLY, START - HOUR_MS), ([one], pilots, nowMs) => {
      if (!one) throw new Error('no mission');
      const { mission, seats } = one;
      const matrix = createMatrix(mission, seats, createCrowd(pilots), nowMs);
      pilots.forEach((each, place) => {
        const { reason, fitFor } = assessPilot(each, mission, nowMs);
        const fits = matrix.aircraftIds.map(fitFor);
        const isCandidate = reason === null && fits.some((fit) => fit !== null);
        const free = isCandidate ? INELIGIBILITY.OUTRANKED : INELIGIBILITY.AIRCRAFT;
        expect(matrix.ineligibility[place]).toBe(reason === null ? free : INELIGIBILITY[reason]);
        const row = matrix.candidates.indexOf(place);
        expect(row >= 0).toBe(isCandidate);
        if (!isCandidate) return;
        const start = row * matrix.aircraftIds.length;
        expect([...matrix.fits.subarray(start, start + fits.length)]).toEqual(
          fits.map((fit) => (fit === null ? FIT.none : FIT[fit])),
        );
      });
    }),
    { numRuns: 1000 },
  );
});

describe('a week of 20 missions of 64 seats', () => {
  test('is filled completely when there are enough pilots', () => {
    const week = givenWeek({ seed: 1, pilots: 5000 });
    const { filled, isBest } = seatWeek(week);
    expect({ filled, isBest }).toEqual({ filled: 20 * 64, isBest: true });
  });

  test('is seated at a proven optimum when there are not', () => {
    const week = givenWeek({ seed: 1, pilots: 1000 });
    const { filled, isBest } = seatWeek(week);
    expect(isBest).toBe(true);
    expect(filled).toBeGreaterThan(oneByOne(week.missions, week.pilots));
  });
});
