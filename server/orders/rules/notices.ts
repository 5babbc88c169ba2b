/** Texts of order notices to pilots: without blame, and with the mission's time in Zulu. */
import type { Attendance, NoticeKind } from '#shared/vocabulary.ts';
import { instantWords } from '#server/orders/seats/rules/order-changes.ts';

export interface NoticeFacts {
  kind: NoticeKind;
  /** `FRAG-012` */
  label: string;
  missionName: string;
  /** epoch milliseconds */
  startMs: number;
  /** `Viper 1, seat 2`: the seat that the pilot lost or now holds; null if unknown */
  seat: string | null;
  /** why the pilot no longer fits an edited mission, or cannot fly it, as a sentence; null if an admin removed them */
  why: string | null;
  /** the pilot lost the seat to a leave: the mission is as it was */
  isLeave: boolean;
  attendance: Attendance | null;
}

const MARKS: Record<Attendance, string> = { attended: 'attended', no_show: 'a no-show', excused: 'excused' };

/** The attendance that an admin recorded; for a no-show also how to get it corrected. */
export function attendanceSentence(
  attendance: Attendance,
  { missionName, startMs }: Pick<NoticeFacts, 'missionName' | 'startMs'>,
): string {
  const marked = `An admin marked you as ${MARKS[attendance]} for “${missionName}” on ${instantWords(startMs)}.`;
  return attendance === 'no_show' ? `${marked} If that isn't right, please tell an admin.` : marked;
}

/** The full text of a notice. */
export function noticeSentence(facts: NoticeFacts): string {
  const { kind, label, missionName, startMs, seat, why, isLeave, attendance } = facts;
  const mission = `“${missionName}” on ${instantWords(startMs)}`;
  switch (kind) {
    case 'cancelled':
      return `${mission} was cancelled.`;
    case 'removed':
      if (why === null) return `An admin removed you from${seat === null ? '' : ` ${seat} in`} ${mission}.`;
      if (isLeave) return `You lost ${seat ?? 'your seat'} in ${mission}. ${why}`;
      return `${mission} has changed, and you lost ${seat ?? 'your seat'}. ${why}`;
    case 'expired':
      return `${label} for ${mission} expired without your answer. The seat is offered to the next pilot.`;
    case 'seated':
      return `You're in: ${seat === null ? '' : `${seat} in `}${mission}.`;
    case 'attendance':
      return attendanceSentence(attendance ?? 'attended', facts);
  }
}
