/** Layout of the availability heat map: columns, cells, colour steps, summary. Pure functions. */
import { formatSpan, isZuluZone } from '#shared/clock.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import type { HeatDto } from '#shared/schemas/dashboard.ts';
import { count } from '#shared/plural.ts';

const HOUR_MS = 3_600_000;
/** Number of colour steps above zero pilots. */
export const HEAT_STEPS = 5;

export interface HeatCell {
  startUtc: string;
  pilots: number;
  /** colour step, 0 (nobody) to `HEAT_STEPS` */
  level: number;
  isPast: boolean;
  /** `Sat, Nov 21, 1800–1900Z 1900–2000L: 12 pilots` */
  name: string;
}

export interface HeatRow {
  date: string;
  /** one per column; null where the day lacks that hour */
  cells: readonly (HeatCell | null)[];
}

export interface HeatColumn {
  key: string;
  /** `19L` */
  label: string;
  /** true when this is the second pass of an hour that a clock change repeats */
  isRepeat: boolean;
}

export interface HeatLayout {
  columns: readonly HeatColumn[];
  rows: readonly HeatRow[];
  /** maximum of pilots in one hour */
  most: number;
}

/**
 * Arranges hours in columns by local time. A day of 23 hours leaves a gap, one of 25 adds a column.
 * @param now epoch milliseconds; an hour that has begun is past
 */
export function layOutHeat({ days, timeZone }: Pick<HeatDto, 'days' | 'timeZone'>, now: number): HeatLayout {
  const most = Math.max(0, ...days.flatMap(({ hours }) => hours.map(({ pilots }) => pilots)));
  const keyed = days.map(({ dateLocal, hours }) => ({ date: dateLocal, hours: keyHours(hours) }));
  const keys = [...new Set(keyed.flatMap(({ hours }) => [...hours.keys()]))].sort();
  return {
    most,
    columns: keys.map((key) => ({
      key,
      label: `${key.slice(0, 2)}${isZuluZone(timeZone) ? 'Z' : 'L'}`,
      isRepeat: !key.endsWith('0'),
    })),
    rows: keyed.map(({ date, hours }) => ({
      date,
      cells: keys.map((key) => {
        const hour = hours.get(key);
        return hour === undefined
          ? null
          : {
              startUtc: hour.startUtc,
              pilots: hour.pilots,
              level: heatLevel(hour.pilots, most),
              isPast: Date.parse(hour.startUtc) <= now,
              name: nameHour(date, hour.startUtc, hour.pilots, timeZone),
            };
      }),
    })),
  };
}

type Hour = HeatDto['days'][number]['hours'][number];

/** Hours keyed by local hour and pass: `19.0`, and `02.1` for the second 02. */
function keyHours(hours: readonly Hour[]): Map<string, Hour> {
  const keyed = new Map<string, Hour>();
  for (const hour of hours) {
    const name = hour.startLocal.slice(0, 2);
    keyed.set(`${name}.${keyed.has(`${name}.0`) ? 1 : 0}`, hour);
  }
  return keyed;
}

/** @returns 0 for nobody, else 1 to `HEAT_STEPS` in equal shares of `most` */
export function heatLevel(pilots: number, most: number): number {
  return pilots === 0 ? 0 : Math.ceil((pilots / most) * HEAT_STEPS);
}

/** `Sat, Nov 21, 1800–1900Z 1900–2000L: 12 pilots` */
function nameHour(date: string, startUtc: string, pilots: number, timeZone: string): string {
  const end = new Date(Date.parse(startUtc) + HOUR_MS);
  return `${formatCalendarDate(date)}, ${formatSpan(startUtc, end, timeZone, date)}: ${count(pilots, 'pilot')}`;
}

/** Legend of the colour steps: `{level: 2, range: '5–8'}`; steps without a whole number are left out. */
export function heatLegend(most: number): { level: number; range: string }[] {
  const steps = [{ level: 0, range: '0' }];
  for (let level = 1; level <= HEAT_STEPS; level += 1) {
    const low = Math.floor(((level - 1) * most) / HEAT_STEPS) + 1;
    const high = Math.floor((level * most) / HEAT_STEPS);
    if (low <= high) {
      steps.push({ level, range: low === high ? String(low) : `${low}–${high}` });
    }
  }
  return steps;
}

/** The future hour with most pilots: `Best hour: Sat, Nov 21, 1800–1900Z 1900–2000L: 23 pilots.` */
export function describeHeat({ rows }: HeatLayout): string {
  const ahead = rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell === null || cell.isPast ? [] : [cell])));
  const most = Math.max(0, ...ahead.map(({ pilots }) => pilots));
  const best = ahead.find(({ pilots }) => pilots === most);
  return most === 0 || !best ? 'Nobody is available in these 7 days.' : `Best hour: ${best.name}.`;
}
