/** News of frag orders for their pilots, by every channel that is told of each: push notifications and email. */
import type { Em } from '#server/schema/orm.ts';
import type { PushKind } from './jobs.ts';
import { noteMail } from './mail-notes.ts';
import { enqueuePushes } from './push-jobs.ts';

/** Tell the pilots of these orders what happened, in the caller's transaction. The choices of each pilot decide how. */
export async function enqueueOrderNews(tx: Em, orderIds: readonly string[], kind: PushKind): Promise<void> {
  await enqueuePushes(tx, orderIds, kind);
  if (kind !== 'attendance')
    noteMail(tx, ...orderIds.map((orderId) => ({ kind: 'order' as const, orderId, topic: kind })));
}
