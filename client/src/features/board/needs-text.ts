/** Sentences about what missions need of an admin. */
import { formatDuration } from '#client/lib/time.ts';
import { count } from '#shared/plural.ts';
import type { BoardNeedDto } from '#shared/schemas/dashboard.ts';

const HOUR_MS = 3_600_000;

/** Time until the start: `in 3 d`, `in 22 h`, `in 1 h 20 min` (minutes only under two hours). */
export function timeLeft(startUtc: string, now: Date): string {
  const left = Date.parse(startUtc) - now.getTime();
  const hours = Math.floor(left / HOUR_MS);
  if (hours >= 48) return `in ${Math.floor(hours / 24)} d`;
  return hours >= 2 ? `in ${hours} h` : `in ${formatDuration(left)}`;
}

/** `3 of 4 accepted, 1 not answered, 2 needed. May be short (61 % chance of enough).`; `Likely short (under 1 %).` */
function turnoutSentence({ seats, accepted, pending, enough, probability }: BoardNeedDto): string {
  const taken = `${accepted} of ${seats} accepted`;
  const waiting = pending === 0 ? '' : `, ${pending} not answered`;
  // rounded down, so that a short mission never shows the alert threshold itself
  const chance = Math.floor(probability * 100 + 1e-9);
  const outlook =
    chance < 1
      ? 'Likely short (under 1 %)'
      : `${chance < 50 ? 'Likely' : 'May be'} short (${chance} % chance of enough)`;
  return `${taken}${waiting}, ${enough} needed. ${outlook}.`;
}

/** A need in words: the outlook of the turnout, or `3 pilots have not answered.` */
export function needSentence(need: BoardNeedDto): string {
  const { kind, pilots } = need;
  if (kind === 'short') return turnoutSentence(need);
  const have = pilots === 1 ? 'has' : 'have';
  return `${count(pilots, 'pilot')} ${have} not ${kind === 'unconfirmed' ? 'confirmed' : 'answered'}.`;
}
