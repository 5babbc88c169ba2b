/** Sentences about seating drafts together. */
import { formatZulu } from '#shared/clock.ts';
import { formatShortDate } from '#client/lib/time.ts';
import type { PublishedWeekDto, RivalDraftDto, WeekPlanDto } from '#shared/schemas/mission-plan.ts';
import { count } from '#shared/plural.ts';

/** `“Op B” (draft, Sat, Nov 28 2000Z)` */
export function rivalName({ missionName, startUtc }: RivalDraftDto): string {
  return `“${missionName}” (draft, ${formatShortDate(startUtc, 'UTC')} ${formatZulu(startUtc)})`;
}

/** `Needs 12 of the same pilots.` */
export function wantsSentence({ sharedPilots }: RivalDraftDto): string {
  return `Needs ${sharedPilots} of the same pilots.`;
}

/** `Planned together, 30 of 32 seats fill; planned separately, 27.` */
export function togetherSentence({ seats, filled, filledAlone }: WeekPlanDto): string {
  const alone = filled === filledAlone ? ': the same as planning separately' : `; planned separately, ${filledAlone}`;
  return `Planned together, ${filled} of ${seats} seats fill${alone}.`;
}

/** `“Op B”` of one draft, `3 drafts` of several. */
export function draftsName(drafts: readonly RivalDraftDto[]): string {
  const [first] = drafts;
  return drafts.length === 1 && first ? `“${first.missionName}”` : count(drafts.length, 'draft');
}

/** `12 orders issued, 1 seat open`, for all missions or for one. */
export function issuedWords({ missions }: PublishedWeekDto, missionId?: string): string {
  const meant = missions.filter(({ id }) => missionId === undefined || id === missionId);
  const orders = meant.reduce((sum, mission) => sum + mission.orders, 0);
  const open = meant.reduce((sum, mission) => sum + mission.openSeats, 0);
  return `${count(orders, 'order')} issued, ${count(open, 'seat')} open`;
}
