/** Reasons why seats stay open, as a sentence for the admin who plans the mission. */
import { assessPilot, type SeatingMission, type EligibilityFacts } from '#server/orders/seating/rules/eligibility.ts';

/**
 * `2 open. No free pilot flies the F-14B Tomcat.`
 * A seat only stays open if every pilot who fits it has another one, so either no pilot fits or all who do are seated.
 * @param open number of open seats of this aircraft, at least one
 * @param pilots all pilots, the same as for the seating
 */
export function explainOpenSeats({
  open,
  aircraft,
  mission,
  nowMs,
  pilots,
}: {
  readonly open: number;
  readonly aircraft: { readonly id: number; readonly name: string };
  readonly mission: SeatingMission;
  readonly nowMs: number;
  readonly pilots: readonly EligibilityFacts[];
}): string {
  const assessed = pilots.map((pilot) => assessPilot(pilot, mission, nowMs));
  const count = (reason: (typeof assessed)[number]['reason']) =>
    assessed.filter((one) => one.reason === reason && one.fitFor(aircraft.id) !== null).length;
  const fitting = count(null);
  const committed = count('COMMITTED');
  const quiet = count('DO_NOT_DISTURB');
  const away = assessed.filter(({ reason }) => reason === 'ON_LEAVE').length;
  const isAnybodyFree = assessed.some(({ reason }) => reason === null);

  const causes: string[] = [];
  if (fitting === 1) causes.push(`The only free ${aircraft.name} pilot already has a seat in this mission.`);
  else if (fitting > 1)
    causes.push(
      `${fitting === 2 ? 'Both' : `All ${fitting}`} free ${aircraft.name} pilots already have seats in this mission.`,
    );
  else if (isAnybodyFree) causes.push(`No free pilot flies the ${aircraft.name}.`);
  else causes.push('Nobody is free for the whole mission.');
  const are = (number: number) => `${number} ${aircraft.name} ${number === 1 ? 'pilot is' : 'pilots are'}`;
  if (committed > 0) causes.push(`${are(committed)} on another mission.`);
  if (quiet > 0) causes.push(`${are(quiet)} on Do Not Disturb.`);
  if (away > 0) causes.push(`${away} ${away === 1 ? 'pilot is' : 'pilots are'} on leave.`);
  return `${open} open. ${causes.join(' ')}`;
}
