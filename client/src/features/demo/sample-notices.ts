import { formatZulu } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import type { NoticeDto } from '#shared/schemas/notices.ts';

const HOUR_MS = 3_600_000;
/** Rounds up to the hour. */
const nextHour = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

/** Sample notice in the demo: one mission was cancelled. */
export function makeSampleNotices(now: Date): NoticeDto[] {
  const start = new Date(nextHour(now.getTime() + 30 * HOUR_MS));
  const [, day] = formatShortDate(start, 'UTC').split(', ');
  const missionName = 'Op Dry Thunder';
  return [
    {
      orderId: 'sample-5',
      kind: 'cancelled',
      at: new Date(now.getTime() - 2 * HOUR_MS).toISOString(),
      missionName,
      startUtc: start.toISOString(),
      sentence: `“${missionName}” on ${day} ${formatZulu(start)} was cancelled.`,
    },
  ];
}
