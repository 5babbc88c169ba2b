/** The sample community's missions, with times relative to now, so that there are always past, current and upcoming ones. */
import { addDays, DAY_MS, HOUR_MS, localDate, MINUTE_MS, toInstantMs } from '#server/time/time.ts';
import type { Interval } from '#server/time/intervals.ts';
import { SIDES, type Attendance, type MissionRole, type Side, type Theater } from '#shared/vocabulary.ts';

/**
 * A pilot's reaction to an order. `give back`: accepts, and declines 70 min before the start; `silent`: does not answer, so
 * that the order is pending or has expired by now.
 */
export type SampleReply = 'accept' | 'confirm' | 'decline' | 'standby' | 'give back' | 'silent';

type Region = 'europe' | 'america' | 'pacific';

/** The usual time of missions in each part of the world. */
const EVENINGS: Record<Region, { timeZone: string; startLocal: string; minutes: number }> = {
  europe: { timeZone: 'Europe/London', startLocal: '19:30', minutes: 150 },
  america: { timeZone: 'America/New_York', startLocal: '20:30', minutes: 120 },
  pacific: { timeZone: 'Asia/Tokyo', startLocal: '19:30', minutes: 150 },
};

/** The current mission began 40 min ago and lasts 3 h; missions on other evenings do not overlap it. */
const IN_THE_AIR = { sinceMinutes: 40, minutes: 180 };
const LAST_EVENING_OVER_SINCE = 2 * HOUR_MS;
const FIRST_EVENING_IN = 3.5 * HOUR_MS;

type SampleSlotRow = readonly [aircraftCode: string, slotCount: number, role: MissionRole, side?: Side];

export interface SampleMission {
  name: string;
  theater: Theater;
  notes: string | null;
  /** evenings of a region count from 0 (the next one) and from -1 (the last one) */
  when: readonly [region: Region, evening: number] | 'now';
  /** hours before start, or before now */
  issued: { beforeStart: number } | { beforeNow: number };
  slots: readonly SampleSlotRow[];
  /** reactions to its orders in the order of issue, without the printed pilots; further orders are accepted */
  replies: readonly SampleReply[];
  /** by mailbox */
  repliesOf?: Readonly<Record<string, SampleReply>>;
  /** attendance by order; pilots beyond the list all attended. Undefined: not recorded yet */
  attendance?: readonly Attendance[];
  isDraft?: boolean;
  cancelledBeforeNow?: number;
}

const { red: RED } = SIDES;

