/** Push devices: subscribe, list, unsubscribe, and the installation's VAPID keys. */
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import { newId } from '#server/schema/base.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { isPushEndpoint } from '#server/delivery/push/rules/push.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import type { PushSubscriptionDto, SubscribeInput } from '#shared/schemas/push.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** The key pair that signs messages. Browsers bind their subscription to the public key, so it never changes. */
export async function readVapidKeys(em: Em): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await readSecret(em, 'vapid', () => ({ ...webPush.generateVAPIDKeys() }));
  if (publicKey === undefined || privateKey === undefined) throw new Error('The keys for notifications are damaged');
  return { publicKey, privateKey };
}

export async function getPushKey(em: Em): Promise<{ publicKey: string }> {
  const { publicKey } = await readVapidKeys(em);
  return { publicKey };
}

/** False for a key that is not a point on the curve: every message to the device would fail. */
function isOnCurve(p256dh: string): boolean {
  const own = createECDH('prime256v1');
  own.generateKeys();
  try {
    own.computeSecret(Buffer.from(p256dh, 'base64url'));
    return true;
  } catch {
    return false;
  }
}

type SubscriptionRow = { id: string; endpoint: string; userAgent: string | null; createdMs: number };

const present = (row: SubscriptionRow): PushSubscriptionDto => ({
  id: row.id,
  endpoint: row.endpoint,
  device: describeDevice(row.userAgent),
  createdAt: new Date(row.createdMs).toISOString(),
});

/** The viewer's devices, newest first. */
export async function listSubscriptions(em: Em, viewer: Viewer): Promise<PushSubscriptionDto[]> {
  const rows = await db(em)
    .selectFrom('push_subscription')
    .select(({ ref }) => ['id', 'endpoint', 'user_agent as userAgent', ms(ref('created_at')).as('createdMs')])
    .where('user_id', '=', viewer.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(OWNED_MAX.pushDevices)
    .execute();
  return rows.map(present);
}

/**
 * Notify the viewer on this device from now on. A device belongs to its last user. Its keys prove that it
 * is the same device: other keys for a known address are refused with 409. A device beyond the cap is refused too, because
 * dropping the oldest would silence it unnoticed.
 */
export async function subscribe(
  em: Em,
  viewer: Viewer,
  { endpoint, keys }: SubscribeInput,
  {
    env,
    userAgent,
    now,
    sessionToken,
  }: { env: Pick<Env, 'PUSH_EXTRA_ORIGINS'>; userAgent: string | null; now: Date; sessionToken: string },
): Promise<PushSubscriptionDto> {
  if (!isPushEndpoint(endpoint, env.PUSH_EXTRA_ORIGINS)) {
    throw new AppError('VALIDATION', copy.pushEndpointRefused, { field: 'endpoint' });
  }
  if (!isOnCurve(keys.p256dh)) throw new AppError('VALIDATION', copy.pushKeysInvalid, { field: 'keys.p256dh' });
  return transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken);
    const others = db(tx)
      .selectFrom('push_subscription')
      .where('user_id', '=', viewer.id)
      .where('endpoint', '<>', endpoint);
    await requireRoom('pushDevices', others);
    const row = await db(tx)
      .insertInto('push_subscription')
      .values({
        id: newId(),
        user_id: viewer.id,
        endpoint,
        p256dh: keys.p256dh,
        auth: keys.auth,
        user_agent: userAgent,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .column('endpoint')
          .doUpdateSet(({ ref }) => ({
            user_id: ref('excluded.user_id'),
            user_agent: ref('excluded.user_agent'),
            created_at: ref('excluded.created_at'),
          }))
          .whereRef('push_subscription.p256dh', '=', 'excluded.p256dh')
          .whereRef('push_subscription.auth', '=', 'excluded.auth'),
      )
      .returning(({ ref }) => ['id', 'endpoint', 'user_agent as userAgent', ms(ref('created_at')).as('createdMs')])
      .executeTakeFirst();
    if (!row) throw new AppError('SUBSCRIPTION_ELSEWHERE');
    return present(row);
  });
}

/** Stop notifying the viewer on a device; somebody else's device is left alone. */
export async function unsubscribe(em: Em, viewer: Viewer, endpoint: string): Promise<void> {
  await db(em)
    .deleteFrom('push_subscription')
    .where('user_id', '=', viewer.id)
    .where('endpoint', '=', endpoint)
    .execute();
}

/** Forget a device whose push service says that its subscription has ended. */
export async function dropDevice(em: Em, id: string): Promise<void> {
  await db(em).deleteFrom('push_subscription').where('id', '=', id).execute();
}
