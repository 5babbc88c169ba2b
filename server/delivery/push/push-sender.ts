/** Sends web push notifications: encrypts, signs and posts one message to one device. */
import webPush from 'web-push';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import type { SendResult } from '#server/delivery/sender.ts';
import type { Env } from '#server/platform/env.ts';
import type { Log } from '#server/platform/log.ts';
import { countAttempt } from '#server/platform/attempts.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { isPushEndpoint } from '#server/delivery/push/rules/push.ts';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { panelPath } from '#shared/profile-sections.ts';
import type { PushMessage, PushTestResult } from '#shared/schemas/push.ts';
import { dropDevice, readVapidKeys } from './devices.ts';

const TIMEOUT_MS = 5_000;
const TEST_TTL_SECONDS = 300;
/** The contact that push services ask for, when the server has neither a public address nor an admin's. */
const NOBODY = 'mailto:admin@marshal.local';

export type Device = { id: string; endpoint: string; p256dh: string; auth: string };
type Timing = { ttlSeconds: number; urgency: 'normal' | 'high' };
export type Sender = { env: Env; log: Log };

const GONE = 'The browser no longer takes notifications.';
const REFUSED = 'The push service refused the notification.';
const DELAYED = 'The push service did not answer.';

const failed = (isPermanent: boolean, status: number | null, error: string): SendResult => ({
  outcome: 'failed',
  isPermanent,
  status,
  error,
});

function subjectOf({ PUBLIC_URL, ADMIN_EMAIL }: Env): string {
  if (PUBLIC_URL.startsWith('https:')) return PUBLIC_URL;
  return ADMIN_EMAIL === undefined ? NOBODY : `mailto:${ADMIN_EMAIL}`;
}

/**
 * Send one message to one device, without redirects and within five seconds. Never rejects. A device that is gone is deleted.
 */
export async function deliver(
  em: Em,
  { env, log }: Sender,
  device: Device,
  message: PushMessage,
  timing: Timing,
): Promise<SendResult> {
  const service = new URL(device.endpoint).origin;
  if (!isPushEndpoint(device.endpoint, env.PUSH_EXTRA_ORIGINS)) {
    log.warn({ service }, 'push service not allowed');
    return failed(true, null, REFUSED);
  }
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint: device.endpoint, keys: { p256dh: device.p256dh, auth: device.auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: subjectOf(env), ...(await readVapidKeys(em)) },
      TTL: timing.ttlSeconds,
      urgency: timing.urgency,
    },
  );
  const response = await fetch(device.endpoint, {
    method: 'POST',
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      name === 'Content-Length' ? [] : [[name, value]],
    ),
    body: body === null ? null : new Uint8Array(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (response === null) return failed(false, null, DELAYED);
  await response.body?.cancel();
  const { status } = response;
  if (response.ok) return { outcome: 'sent' };
  if (status === 404 || status === 410) {
    await dropDevice(em, device.id);
    return failed(true, status, GONE);
  }
  if (status === 429 || status >= 500) return failed(false, status, DELAYED);
  log.warn({ service, status }, 'notification refused by the push service');
  return failed(true, status, REFUSED);
}

/** Send a test notification to all devices of the viewer. Limited like sign-in attempts: 429 beyond that. */
export async function sendTestPush(em: Em, app: Sender, viewer: Viewer): Promise<PushTestResult> {
  await countAttempt(em, attemptBuckets.testPush(viewer.id), app.env.AUTH_ATTEMPTS_PER_MINUTE);
  const devices = await db(em)
    .selectFrom('push_subscription')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('user_id', '=', viewer.id)
    .execute();
  const message: PushMessage = {
    title: 'Marshal',
    body: 'Notifications work on this device.',
    url: panelPath('push'),
    tag: 'test',
    orderId: null,
    changedAt: null,
  };
  const timing = { ttlSeconds: TEST_TTL_SECONDS, urgency: 'high' } as const;
  const results = await Promise.all(devices.map((device) => deliver(em, app, device, message, timing)));
  const failures = results.flatMap((result) => (result.outcome === 'failed' ? [result] : []));
  const gone = failures.filter(({ error }) => error === GONE).length;
  return { sent: results.length - failures.length, gone, failed: failures.length - gone };
}