/** Upcoming missions have enough seats for everybody who is free that evening, so that the printed pilots have one. */
export const SAMPLE_MISSIONS: readonly SampleMission[] = [
  {
    name: 'Op Paper Crane',
    theater: 'Syria',
    notes: 'Escort and strike on the Palmyra road.',
    when: ['europe', -2],
    issued: { beforeStart: 72 },
    slots: [
      ['F-16C_50', 3, 'Strike'],
      ['FA-18C_hornet', 2, 'SEAD'],
    ],
    replies: ['confirm', 'accept', 'decline', 'confirm', 'silent'],
    attendance: ['attended', 'no_show'],
  },
  {
    name: 'Op Cold Lantern',
    theater: 'Kola',
    notes: 'Defensive counter-air over the northern convoy.',
    when: ['europe', -1],
    issued: { beforeStart: 72 },
    slots: [
      ['F-14B', 2, 'CAP'],
      ['F-16C_50', 4, 'CAP'],
      ['GCI', 1, 'AWACS'],
    ],
    replies: ['confirm', 'confirm', 'silent', 'accept', 'decline', 'give back'],
  },
  {
    name: 'Op Dust Ledger',
    theater: 'Nevada',
    notes: null,
    when: ['america', -1],
    issued: { beforeStart: 60 },
    slots: [
      ['A-10C_2', 4, 'CAS'],
      ['MiG-29S', 2, 'Intercept', RED],
    ],
    replies: ['confirm', 'accept', 'give back', 'confirm'],
    attendance: ['attended', 'attended', 'excused'],
  },
  {
    name: 'Op Tidewater',
    theater: 'Mariana Islands',
    notes: 'Carrier qualifications afterwards for whoever stays.',
    when: ['pacific', -1],
    issued: { beforeStart: 48 },
    slots: [
      ['FA-18C_hornet', 4, 'Strike'],
      ['F-15C', 2, 'CAP'],
    ],
    replies: ['accept', 'confirm', 'decline', 'confirm'],
    attendance: ['attended', 'attended', 'attended', 'no_show'],
  },
  {
    name: 'Op Open Window',
    theater: 'Caucasus',
    notes: 'Continuous operations. Late seats are filled from standby.',
    when: 'now',
    issued: { beforeNow: 30 },
    slots: [
      ['F-16C_50', 4, 'CAP'],
      ['A-10C_2', 2, 'CAS'],
    ],
    replies: ['give back', 'confirm', 'accept', 'confirm', 'decline'],
  },
  {
    name: 'Op Glass Anvil',
    theater: 'Persian Gulf',
    notes: 'Package strike on the coastal batteries. Brief at start, radios up ten minutes earlier.',
    when: ['europe', 0],
    issued: { beforeStart: 72 },
    slots: [
      ['FA-18C_hornet', 4, 'SEAD'],
      ['F-15ESE', 4, 'Strike'],
      ['F-16C_50', 2, 'CAP'],
      ['GCI', 1, 'AWACS'],
      ['C-130J-30', 1, 'Tanker'],
    ],
    replies: ['confirm', 'accept', 'decline', 'confirm', 'accept', 'silent'],
    repliesOf: { vesper: 'accept' },
  },
  {
    name: 'Op Harbor Light',
    theater: 'Sinai',
    notes: 'Red air is flown by us too: ask for a MiG if you want one.',
    when: ['america', 0],
    issued: { beforeStart: 72 },
    slots: [
      ['F-16C_50', 4, 'Strike'],
      ['A-10C_2', 4, 'CAS'],
      ['FA-18C_hornet', 2, 'CAP'],
      ['MiG-29S', 2, 'CAP', RED],
    ],
    replies: ['accept', 'confirm', 'silent', 'accept', 'decline'],
    repliesOf: { brakeline: 'accept' },
  },
  {
    name: 'Op Salt Road',
    theater: 'South Atlantic',
    notes: null,
    when: ['pacific', 0],
    issued: { beforeStart: 60 },
    slots: [
      ['AV8BNA', 4, 'CAS'],
      ['FA-18C_hornet', 4, 'CAP'],
    ],
    replies: ['confirm', 'accept', 'decline', 'accept'],
    repliesOf: { inari: 'accept' },
  },
  {
    name: 'Op Quiet Thunder',
    theater: 'Syria',
    notes: 'First wave at low level, second wave at angels 25.',
    when: ['europe', 1],
    issued: { beforeNow: 0.5 },
    slots: [
      ['F-16C_50', 4, 'SEAD'],
      ['FA-18C_hornet', 4, 'Strike'],
      ['AH-64D_BLK_II', 2, 'CAS'],
      ['M-2000C', 2, 'CAP', RED],
    ],
    replies: ['accept', 'silent', 'accept', 'silent', 'confirm'],
    repliesOf: { vesper: 'silent' },
  },
  {
    name: 'Red Flag, evening one',
    theater: 'Nevada',
    notes: 'Large force employment. Everybody debriefs.',
    when: ['america', 1],
    issued: { beforeNow: 2 },
    slots: [
      ['F-15ESE', 2, 'DEAD'],
      ['F-16C_50', 4, 'CAP'],
      ['FA-18C_hornet', 2, 'Recon'],
      ['Su-27', 4, 'CAP', RED],
    ],
    replies: ['silent', 'accept', 'accept', 'silent'],
    repliesOf: { brakeline: 'silent' },
  },
  {
    name: 'Op Monsoon Gate',
    theater: 'Mariana Islands',
    notes: null,
    when: ['pacific', 1],
    issued: { beforeNow: 1.5 },
    slots: [
      ['F-15C', 2, 'CAP'],
      ['FA-18C_hornet', 4, 'Strike'],
      ['A-10C_2', 2, 'CAS'],
    ],
    replies: ['silent', 'accept'],
    repliesOf: { inari: 'silent' },
  },
  {
    name: 'Op Winter Orchard',
    theater: 'Normandy',
    notes: 'Bring a chart, not a data link.',
    when: ['europe', 2],
    issued: { beforeNow: 3 },
    slots: [
      ['A-10C_2', 4, 'CAS'],
      ['FA-18C_hornet', 4, 'Strike'],
      ['F-16C_50', 4, 'CAP'],
    ],
    replies: ['silent', 'accept', 'accept', 'silent', 'decline', 'accept'],
    repliesOf: { vesper: 'silent' },
  },
  {
    name: 'Op Four Aces',
    theater: 'Persian Gulf',
    notes: 'One four-ship, fully booked. Standby is open.',
    when: ['america', 2],
    issued: { beforeNow: 20 },
    slots: [['F-16C_50', 4, 'Intercept']],
    replies: ['accept', 'accept', 'standby'],
    repliesOf: { brakeline: 'accept' },
  },
  {
    name: 'Op Broken Compass',
    theater: 'Caucasus',
    notes: 'Called off: server maintenance.',
    when: ['pacific', 2],
    issued: { beforeNow: 40 },
    slots: [
      ['FA-18C_hornet', 4, 'Strike'],
      ['F-16C_50', 2, 'SEAD'],
    ],
    replies: ['accept', 'decline', 'accept'],
    cancelledBeforeNow: 5,
  },
  {
    name: 'Training: air-to-air refuelling',
    theater: 'Caucasus',
    notes: 'Draft: waiting for a tanker crew.',
    when: ['europe', 4],
    issued: { beforeNow: 26 },
    slots: [
      ['F-16C_50', 4, 'Training'],
      ['C-130J-30', 1, 'Tanker'],
    ],
    replies: [],
    isDraft: true,
  },
];

