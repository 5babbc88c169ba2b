/** Sample data of the demo: orders, week and statistics, relative to the time at which the demo was opened. */
import { formatZulu, localDate } from '#shared/clock.ts';
import { addDays, instantOfWallTime } from '#client/lib/wall-time.ts';
import { fragLabel, seatLabel } from '#shared/labels.ts';
import { WINDOW_DAYS } from '#shared/limits.ts';
import { eachField, MISSION_TEXT_KEYS } from '#shared/mission-fields.ts';
import { orderExpiryMs } from '#shared/order-expiry.ts';
import type { AircraftDto, AvailabilityWindowDto } from '#shared/schemas/availability.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { SIDES } from '#shared/vocabulary.ts';

export const SAMPLE_NAME = 'Maverick';
export const SAMPLE_STATS = { totalUsers: 412, missionsRunning: 6 } as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Sample missions start on a quarter hour. */
const START_STEP_MS = 15 * MINUTE_MS;
const VIPER: AircraftDto = {
  id: 2,
  code: 'F-16C_50',
  name: 'F-16C Viper',
  seats: 1,
  roles: ['CAP', 'Strike', 'SEAD', 'DEAD'],
  active: true,
  pilots: 9,
};

export const SAMPLE_AIRCRAFT: readonly AircraftDto[] = [VIPER];

/** A sample order; the flag says if a seat is free when the pilot changes the answer to Accept. */
export interface SampleOrder {
  order: AcceptedMissionDto;
  seatFree: boolean;
}

type Facts = Pick<
  AcceptedMissionDto,
  'missionName' | 'theater' | 'flightCallsign' | 'aircraftName' | 'seatIndex' | 'role' | 'side' | 'rsvp' | 'reasons'
> &
  Pick<AcceptedMissionDto, 'radioFreq' | 'level' | 'notes' | 'package'> & {
    seq: number;
    /** hours from now, or an evening a number of days from today, within the sample week's availability */
    start: { inHours: number } | { inDays: number };
    missionHours: number;
    standbyPosition?: number;
    /** of the mission */
    texts?: Partial<AcceptedMissionDto['missionTexts']>;
  };

const EVENING = { from: '18:00', start: '18:30', to: '22:00' } as const;

const FACTS: readonly Facts[] = [
  {
    seq: 12,
    missionName: 'Strike Night Ops',
    theater: 'Syria',
    flightCallsign: 'Hawg 1',
    aircraftName: 'A-10C II Warthog',
    seatIndex: 1,
    role: 'CAS',
    side: SIDES.red,
    rsvp: 'pending',
    reasons: ['You have had fewer seats than others lately.'],
    radioFreq: '262.500 AM',
    level: 'learning',
    notes: null,
    package: {
      callsign: 'CHARLIE',
      objective: 'CAS, Syria',
      composition: [
        {
          callsign: 'Hawg 1',
          aircraftName: 'A-10C II Warthog',
          seats: 2,
          radioFreq: '262.500 AM',
          pilots: ['Boar', null],
        },
      ],
    },
    start: { inDays: 3 },
    missionHours: 3,
  },
  {
    seq: 7,
    missionName: 'Op Iron Hound',
    theater: 'Caucasus',
    flightCallsign: 'Viper 1',
    aircraftName: VIPER.name,
    seatIndex: 0,
    role: 'SEAD',
    side: SIDES.blue,
    rsvp: 'pending',
    reasons: ["You're proficient in the F-16C Viper.", 'You asked for this aircraft.'],
    radioFreq: '251.000 AM',
    level: 'proficient',
    notes: 'SA-11 north of the river. HARM in pairs, on call of the lead.',
    package: {
      callsign: 'ALPHA',
      objective: 'Strike/SEAD, Caucasus',
      composition: [
        {
          callsign: 'Viper 1',
          aircraftName: VIPER.name,
          seats: 4,
          radioFreq: '251.000 AM',
          pilots: [null, 'Jester', null, 'Stinger'],
        },
        {
          callsign: 'Dude 1',
          aircraftName: 'F-15E Strike Eagle',
          seats: 2,
          radioFreq: '252.000 AM',
          pilots: ['Cobalt', 'Rook'],
        },
      ],
    },
    start: { inDays: 1 },
    missionHours: 3,
  },
  {
    seq: 3,
    missionName: 'Capture the Flag 8v8',
    theater: 'Nevada',
    flightCallsign: 'Venom 1',
    aircraftName: VIPER.name,
    seatIndex: 2,
    role: 'CAP',
    side: SIDES.blue,
    rsvp: 'accepted',
    reasons: ['You asked for this aircraft.'],
    radioFreq: '243.625 AM',
    level: 'proficient',
    notes: null,
    package: {
      callsign: 'BRAVO',
      objective: 'CAP, Nevada',
      composition: [
        {
          callsign: 'Venom 1',
          aircraftName: VIPER.name,
          seats: 4,
          radioFreq: '243.625 AM',
          pilots: ['Viper', 'Hollywood', SAMPLE_NAME, null],
        },
        {
          callsign: 'Hornet 1',
          aircraftName: 'F/A-18C Hornet',
          seats: 4,
          radioFreq: '244.625 AM',
          pilots: ['Sundown', null, 'Chipper', null],
        },
      ],
    },
    start: { inHours: 3 },
    missionHours: 2,
    texts: { notes: 'Voice check 15 min before the brief. No missiles below 500 ft.' },
  },
  {
    seq: 9,
    missionName: 'Op Cold Front',
    theater: 'Kola',
    flightCallsign: 'Lobo 1',
    aircraftName: VIPER.name,
    seatIndex: 1,
    role: 'Strike',
    side: SIDES.blue,
    rsvp: 'standby',
    reasons: [],
    radioFreq: '305.250 AM',
    level: 'proficient',
    notes: null,
    package: {
      callsign: 'ALPHA',
      objective: 'Strike, Kola',
      composition: [
        {
          callsign: 'Lobo 1',
          aircraftName: VIPER.name,
          seats: 4,
          radioFreq: '305.250 AM',
          pilots: ['Merlin', 'Wolfman', 'Slider', 'Cougar'],
        },
      ],
    },
    start: { inDays: 5 },
    missionHours: 3,
    standbyPosition: 2,
  },
];

