/** Sentences about a leave of absence; `name` is null for the viewer's own. */
import { dateWords, onLeaveWords } from '#shared/leave.ts';
import type { LeaveDto, LeavePreviewDto } from '#shared/schemas/leave.ts';

/** `On leave until Dec 5`, `On leave Nov 28 to Dec 5` */
export function leaveBadge({ firstDate, lastDate, isNow }: LeaveDto): string {
  const words = isNow ? onLeaveWords(lastDate) : `on leave ${dateWords(firstDate)} to ${dateWords(lastDate)}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `Nov 28 to Dec 5, Moving house`; `no leave` */
export function leaveWords(leave: Pick<LeaveDto, 'firstDate' | 'lastDate' | 'reason'> | null): string {
  if (leave === null) return 'no leave';
  if (leave.firstDate === '' || leave.lastDate === '') return 'no dates';
  const dates = `${dateWords(leave.firstDate)} to ${dateWords(leave.lastDate)}`;
  return [dates, leave.reason].filter((part) => part !== null && part !== '').join(', ');
}

export const leaveCopy = {
  title: 'Leave of absence',
  meaning: (name: string | null) =>
    name === null
      ? "You won't be offered missions between these dates. It doesn't count against you."
      : `${name} won't be offered missions between these dates. It doesn't count against them.`,
  takesAway: (name: string | null) =>
    `This leave covers missions that ${name ?? 'you'} would ${name === null ? 'give up' : 'lose'}:`,
  saved: 'Leave saved',
  ended: 'Leave ended',
  saveFailed: 'Failed to save the leave',
  endFailed: 'Failed to end the leave',
  changedMeanwhile: 'The leave was changed somewhere else. Look at its dates before you end it.',
} as const;

/** Words after a mission in the preview of a leave. */
export const EFFECTS: Record<LeavePreviewDto['missions'][number]['effect'], string> = {
  seat: 'the seat goes to another pilot',
  order: 'the order is withdrawn',
  standby: 'the place on standby ends',
  stays: 'has launched, so the seat stays',
};