/** The `n`-th evening of a region: 0 is the first that starts late enough from now, -1 the last that is over by now. */
function eveningOf(region: Region, n: number, nowMs: number): Interval & { timeZone: string } {
  const { timeZone, startLocal, minutes } = EVENINGS[region];
  const on = (date: string): Interval => {
    const startMs = toInstantMs(date, startLocal, timeZone);
    return { startMs, endMs: startMs + minutes * MINUTE_MS };
  };
  let date = localDate(nowMs, timeZone);
  if (n >= 0) {
    while (on(date).startMs < nowMs + FIRST_EVENING_IN) date = addDays(date, 1);
    return { ...on(addDays(date, n)), timeZone };
  }
  while (on(date).endMs > nowMs - LAST_EVENING_OVER_SINCE) date = addDays(date, -1);
  return { ...on(addDays(date, n + 1)), timeZone };
}

/** A mission's start, end and time zone. Missions start on full quarters of an hour. */
export function sampleTimes(mission: SampleMission, nowMs: number): Interval & { timeZone: string } {
  if (mission.when !== 'now') return eveningOf(...mission.when, nowMs);
  const quarter = 15 * MINUTE_MS;
  const startMs = Math.floor((nowMs - IN_THE_AIR.sinceMinutes * MINUTE_MS) / quarter) * quarter;
  return { startMs, endMs: startMs + IN_THE_AIR.minutes * MINUTE_MS, timeZone: 'UTC' };
}

/** The time at which its orders were issued: never in the future, and a full day before the start of a past mission. */
export function sampleIssuedMs(mission: SampleMission, nowMs: number): number {
  if ('beforeNow' in mission.issued) return nowMs - mission.issued.beforeNow * HOUR_MS;
  return sampleTimes(mission, nowMs).startMs - Math.max(mission.issued.beforeStart * HOUR_MS, DAY_MS);
}
