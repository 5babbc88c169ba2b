/** The sample community's accounts, templates, proficiencies, dated overrides and statuses. */
import { Aircraft, Proficiency } from '#server/schema/aircraft.ts';
import { AvailabilityOverride, AvailabilitySlot, AvailabilityTemplate } from '#server/schema/availability.ts';
import { newId } from '#server/schema/base.ts';
import type { Em } from '#server/schema/orm.ts';
import { User } from '#server/schema/user.ts';
import { normalizeSlots, type WeeklySlot } from '#server/availability/rules/dated-windows.ts';
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import {
  addDays,
  DAY_MS,
  HOUR_MS,
  localDate,
  localTime,
  MINUTES_PER_DAY,
  minutesOf,
  weekdayOf,
} from '#server/time/time.ts';
import type { Interval } from '#server/time/intervals.ts';
import { copy } from '#shared/copy.ts';
import { emailKey } from '#server/accounts/email.ts';
import { PRINTED_PILOTS, SAMPLE_PILOTS, sampleEmail, type SamplePilot } from './sample-pilots.ts';
import { SAMPLE_WEEKS, type SampleSlot, type SampleWeek } from './sample-weeks.ts';
import { setStatus } from '#server/availability/status.ts';
import { viewerOf, type Viewer } from '#server/platform/viewer.ts';

const CREW_SIZE = 10;
/** Most pilots fly in the evening. */
const USUAL_HOUR = '20:00';
/** The crew is available this much longer than the mission, so that a clock change that night does not matter. */
const CREW_MARGIN_MS = 2 * HOUR_MS;
const FIRST_JOINED_DAYS_AGO = 200;
const DAYS_BETWEEN_JOINS = 5;

/** Pilots who keep a second template for another time of the year. */
const RESTING_TEMPLATES: Readonly<Record<string, readonly [name: string, week: SampleWeek]>> = {
  vesper: ['Holidays', 'weekend'],
  okafor: ['Ferry season', 'fridayNight'],
};
/** Three out of four pilots want news of other missions. */
const isOptedIn = (index: number) => index % 4 !== 3;

const DO_NOT_DISTURB = ['halfpenny', 'winslow', 'mudlark'];
const FREE_NOW = [
  ['gorse', 120],
  ['bramble', 45],
] as const;
/** Pilots who had set another status and are available again. */
const AVAILABLE = ['mara', 'sawbuck', 'tanabe', 'marzipan'];
/** Minutes since those statuses were set. */
const STATUS_AGE_MS = 20 * 60_000;

/**
 * The crew of the current mission: pilots who list an aircraft of it, and for whom it is nearest to the usual hour.
 * @param aircraftCodes the mission's aircraft
 * @returns mailboxes
 */
export function chooseCrew(missionStartMs: number, aircraftCodes: readonly string[]): string[] {
  const distance = ({ timeZone }: SamplePilot): number => {
    const minutes = Math.abs(minutesOf(localTime(missionStartMs, timeZone)) - minutesOf(USUAL_HOUR));
    return Math.min(minutes, MINUTES_PER_DAY - minutes);
  };
  return SAMPLE_PILOTS.filter(
    ({ mailbox, week, levels }) =>
      week !== null &&
      levels.some(([code]) => aircraftCodes.includes(code)) &&
      !PRINTED_PILOTS.some((printed) => printed === mailbox),
  )
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, CREW_SIZE)
    .map(({ mailbox }) => mailbox);
}

