/** Sentences about who was seen in a mission. */
import { count } from '#shared/plural.ts';
import { FLOWN } from '#shared/presence.ts';
import type { AttendanceReport, SeenNameDto, SeenOrderDto } from '#shared/schemas/attendance.ts';

/** Names that are nobody's yet. */
export const openNames = ({ names }: AttendanceReport): SeenNameDto[] => names.filter(({ pilot }) => pilot === null);

/** Orders that one click confirms: proposed, not dismissed, and without a mark. */
export const openProposals = ({ orders }: AttendanceReport): SeenOrderDto[] =>
  orders.filter(({ attendance, verdict, state }) => attendance === null && verdict !== null && state !== 'dismissed');

/** `12 flew, 1 in another seat, 2 not seen, 3 names unknown` */
export function summaryOf(report: AttendanceReport): string {
  const { orders } = report;
  const number = (verdict: SeenOrderDto['verdict']) => orders.filter((order) => order.verdict === verdict).length;
  const brief = orders.filter(({ verdict, evidence }) => verdict === null && evidence !== null).length;
  const absent = orders.filter(({ evidence }) => evidence === null).length;
  const names = openNames(report).length;
  return [
    `${number('flew')} flew`,
    number('other_seat') > 0 && `${number('other_seat')} in another seat`,
    brief > 0 && `${brief} under ${FLOWN.minutes} min`,
    absent > 0 && `${absent} not seen`,
    names > 0 && `${count(names, 'name')} unknown`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

export const seenCopy = {
  drop: 'Choose a Tacview recording, or drop it here',
  reading: 'Reading the recording...',
  hint: 'An .acmi file of this mission, at most 100 MB. It proposes who flew, and marks nobody.',
  decideFailed: 'Failed to save the decision',
  nameFailed: 'Failed to save the name',
  confirmed: (pilots: number) => `${count(pilots, 'pilot')} marked as attended.`,
  undone: 'Attendance restored.',
} as const;
