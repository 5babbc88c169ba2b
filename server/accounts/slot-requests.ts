/**
 * Visitors' requests for a slot, from the form on the front page. Admins make an invite for one or dismiss it; an account with
 * its address closes it, and it is deleted after a month.
 */
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { countAttempts } from '#server/platform/attempts.ts';
import { takeLock } from '#server/platform/transaction.queries.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { newId } from '#server/schema/base.ts';
import { ago, countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import { SLOT_REQUESTS, type SlotRequestInput, type SlotRequestsDto } from '#shared/schemas/slot-requests.ts';
import { slotRequestLimits } from './attempt-limits.ts';
import { isBanned, shareBans } from './ban-check.ts';
import { emailKey } from './email.ts';
import { inviteState } from './rules/invite-state.ts';

/** Requests whose address has no account, with the invites that were made for them; the oldest first. */
const selectRequests = (em: Em) =>
  db(em)
    .selectFrom('slot_request as r')
    .leftJoin('invite as i', 'i.id', 'r.invite_id')
    .leftJoin('app_user as m', 'm.id', 'i.created_by_id')
    .select(({ ref }) => [
      'r.id',
      'r.handle',
      'r.email',
      'r.module',
      'r.level',
      'r.slot',
      'r.notes',
      ms(ref('r.created_at')).as('createdMs'),
      'i.role as invitedAs',
      'm.roles as makerRoles',
      'i.uses',
      'i.max_uses as maxUses',
      ms(ref('i.revoked_at')).as('revokedMs'),
      ms(ref('i.expires_at')).as('expiresMs'),
      ms(ref('i.created_at')).as('invitedMs'),
    ])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('app_user as u').select('u.id').whereRef('u.email_key', '=', 'r.email_key'))),
    )
    .orderBy('r.created_at')
    .orderBy('r.id')
    .limit(SLOT_REQUESTS.stored);

/** The requests, those that wait for an answer first. One whose invite lets nobody in any more waits again. */
export async function listSlotRequests(em: Em, now: Date): Promise<SlotRequestsDto> {
  const rows = await selectRequests(em).execute();
  const requests = rows.map((row) => {
    const { createdMs, invitedMs, invitedAs, makerRoles, uses, maxUses, revokedMs, expiresMs, ...request } = row;
    const isInvited =
      uses !== null &&
      invitedAs !== null &&
      inviteState({ role: invitedAs, makerRoles, uses, maxUses, revokedMs, expiresMs }, now.getTime()) === 'open' &&
      invitedMs !== null;
    return { ...request, createdAt: toIso(createdMs), invitedAt: isInvited ? toIso(invitedMs) : null };
  });
  const waiting = requests.filter(({ invitedAt }) => invitedAt === null);
  const invited = requests.filter(({ invitedAt }) => invitedAt !== null);
  return { requests: [...waiting, ...invited], waiting: waiting.length };
}

/** True if no request is kept of an address: it has an account, is banned, or there are too many requests already. */
async function isUnwanted(tx: Em, email: string): Promise<boolean> {
  const key = emailKey(email);
  const owner = await db(tx).selectFrom('app_user').select('id').where('email_key', '=', key).executeTakeFirst();
  await shareBans(tx);
  if (owner || (await isBanned(tx, { email }))) return true;
  const others = db(tx).selectFrom('slot_request').select(countRows().as('count')).where('email_key', '<>', key);
  return (await others.executeTakeFirstOrThrow()).count >= SLOT_REQUESTS.stored;
}

/**
 * Store a visitor's request, in place of an earlier one with the same address, and tell the admins. The answer is the same
 * where nothing is stored, so that it tells nobody who has an account or is banned.
 * @param client the address that the call comes from; 429 for too many requests from it
 */
export async function requestSlot(
  em: Em,
  { AUTH_ATTEMPTS_PER_MINUTE }: Pick<Env, 'AUTH_ATTEMPTS_PER_MINUTE'>,
  client: string,
  { email, ...request }: SlotRequestInput,
  now: Date,
): Promise<void> {
  await countAttempts(em, slotRequestLimits(AUTH_ATTEMPTS_PER_MINUTE, client));
  await transact(em, async (tx) => {
    await takeLock(tx, 'requests');
    if (await isUnwanted(tx, email)) return;
    const values = { ...request, email, created_at: now };
    await db(tx)
      .insertInto('slot_request')
      .values({ id: newId(), email_key: emailKey(email), ...values })
      .onConflict((conflict) => conflict.column('email_key').doUpdateSet(values))
      .execute();
    emit(tx, { type: 'request.made' });
  });
}

/** Close a request without an answer. Unknown id: 404. */
export async function dismissSlotRequest(em: Em, viewer: Viewer, id: string): Promise<void> {
  await transact(em, async (tx) => {
    const dismissed = await db(tx).deleteFrom('slot_request').where('id', '=', id).returning('id').executeTakeFirst();
    if (!dismissed) throw new AppError('REQUEST_NOT_FOUND');
    emit(tx, { type: 'request.dismissed', by: viewer, requestId: id });
  });
}

/** Note the invite that answers a request, in the transaction that makes it. Unknown id: 404. */
export async function answerSlotRequest(tx: Em, id: string, inviteId: string): Promise<void> {
  const answered = await db(tx)
    .updateTable('slot_request')
    .set({ invite_id: inviteId })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  if (!answered) throw new AppError('REQUEST_NOT_FOUND');
}

/** Delete the request of an address that now has an account, or is banned. */
export async function closeSlotRequest(tx: Em, email: string): Promise<void> {
  await db(tx).deleteFrom('slot_request').where('email_key', '=', emailKey(email)).execute();
}

/** Delete the requests that an invite was made for, once somebody has joined by it with another address. */
export async function closeSlotRequestsOf(tx: Em, inviteId: string): Promise<void> {
  await db(tx).deleteFrom('slot_request').where('invite_id', '=', inviteId).execute();
}

/** Delete old requests, and those whose address got an account in another way than by registering. */
export async function purgeSlotRequests(em: Em): Promise<void> {
  await db(em)
    .deleteFrom('slot_request')
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('created_at', '<', ago(`${SLOT_REQUESTS.days} days`)),
        exists(selectFrom('app_user as u').select('u.id').whereRef('u.email_key', '=', 'slot_request.email_key')),
      ]),
    )
    .execute();
}
