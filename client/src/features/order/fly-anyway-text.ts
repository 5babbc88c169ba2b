/** Words and calls about the changes with which a pilot can fly a mission that does not fit yet. */
import { clockTime, formatShortDate } from '#client/lib/time.ts';
import type { trpc } from '#client/lib/trpc.ts';
import { clockDigits, dateShiftMark, daysBetween, localDate } from '#shared/clock.ts';
import type { RemedyDto } from '#shared/schemas/seats.ts';
import type { SeatFix } from '#shared/vocabulary.ts';

type Flags = { [F in SeatFix]?: true };

/** The changes as the flags of the calls that take a seat and stand by. */
export function flagsOf(fixes: readonly SeatFix[]): Flags {
  return Object.fromEntries(fixes.map((fix) => [fix, true] as const));
}

/** Refetches what the changes have touched besides seats and orders. */
export function refreshOwnData(utils: ReturnType<typeof trpc.useUtils>): void {
  void utils.availability.invalidate();
  void utils.pilot.proficiencies.invalidate();
  void utils.pilot.status.invalidate();
}

/** `Fri, Nov 27 1130–1400L`, `Fri, Nov 27 2300–0130L+1`, and in Zulu for a reader in UTC. */
function partWords({ startUtc, endUtc }: RemedyDto['missing'][number], timeZone: string): string {
  const [start, end] = [new Date(startUtc), new Date(endUtc)];
  const shift = dateShiftMark(daysBetween(localDate(start, timeZone), localDate(end, timeZone)));
  return `${formatShortDate(start, timeZone)} ${clockDigits(start, timeZone)}–${clockTime(end, timeZone)}${shift}`;
}

const LIST = new Intl.ListFormat('en');

/** What happens besides taking the seat, a sentence for each change. */
export function remedyWords(
  { fixes, missing }: RemedyDto,
  { aircraftName, withdraws, timeZone }: { aircraftName: string; withdraws: readonly string[]; timeZone: string },
): string[] {
  const words: Record<SeatFix, string> = {
    addAvailability: `Adds ${LIST.format(missing.map((part) => partWords(part, timeZone)))} for this date only.`,
    addAircraft: `Adds the ${aircraftName} to your aircraft.`,
    endLeave: 'Ends your leave.',
    endDoNotDisturb: 'Ends Do Not Disturb.',
  };
  return [...fixes.map((fix) => words[fix]), ...(withdraws.length === 0 ? [] : [withdrawalWords(withdraws)])];
}

/** @param withdraws names of missions, at least one */
export function withdrawalWords(withdraws: readonly string[]): string {
  return `Withdraws your offer in ${LIST.format(withdraws)}.`;
}

/** What a toast adds about the offers that were declined. */
export function withdrawnWords(withdraws: readonly string[]): string[] {
  return withdraws.length === 0 ? [] : [`Your offer in ${LIST.format(withdraws)} is withdrawn`];
}
