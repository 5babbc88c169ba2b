/** Devices that take notifications: subscribe, list, unsubscribe, and the installation's VAPID keys. */
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import { newId } from '#server/schema/base.ts';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { describeDevice } from '#server/accounts/rules/device.ts';
import { isPushEndpoint } from '#server/push/rules/push.ts';
import type { Env } from '#server/platform/env.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { OWNED_MAX } from '#shared/limits.ts';
import type { PushSubscriptionDto, SubscribeInput } from '#shared/schemas/push.ts';
import { requireRoom } from '#server/platform/ownership.ts';
import { readSecret } from '#server/platform/secrets.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import type { Viewer } from '#server/platform/viewer.ts';

/** The pair that messages are signed with. Browsers bind their subscription to the public one, so it never changes. */
export async function readVapidKeys(em: Em): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await readSecret(em, 'vapid', () => ({ ...webPush.generateVAPIDKeys() }));
  if (publicKey === undefined || privateKey === undefined) throw new Error('The keys for notifications are damaged');
  return { publicKey, privateKey };
}

export async function getPushKey(em: Em): Promise<{ publicKey: string }> {
  const { publicKey } = await readVapidKeys(em);
  return { publicKey };
}

/** A point off the curve would fail every message to it. */
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

type SubscriptionRow = { id: string; endpoint: string; user_agent: string | null; created_ms: number };

const present = (row: SubscriptionRow): PushSubscriptionDto => ({
  id: row.id,
  endpoint: row.endpoint,
  device: describeDevice(row.user_agent),
  createdAt: new Date(row.created_ms).toISOString(),
});

/** The viewer's devices, newest first. */
export async function listSubscriptions(em: Em, viewer: Viewer): Promise<PushSubscriptionDto[]> {
  const rows = await query<SubscriptionRow>(
    em,
    sql`select id, endpoint, user_agent, ${msOf('created_at')} as created_ms
        from push_subscription where user_id = ${viewer.id} order by created_at desc, id limit ${sql.lit(OWNED_MAX.pushDevices)}`,
  );
  return rows.map(present);
}

/**
 * Notify the viewer on this device from now on. A device belongs to whoever signed in there last; its keys prove that it
 * is the same one, other keys for a known address are refused with 409, and so is one device too many: dropping the
 * oldest would silence it without a word.
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
    throw new AppError(400, copy.pushEndpointRefused, { field: 'endpoint' });
  }
  if (!isOnCurve(keys.p256dh)) throw new AppError(400, copy.pushKeysInvalid, { field: 'keys.p256dh' });
  return transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken);
    const others = sql`push_subscription where user_id = ${viewer.id} and endpoint <> ${endpoint}`;
    await requireRoom(tx, 'pushDevices', others);
    const [row] = await query<SubscriptionRow>(
      tx,
      sql`insert into push_subscription as s (id, user_id, endpoint, p256dh, auth, user_agent, created_at)
          values (${newId()}, ${viewer.id}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${userAgent}, ${now})
          on conflict (endpoint) do update set
            user_id = excluded.user_id, user_agent = excluded.user_agent, created_at = excluded.created_at
          where s.p256dh = excluded.p256dh and s.auth = excluded.auth
          returning s.id, s.endpoint, s.user_agent, ${msOf('s.created_at')} as created_ms`,
    );
    if (!row) throw new AppError(409, copy.pushKeysDiffer);
    return present(row);
  });
}

/** Stop notifying the viewer there; a device that is not theirs stays as it is. */
export async function unsubscribe(em: Em, viewer: Viewer, endpoint: string): Promise<void> {
  await query(em, sql`delete from push_subscription where user_id = ${viewer.id} and endpoint = ${endpoint}`);
}
