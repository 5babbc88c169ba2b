/** Why seats stay open, in a sentence for the admin who plans the mission. */
import { assessPilot, type SeatingMission, type SeatingPilot } from '#server/seating/rules/eligibility.ts';

const flies = (pilots: number) => (pilots === 1 ? '1 pilot who flies it' : `${pilots} pilots who fly it`);

/**
 * `2 open: no pilot who is free then flies the F-14B Tomcat.`
 * A seat stays open only when everybody who fits has another one already, so either nobody fits or all who do are seated.
 * @param open how many seats of this aircraft, at least one
 * @param pilots everybody, as the seating got them
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
  readonly pilots: readonly SeatingPilot[];
}): string {
  const assessed = pilots.map((pilot) => assessPilot(pilot, mission, nowMs));
  const count = (blocked: (typeof assessed)[number]['blocked']) =>
    assessed.filter((one) => one.blocked === blocked && one.fitFor(aircraft.id) !== null).length;
  const fitting = count(null);
  const committed = count('COMMITTED');
  const quiet = count('DO_NOT_DISTURB');
  const isAnybodyFree = assessed.some(({ blocked }) => blocked === null);

  const causes: string[] = [];
  if (fitting === 1) causes.push(`the only pilot who is free then and flies the ${aircraft.name} has a seat`);
  else if (fitting > 1) causes.push(`all ${fitting} pilots who are free then and fly the ${aircraft.name} have a seat`);
  else if (isAnybodyFree) causes.push(`no pilot who is free then flies the ${aircraft.name}`);
  else causes.push('no pilot is free then');
  if (committed > 0) causes.push(`${flies(committed)} ${committed === 1 ? 'is' : 'are'} on another mission`);
  if (quiet > 0) causes.push(`${flies(quiet)} ${quiet === 1 ? 'is' : 'are'} on Do Not Disturb`);
  return `${open} open: ${causes.join('; ')}.`;
}
