/** The checker of the mission histories reports seats left empty or given to pilots on leave, and allows for concurrent transactions. */
import { describe, expect, test } from 'vitest';
import type { Change, FlightRow, Journal, LeaveRow, MissionRow, OrderRow, SeatRow, Tx } from './life-journal.ts';
import { findIllegal } from './life-model.ts';

const DAY_MS = 86_400_000;
const HOURS = { startMs: 2 * DAY_MS, endMs: 2 * DAY_MS + 7_200_000 };
const mission = (id: string): MissionRow => ({ id, name: id, status: 'scheduled', ...HOURS });
const flight = (missionId: string): FlightRow => ({
  id: `flight of ${missionId}`,
  missionId,
  aircraftId: 2,
  side: 0,
  role: 'CAP',
  sizeCap: 1,
  radioFreq: null,
});
const order = (missionId: string, pilotId: string): OrderRow => ({
  id: `${pilotId} in ${missionId}`,
  missionId,
  pilotId,
  flightId: `flight of ${missionId}`,
  seatIndex: 0,
  status: 'issued',
  statusReason: null,
  rsvp: 'pending',
  isSharedOffer: false,
  isLate: false,
  issuedMs: 0,
  expiresMs: DAY_MS,
});
const seat = (missionId: string, pilotId: string): SeatRow => ({
  ...HOURS,
  flightId: `flight of ${missionId}`,
  seatIndex: 0,
  pilotId,
  missionId,
  orderId: `${pilotId} in ${missionId}`,
});

/** A mission whose only seat is taken. */
const made = (missionId: string, pilotId: string): Change[] => [
  { table: 'mission', before: null, after: mission(missionId) },
  { table: 'flight', before: null, after: flight(missionId) },
  { table: 'order', before: null, after: order(missionId, pilotId) },
  { table: 'seat', before: null, after: seat(missionId, pilotId) },
];
const removed = (missionId: string, pilotId: string): Change[] => {
  const before = order(missionId, pilotId);
  return [
    { table: 'seat', before: seat(missionId, pilotId), after: null },
    { table: 'order', before, after: { ...before, status: 'cancelled', statusReason: 'superseded' } },
  ];
};
const account = (id: string): Change => ({ table: 'pilot', before: null, after: { id, isActive: true } });

/** Transactions in journal order, at any times. */
function tell(...txs: Omit<Tx, 'id'>[]): Journal {
  const told = txs.map((tx, index) => ({ ...tx, id: `${index}` }));
  return {
    txs: told,
    steps: told.flatMap((tx) =>
      tx.changes.map((change, index) => ({ tx, change, isLast: index === tx.changes.length - 1 })),
    ),
  };
}

const findEmpty = (journal: Journal, aircraftId = 2) =>
  findIllegal({ journal, calls: [], clockTxs: new Set(), pilots: [{ id: 'Idle', aircraftId }] }).filter((line) =>
    line.includes('was left empty'),
  );

const before = { beganMs: 0, lastMs: 10, committedByMs: 20, changes: [account('Idle'), ...made('M', 'Holder')] };
const freed = { beganMs: 60_000, lastMs: 60_100, committedByMs: 61_000, changes: removed('M', 'Holder') };

test('a freed seat that an idle pilot could fly was left empty', () => {
  expect(findEmpty(tell(before, freed))).toEqual(['seat flight of M:0 was left empty, though Idle could fly it (1)']);
});

test('not when a concurrent transaction may have given the pilot a seat', () => {
  const meanwhile = { beganMs: 59_000, lastMs: 60_200, committedByMs: 60_300, changes: made('N', 'Idle') };
  expect(findEmpty(tell(before, freed, meanwhile))).toEqual([]);
  const afterwards = { beganMs: 69_000, lastMs: 70_200, committedByMs: 70_300, changes: made('N', 'Idle') };
  expect(findEmpty(tell(before, freed, afterwards))).toHaveLength(1);
});

test('not when a pilot who is free for any aircraft lists other ones', () => {
  const lists = (aircraftId: number) => ({
    beganMs: 100,
    lastMs: 110,
    committedByMs: 120,
    changes: [{ table: 'listed', before: null, after: { pilotId: 'Idle', aircraftId } }] satisfies Change[],
  });
  expect(findEmpty(tell(before, freed), 0)).toHaveLength(1);
  expect(findEmpty(tell(before, lists(2), freed), 0)).toHaveLength(1);
  expect(findEmpty(tell(before, lists(3), freed), 0)).toEqual([]);
  expect(findEmpty(tell(before, lists(3), lists(2), freed), 0)).toHaveLength(1);
});

describe('a pilot on leave', () => {
  const leave = (pilotId: string, startMs = HOURS.startMs - DAY_MS): LeaveRow => ({
    pilotId,
    startMs,
    endMs: startMs + 2 * DAY_MS,
  });
  const set = (after: LeaveRow | null, earlier: LeaveRow | null = null) =>
    ({ table: 'leave', before: earlier, after }) satisfies Change;
  const away = { beganMs: 0, lastMs: 10, committedByMs: 20, changes: [account('Idle'), set(leave('Idle'))] };
  const asked = { beganMs: 60_000, lastMs: 60_100, committedByMs: 61_000, changes: made('M', 'Idle') };
  const findAsked = (journal: Journal) =>
    findIllegal({ journal, calls: [], clockTxs: new Set(), pilots: [] }).filter((line) => line.includes('on leave'));

  test('is asked, and gets a seat', () => {
    expect(findAsked(tell(away, asked))).toEqual([
      expect.stringContaining('order Idle in M asks a pilot on leave'),
      'Idle got seat flight of M:0 while on leave (1)',
    ]);
  });

  test('not when the leave ended before, is at another time, or was set at that moment', () => {
    const back = { beganMs: 100, lastMs: 110, committedByMs: 120, changes: [set(null, leave('Idle'))] };
    expect(findAsked(tell(away, back, asked))).toEqual([]);
    const later = { ...away, changes: [account('Idle'), set(leave('Idle', HOURS.endMs))] };
    expect(findAsked(tell(later, asked))).toEqual([]);
    const meanwhile = { ...away, beganMs: 59_990, lastMs: 60_050, committedByMs: 60_060 };
    expect(findAsked(tell(meanwhile, asked))).toEqual([]);
  });

  test('keeps a seat that is moved into the leave', () => {
    const early = { startMs: DAY_MS / 2, endMs: DAY_MS / 2 + 3_600_000 };
    const inTime = { ...seat('M', 'Idle'), ...early };
    const taken = { ...away, changes: [...away.changes, { table: 'seat', before: null, after: inTime } as Change] };
    const moved = { ...asked, changes: [{ table: 'seat', before: inTime, after: seat('M', 'Idle') } as Change] };
    expect(findAsked(tell(taken, moved))).toEqual(['Idle got seat flight of M:0 while on leave (1)']);
  });
});
