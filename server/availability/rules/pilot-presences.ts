/**
 * When a pilot can fly, from everything that says so: slots, overrides, busy calendars, live status and leave. When a pilot is free:
 * then, minus the seats already held.
 */
import { coversNow, leaveTime, type LeaveDates, type LeaveTime } from '#server/accounts/rules/leave.ts';
import { type Interval, mergeIntervals, subtractIntervals } from '#server/time/intervals.ts';
import { MINUTE_MS } from '#server/time/time.ts';
import { effectiveStatus, type EffectiveStatus, type StoredStatus } from '#shared/pilot-status.ts';
import { type BusyMinutes, NEVER_BUSY } from './busy-minutes.ts';
import {
  type Expansion,
  type Override,
  type Presence,
  statusPresence,
  type WeeklySlot,
  withOverrides,
} from './dated-windows.ts';

export interface PilotPresences {
  id: string;
  timeZone: string;
  isActive: boolean;
  status: EffectiveStatus;
  /** now or later, whether or not it touches the range; null for none */
  leave: LeaveTime | null;
  /** as `timesOf` lists them */
  presences: readonly Presence[];
}

export type PilotAvailability = {
  readonly id: string;
  readonly timeZone: string;
  readonly isActive: boolean;
  readonly status: StoredStatus;
  readonly leaveDates: LeaveDates | null;
  /** what `leaveTime` says, where it is asked for again and again */
  readonly leave?: LeaveTime | null;
  /** of the active template */
  readonly slots: readonly WeeklySlot[];
  /** at least those that may touch the range */
  readonly overrides: readonly Override[];
  /** of the pilot's calendars: at least what may touch the range */
  readonly busy: BusyMinutes;
};

/** The status of a pilot whose leave has begun while they were looking for a flight. */
const AWAY = { state: 'available', minutes: null, expiresAtMs: null } as const;

/** Everything that says when a pilot can fly. */
type Times = Omit<PilotAvailability, 'id' | 'isActive'>;

const leaveOf = ({ leave, leaveDates, timeZone }: Times): LeaveTime | null =>
  leave === undefined ? leaveDates && leaveTime(leaveDates, timeZone) : leave;

/**
 * The only place that knows when a pilot can fly: a leave is taken out here, so nothing that reads presences asks a pilot
 * on leave.
 * @param expand prepared for the range
 * @returns presences that touch the range, from every source, not merged, without the leave
 */
export function timesOf(pilot: Times, expand: Expansion, nowMs: number): readonly Presence[] {
  const { timeZone, status, slots, overrides, busy } = pilot;
  const leave = leaveOf(pilot);
  const dated = withOverrides(expand(slots, timeZone), overrides, timeZone, busy);
  const present = status.state === 'now' ? [...dated, ...statusPresence(status, nowMs)] : dated;
  return leave ? subtractIntervals(present, [leave]) : present;
}

/** When the pilot's calendars take time away: without them, the pilot would be there. @param expand prepared for the range */
export function takenByCalendars(pilot: Times, expand: Expansion, nowMs: number): Interval[] {
  if (pilot.busy.length === 0) return [];
  const without = timesOf({ ...pilot, busy: NEVER_BUSY }, expand, nowMs);
  return subtractIntervals(mergeIntervals(without), timesOf(pilot, expand, nowMs));
}

/** The times with what else is asked about the pilot. @param expand prepared for the range */
export function presencesOf(pilot: PilotAvailability, expand: Expansion, nowMs: number): PilotPresences {
  const { id, timeZone, isActive, status: stored } = pilot;
  const leave = leaveOf(pilot);
  return {
    id,
    timeZone,
    isActive,
    leave,
    status: effectiveStatus(leave && stored.state === 'now' && coversNow(leave, nowMs) ? AWAY : stored, nowMs),
    presences: timesOf(pilot, expand, nowMs),
  };
}

export type PilotWindows = {
  /** merged, ascending */
  readonly windows: readonly Interval[];
  /** the pilot can only fly missions that start after this instant */
  readonly startsAfterMs: number;
};

/**
 * Merged windows minus held seats. Windows shrink to whole minutes, on which missions start and end, because a live status
 * begins in the middle of a minute.
 * @param windows any order, may overlap
 * @param commitments pending and accepted seats, any order
 */
export function freeWindows(windows: readonly Interval[], commitments: readonly Interval[]): Interval[] {
  const merged = mergeIntervals(windows);
  const free = commitments.length === 0 ? merged : subtractIntervals(merged, commitments);
  return free.flatMap(({ startMs, endMs }) => {
    const from = Math.ceil(startMs / MINUTE_MS) * MINUTE_MS;
    const to = Math.floor(endMs / MINUTE_MS) * MINUTE_MS;
    return from < to ? [{ startMs: from, endMs: to }] : [];
  });
}
