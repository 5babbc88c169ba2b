/** Missions short of pilots, in sentences. */
import { formatDuration } from '#client/lib/time.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import { countOf } from './board-text.ts';

const HOUR_MS = 3_600_000;

/** `in 3 d`, `in 22 h`, `in 1 h 20 min`: minutes only where they tell something. */
export function timeLeft(startUtc: string, now: Date): string {
  const left = Date.parse(startUtc) - now.getTime();
  const hours = Math.floor(left / HOUR_MS);
  if (hours >= 48) return `in ${Math.floor(hours / 24)} d`;
  return hours >= 2 ? `in ${hours} h` : `in ${formatDuration(left)}`;
}

/** `3 of 4 seats accepted, 1 without an answer; 2 pilots needed, 61 % sure` */
export function turnoutSentence({ seats, accepted, pending, enough, probability }: TurnoutAlertDto): string {
  const taken = `${accepted} of ${countOf(seats, 'seat')} accepted`;
  const waiting = pending === 0 ? '' : `, ${pending} without an answer`;
  // rounded down: what is short must not read as the figure that is enough
  return `${taken}${waiting}; ${countOf(enough, 'pilot')} needed, ${Math.floor(probability * 100 + 1e-9)} % sure`;
}
