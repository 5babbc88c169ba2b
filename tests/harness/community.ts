/** Random communities as plain data: availability as pilots entered it, in their own wall times, and their missions. */
import { TIME_ZONES } from '#shared/vocabulary.ts';
import type { Random } from './seeded.ts';

/** Wall times of the pilot; an end not after the start is on the next day; aircraft null is any. */
export type CommunitySlot = { weekday: number; startLocal: string; endLocal: string; aircraftId: number | null };
export type CommunityOverride = Omit<CommunitySlot, 'weekday'> & {
  dateLocal: string;
  kind: 'available' | 'unavailable';
};

export type CommunityPilot = {
  /** two digits, for an id that sorts in the same order */
  id: string;
  name: string;
  zone: string;
  /** false: suspended */
  active: boolean;
  state: 'available' | 'dnd' | 'now';
  /** of `now`; null for the other states */
  minutesLeft: number | null;
  slots: CommunitySlot[];
  overrides: CommunityOverride[];
  /** busy times of the pilot's calendars, in order */
  busy: { startMs: number; endMs: number }[];
  /** dates of the pilot's own calendar, both included */
  leave: { firstDate: string; lastDate: string } | null;
};

export type CommunitySeat = { pilotId: string; kind: 'accepted' | 'pending' | 'expired' };

export type CommunityMission = {
  startMs: number;
  endMs: number;
  status: 'scheduled' | 'draft' | 'cancelled';
  /** seats of each flight, 1 to 4, and when it launches */
  flights: { sizeCap: number; launchMs: number }[];
  /** pilots with a seat; none in a cancelled mission */
  seats: CommunitySeat[];
};

export type Community = { pilots: CommunityPilot[]; missions: CommunityMission[] };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Only a few, so that windows of one pilot touch and names repeat. */
const AIRCRAFT = [2, 4] as const;
const NAMES = ['Viper', 'viper', 'Maverick', 'Élan', 'Zulu', 'Iceman'] as const;

const two = (value: number): string => String(value).padStart(2, '0');
const wallTime = (minutes: number): string => `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Mostly on quarter hours, as people type them; often around the hours that clock changes skip or repeat. */
function randomTimes(random: Random): { startLocal: string; endLocal: string } {
  const step = random.chance(0.8) ? 15 : 1;
  const start =
    (random.chance(0.3) ? random.between(0, 16) * 15 : random.between(0, DAY_MINUTES / step - 1) * step) % DAY_MINUTES;
  const length = random.chance(0.7) ? random.between(1, 24) * 15 : random.between(1, (DAY_MINUTES - 1) / step) * step;
  const end = (start + length) % DAY_MINUTES;
  return { startLocal: wallTime(start), endLocal: wallTime(end === start ? end + 1 : end) };
}

const randomAircraft = (random: Random): number | null => (random.chance(0.5) ? null : random.pick(AIRCRAFT));

function randomLeave(random: Random, fromMs: number, days: number): { firstDate: string; lastDate: string } {
  const firstMs = fromMs + random.between(-3, days) * DAY_MINUTES * MINUTE_MS;
  return { firstDate: dateOf(firstMs), lastDate: dateOf(firstMs + random.between(0, 3) * DAY_MINUTES * MINUTE_MS) };
}

function randomPilot(random: Random, index: number, fromMs: number, days: number): CommunityPilot {
  const state = random.pick<CommunityPilot['state']>(['available', 'available', 'available', 'dnd', 'now']);
  return {
    // sorts as its number does
    id: `0192c0de-0000-7000-8000-0000000000${two(index)}`,
    name: random.pick(NAMES),
    zone: random.pick(TIME_ZONES),
    active: !random.chance(0.1),
    state,
    minutesLeft: state === 'now' ? random.between(1, 480) : null,
    slots: Array.from({ length: random.between(0, 9) }, () => ({
      weekday: random.between(0, 6),
      ...randomTimes(random),
      aircraftId: randomAircraft(random),
    })),
    overrides: Array.from({ length: random.between(0, 3) }, () => ({
      dateLocal: dateOf(fromMs + random.between(-1, days) * DAY_MINUTES * MINUTE_MS),
      kind: random.pick(['available', 'unavailable']),
      ...(random.chance(0.2) ? { startLocal: '00:00', endLocal: '00:00' } : randomTimes(random)),
      aircraftId: randomAircraft(random),
    })),
    busy: randomBusy(random, fromMs, days),
    leave: random.chance(0.25) ? randomLeave(random, fromMs, days) : null,
  };
}

/** Half of the pilots have a calendar: short times, whole days, and times on odd minutes; they may overlap. */
function randomBusy(random: Random, fromMs: number, days: number): CommunityPilot['busy'] {
  if (random.chance(0.5)) return [];
  const times = Array.from({ length: random.between(1, 2 * days) }, () => {
    const startMs = fromMs + random.between(-DAY_MINUTES, days * DAY_MINUTES) * MINUTE_MS;
    return { startMs, endMs: startMs + random.pick([15, 47, 60, 90, 240, DAY_MINUTES]) * MINUTE_MS };
  });
  return times.toSorted((a, b) => a.startMs - b.startMs);
}

function randomMission(random: Random, fromMs: number, days: number): CommunityMission {
  const startMs = fromMs + random.between(-8, days * 96) * 15 * MINUTE_MS;
  const minutes = random.between(2, 32) * 15;
  return {
    startMs,
    endMs: startMs + minutes * MINUTE_MS,
    status: random.pick(['scheduled', 'scheduled', 'scheduled', 'scheduled', 'draft', 'cancelled']),
    flights: Array.from({ length: random.between(1, 4) }, () => ({
      sizeCap: random.between(1, 4),
      launchMs: startMs + random.between(0, minutes) * MINUTE_MS,
    })),
    seats: [],
  };
}

/** No pilot is in two missions at the same time, with any answer, because the database refuses that. */
function fillSeats(random: Random, { pilots, missions }: Community): void {
  for (const mission of missions) {
    if (mission.status !== 'scheduled') continue;
    const capacity = mission.flights.reduce((sum, { sizeCap }) => sum + sizeCap, 0);
    for (const { id } of pilots) {
      const isBusy = missions.some(
        ({ startMs, endMs, seats }) =>
          startMs < mission.endMs && endMs > mission.startMs && seats.some(({ pilotId }) => pilotId === id),
      );
      if (isBusy || mission.seats.length === capacity || !random.chance(0.4)) continue;
      mission.seats.push({ pilotId: id, kind: random.pick(['accepted', 'accepted', 'pending', 'expired']) });
    }
  }
}

/** @param fromMs midnight UTC of the first of the days that things happen on */
export function randomCommunity(
  random: Random,
  { size, fromMs, days }: { size: number; fromMs: number; days: number },
): Community {
  const community: Community = {
    pilots: Array.from({ length: size }, (_, index) => randomPilot(random, index, fromMs, days)),
    missions: Array.from({ length: random.between(0, 2 * days) }, () => randomMission(random, fromMs, days)),
  };
  fillSeats(random, community);
  return community;
}
