/**
 * Queues weekly digests on Sunday evening in each pilot's zone. The Sunday is recorded on the account in the transaction that
 * queues the email: whatever crashes or runs twice, each pilot gets one a week.
 */
import { tryEach } from '#server/platform/each.ts';
import { PLACEHOLDER_PATTERN } from '#server/accounts/email.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { User } from '#server/schema/user.ts';
import { emit } from '#server/signals/emit.ts';
import { enqueueJobs, jobKey } from '#server/signals/jobs.ts';
import { findDigestReader, loadDigest } from './digest-mail.ts';
import { isEmptyDigest } from './rules/digest-letter.ts';
import { sundayEvening } from './rules/digest-week.ts';

/** Pilots of one run, which leaves the worker to other jobs in between. */
const PILOTS_PER_RUN = 50;

/** Pilots who have chosen the digest. */
const selectReaders = (em: Em) =>
  db(em)
    .selectFrom('app_user as u')
    .where('u.email_digest', '=', true)
    .where('u.email', 'not like', PLACEHOLDER_PATTERN)
    .where(isActivePilot('u'));

/** Pilots for whom it is Sunday evening, and who have no digest of that Sunday yet. */
async function listDue(em: Em, now: Date): Promise<{ id: string; sunday: string }[]> {
  const zones = await selectReaders(em).select('u.time_zone as timeZone').distinct().execute();
  const evenings = zones.flatMap(({ timeZone }) => {
    const sunday = sundayEvening(now.getTime(), timeZone);
    return sunday === null ? [] : [{ timeZone, sunday }];
  });
  // zones in which it is Sunday evening at the same moment have the same date
  const [first] = evenings;
  if (!first) return [];
  const { sunday } = first;
  const rows = await selectReaders(em)
    .select('u.id')
    .where(
      isOneOf(
        'u.time_zone',
        evenings.map(({ timeZone }) => timeZone),
      ),
    )
    .where(({ eb, or }) => or([eb('u.digested_on', 'is', null), eb('u.digested_on', '<', sunday)]))
    .orderBy('u.id')
    .limit(PILOTS_PER_RUN)
    .execute();
  return rows.map(({ id }) => ({ id, sunday }));
}

/** Decide about one pilot's digest, once. Another process that does so at the same time waits, and finds it decided. */
async function queueDigest(tx: Em, { id, sunday }: { id: string; sunday: string }, now: Date): Promise<void> {
  const isDue = { $or: [{ digestedOn: null }, { digestedOn: { $lt: sunday } }] };
  const claimed = await tx.nativeUpdate(User, { id, ...isDue }, { digestedOn: sunday });
  const viewer = claimed === 0 ? null : await findDigestReader(tx, id);
  if (viewer === null) return;
  // the addresses are made when it is sent
  const contents = await loadDigest(tx, { viewer, sunday, publicUrl: '' }, now);
  if (!isEmptyDigest(contents)) emit(tx, { type: 'digest.due', userId: id, sunday });
}

/** Queue the digests that are due. Safe to run at any time and on any replica. */
export async function queueDigests(em: Em, now: Date): Promise<void> {
  const due = await listDue(em, now);
  await tryEach(due, (pilot) => transact(em, (tx) => queueDigest(tx, pilot, now)), 'Some digests could not be queued');
  if (due.length === PILOTS_PER_RUN)
    await enqueueJobs(em, 'send_digests', [{ payload: {}, key: jobKey('send_digests') }]);
}
