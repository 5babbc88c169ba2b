import { expect, test } from 'vitest';
import { HOUR_MS } from '#server/domain/time.ts';
import { seatWeek, type WeekMission } from '#server/domain/week-seating.ts';
import { EARLY, flight, HORNET, pilot, present, START, VIPER } from './seating-given.ts';

const missionAt = (id: string, from: number, to: number, seats = flight(`${id} f`, 2)): WeekMission => ({
  mission: { id, startMs: START + from * HOUR_MS, endMs: START + to * HOUR_MS },
  seats,
});

test('seats together what one after the other leaves open', () => {
  const missions = [
    missionAt('a', 0, 3, flight('fa', 1)),
    missionAt('b', 1, 4, flight('fb', 1, { aircraftId: HORNET })),
  ];
  const pilots = [
    pilot('both', { presences: [present(0, 4)], debt: 1 }),
    pilot('viper', { presences: [present(0, 4, VIPER)] }),
  ];
  const { seatings, filled, isBest } = seatWeek({ missions, nowMs: EARLY, pilots });
  expect({ filled, isBest }).toEqual({ filled: 2, isBest: true });
  expect(seatings.map(({ seated }) => seated.map(({ pilotId }) => pilotId))).toEqual([['viper'], ['both']]);
  expect(seatings.map(({ unseated }) => unseated)).toEqual([
    [{ pilotId: 'both', reason: 'COMMITTED' }],
    [{ pilotId: 'viper', reason: 'COMMITTED' }],
  ]);
});
