/** Bars of the weekly schedule strip. */
import type { ScheduleDto } from '#shared/schemas/admin-pilot.ts';

export const DAY_MINUTES = 1440;

/** Minutes since the weekday's midnight: 0 <= start < end <= 1440. */
export interface Bar {
  start: number;
  end: number;
}

const minutesOf = (wallTime: string): number => Number(wallTime.slice(0, 2)) * 60 + Number(wallTime.slice(3, 5));

/** True when an entry runs past midnight; one that ends at `24:00` does not. */
function endsNextDay({ startLocal, endLocal }: { startLocal: string; endLocal: string }): boolean {
  return minutesOf(endLocal) <= minutesOf(startLocal);
}

/** Bars of the seven days, Sunday first. An entry past midnight continues on the next day; Saturday's on Sunday. */
export function barsOf(schedule: ScheduleDto['schedule']): Bar[][] {
  const days = Array.from({ length: 7 }, (): Bar[] => []);
  for (const entry of schedule) {
    const [start, end] = [minutesOf(entry.startLocal), minutesOf(entry.endLocal)];
    if (!endsNextDay(entry)) {
      days[entry.dayOfWeek]?.push({ start, end });
      continue;
    }
    days[entry.dayOfWeek]?.push({ start, end: DAY_MINUTES });
    if (end > 0) {
      days[(entry.dayOfWeek + 1) % 7]?.push({ start: 0, end });
    }
  }
  return days;
}