const iso = (ms: number): string => new Date(ms).toISOString();

/** The demo's initial orders, newest first. */
export function makeSampleOrders(now: Date, timeZone: string): SampleOrder[] {
  const today = localDate(now, timeZone);
  const instantOf = (inDays: number, wallTime: string): number =>
    instantOfWallTime(addDays(today, inDays), wallTime, timeZone)?.getTime() ?? now.getTime();

  return FACTS.map(({ start, missionHours, standbyPosition = null, reasons, texts, ...facts }) => {
    const soon = 'inHours' in start;
    const startMs = soon
      ? Math.ceil((now.getTime() + start.inHours * HOUR_MS) / START_STEP_MS) * START_STEP_MS
      : instantOf(start.inDays, EVENING.start);
    const endMs = startMs + missionHours * HOUR_MS;
    const free = soon ? [startMs, endMs] : [EVENING.from, EVENING.to].map((time) => instantOf(start.inDays, time));
    const launchMs = startMs + 35 * MINUTE_MS;
    const issuedMs = now.getTime() - 20 * MINUTE_MS;
    return {
      // A pilot starts on standby because every seat is taken.
      seatFree: standbyPosition === null,
      order: {
        ...facts,
        links: [],
        missionTexts: { ...eachField(MISSION_TEXT_KEYS, () => null), ...texts },
        id: `sample-${facts.seq}`,
        label: fragLabel(facts.seq),
        status: 'issued',
        statusReason: null,
        isPractice: false,
        missionId: `sample-mission-${facts.seq}`,
        startUtc: iso(startMs),
        endUtc: iso(endMs),
        launchUtc: iso(launchMs),
        totUtc: iso(launchMs + 30 * MINUTE_MS),
        title: `${facts.role}, ${facts.aircraftName}, ${seatLabel(facts.seatIndex).toLowerCase()}`,
        reasons: [`You are free from ${free.map((ms) => formatZulu(new Date(ms))).join(' to ')}.`, ...reasons],
        issuedAt: iso(issuedMs),
        expiresAt: iso(orderExpiryMs(issuedMs, startMs)),
        confirmedAt: null,
        asksConfirmation: false,
        standbyPosition,
        changes: [],
        changedAt: null,
      },
    };
  });
}

/** Sample availability: every evening except one, and one evening in the Viper only. */
export function makeSampleWindow(now: Date, timeZone: string): AvailabilityWindowDto {
  const today = localDate(now, timeZone);
  return {
    timeZone,
    days: Array.from({ length: WINDOW_DAYS.initial }, (_day, index) => ({
      dateLocal: addDays(today, index),
      busy: [],
      slots:
        index === 2
          ? []
          : [
              {
                startLocal: EVENING.from,
                endLocal: EVENING.to,
                aircraftCodeId: index === 1 ? VIPER.id : 0,
                source: 'template',
                notes: null,
              },
            ],
    })),
  };
}
