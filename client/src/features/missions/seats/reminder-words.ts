/** A reminder of a mission in one or two sentences, for admins. */
import { leadWords } from '#shared/reminders.ts';
import type { OrderReminderDto } from '#shared/schemas/mission-admin.ts';
import type { ReminderChannel } from '#shared/vocabulary.ts';

const NAMES: Record<ReminderChannel, string> = { discord: 'Discord', push: 'push', email: 'email' };
const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/** @returns null for one that was no longer needed when it was its turn */
export function reminderWords(reminder: OrderReminderDto): { text: string; isProblem: boolean } | null {
  const { leadMinutes, deliveries, problem } = reminder;
  const lead = `${leadWords(leadMinutes)} before`;
  if (problem !== null) return { text: `Not reminded ${lead}. ${problem}`, isProblem: true };
  const namesOf = (state: string) => deliveries.flatMap((one) => (one.state === state ? [NAMES[one.channel]] : []));
  const [sent, waiting] = [namesOf('sent'), namesOf('waiting')];
  const why = deliveries
    .filter(({ state, reason }) => state !== 'sent' && reason !== null)
    .map(({ channel, reason }) => `By ${NAMES[channel]}: ${reason?.replace(/\.$/, '')}.`)
    .join(' ');
  const withWhy = (text: string) => (why === '' ? text : `${text} ${why}`);
  if (sent.length > 0) return { text: withWhy(`Reminded ${lead} by ${listed.format(sent)}.`), isProblem: why !== '' };
  if (waiting.length > 0) return { text: withWhy(`The reminder ${lead} is on its way.`), isProblem: why !== '' };
  return why === '' ? null : { text: withWhy(`Not reminded ${lead}.`), isProblem: true };
}
