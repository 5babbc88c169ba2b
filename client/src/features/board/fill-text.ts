/** Figures and sentences of the fill rate: the share of seats with an accepted pilot when missions start. */
import type { FillRateDto } from '#shared/schemas/dashboard.ts';
import { formatCalendarDate } from '#client/lib/time.ts';

export type FillWeek = FillRateDto['weeks'][number];

/** Whole percent; null without seats. */
export function fillPercent({ seats, filled }: Pick<FillWeek, 'seats' | 'filled'>): number | null {
  return seats === 0 ? null : Math.round((100 * filled) / seats);
}

/** Weeks with missions from which a line shows how the share changes; fewer are shown as figures. */
export const CHART_WEEKS_MIN = 3;

/** Seats of several weeks together. */
function sumWeeks(weeks: readonly FillWeek[]): Pick<FillWeek, 'missions' | 'seats' | 'filled'> {
  const sum = (key: 'missions' | 'seats' | 'filled'): number => weeks.reduce((total, week) => total + week[key], 0);
  return { missions: sum('missions'), seats: sum('seats'), filled: sum('filled') };
}

/** `31 of 36 seats (86 %)`, or `no missions` */
export function fillWords(week: Pick<FillWeek, 'seats' | 'filled'>): string {
  const percent = fillPercent(week);
  return percent === null ? 'no missions' : `${week.filled} of ${week.seats} seats (${percent} %)`;
}

/** `Last 7 days: 31 of 36 seats (86 %). 12 weeks: 300 of 400 seats (75 %).` */
export function describeFill(weeks: readonly FillWeek[]): string {
  return `Last 7 days: ${fillWords(sumWeeks(weeks.slice(-1)))}. ${weeks.length} weeks: ${fillWords(sumWeeks(weeks))}.`;
}

/** `Sat, Nov 7 to Fri, Nov 13` */
export const weekName = ({ startDate, endDate }: FillWeek): string =>
  `${formatCalendarDate(startDate)} to ${formatCalendarDate(endDate)}`;