/** @returns the pilots by mailbox, as viewers */
export async function createSamplePilots(tx: Em, passwordHash: string, now: Date): Promise<Map<string, Viewer>> {
  const pilots = new Map<string, Viewer>();
  for (const [index, pilot] of SAMPLE_PILOTS.entries()) {
    const email = sampleEmail(pilot.mailbox);
    const joinedDaysAgo = FIRST_JOINED_DAYS_AGO - index * DAYS_BETWEEN_JOINS;
    const user = tx.create(User, {
      id: newId(),
      email,
      emailKey: emailKey(email),
      passwordHash,
      displayName: pilot.callSign,
      timeZone: pilot.timeZone,
      roles: ['user'],
      wantsGlobalEvents: isOptedIn(index),
      createdAt: new Date(now.getTime() - joinedDaysAgo * DAY_MS),
    });
    for (const [code, level] of pilot.levels) {
      tx.create(Proficiency, { user, aircraft: aircraftOf(tx, code), level });
    }
    if (pilot.week !== null) addTemplate(tx, user, copy.templateName, SAMPLE_WEEKS[pilot.week], true);
    const resting = RESTING_TEMPLATES[pilot.mailbox];
    if (resting) addTemplate(tx, user, resting[0], SAMPLE_WEEKS[resting[1]], false);
    pilots.set(pilot.mailbox, viewerOf(user));
  }
  return pilots;
}

function aircraftOf(tx: Em, code: string): Aircraft {
  const found = AIRCRAFT_CATALOGUE.find((aircraft) => aircraft.code === code);
  if (!found) throw new Error(`The aircraft catalogue has no ${code}.`);
  return tx.getReference(Aircraft, found.id);
}

function toWeeklySlots(row: SampleSlot): WeeklySlot[] {
  const [days, startLocal, endLocal, aircraftCode = null, notes = null] = row;
  const aircraftId = AIRCRAFT_CATALOGUE.find(({ code }) => code === aircraftCode)?.id ?? null;
  return Array.from(days, (day) => ({ weekday: Number(day), startLocal, endLocal, aircraftId, notes }));
}

function addTemplate(tx: Em, user: User, name: string, week: readonly SampleSlot[], isActive: boolean): void {
  const template = tx.create(AvailabilityTemplate, { user, name, isActive });
  for (const { aircraftId, ...slot } of normalizeSlots(week.flatMap(toWeeklySlots))) {
    tx.create(AvailabilitySlot, {
      ...slot,
      template,
      aircraft: aircraftId === null ? null : tx.getReference(Aircraft, aircraftId),
    });
  }
}

/** Dated overrides: the crew is available for the current mission; two pilots are away on a coming Saturday. */
export async function createSampleOverrides(
  tx: Em,
  pilots: ReadonlyMap<string, Viewer>,
  crew: readonly string[],
  mission: Interval,
  now: Date,
): Promise<void> {
  for (const mailbox of crew) {
    const pilot = pilots.get(mailbox);
    if (!pilot) continue;
    const startMs = mission.startMs - CREW_MARGIN_MS;
    tx.create(AvailabilityOverride, {
      user: tx.getReference(User, pilot.id),
      dateLocal: localDate(startMs, pilot.timeZone),
      kind: 'available',
      startLocal: localTime(startMs, pilot.timeZone),
      endLocal: localTime(mission.endMs + CREW_MARGIN_MS, pilot.timeZone),
      notes: 'Took the day off to fly',
    });
  }
  for (const mailbox of ['tamworth', 'pocket']) {
    const pilot = pilots.get(mailbox);
    if (!pilot) continue;
    tx.create(AvailabilityOverride, {
      user: tx.getReference(User, pilot.id),
      dateLocal: nextSaturday(localDate(now.getTime(), pilot.timeZone)),
      kind: 'unavailable',
      startLocal: '10:00',
      endLocal: '00:00',
      notes: 'Family visit',
    });
  }
}

function nextSaturday(date: string): string {
  return addDays(date, 6 - weekdayOf(date));
}

/** Live statuses of every kind, except for pilots who have just set one. */
export async function setSampleStatuses(
  tx: Em,
  pilots: ReadonlyMap<string, Viewer>,
  except: readonly string[],
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - STATUS_AGE_MS);
  const set = async (mailbox: string, state: 'available' | 'dnd' | 'now', minutes?: number) => {
    const pilot = pilots.get(mailbox);
    if (pilot && !except.includes(mailbox)) await setStatus(tx, { id: pilot.id, state, minutes }, since);
  };
  for (const mailbox of DO_NOT_DISTURB) await set(mailbox, 'dnd');
  for (const mailbox of AVAILABLE) await set(mailbox, 'available');
  for (const [mailbox, minutes] of FREE_NOW) await set(mailbox, 'now', minutes);
}
