/** The sender of web push notifications: checks that one is still wanted, composes, encrypts, signs and sends it. */
import webPush from 'web-push';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Log } from '#server/platform/log.ts';
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import {
  attendanceMessage,
  changeMessage,
  isPushEndpoint,
  orderMessage,
  pushTiming,
  swapMessage,
  type OrderNews,
} from '#server/push/rules/push.ts';
import { quietUntil } from '#server/availability/rules/free-time.ts';
import { DAY_MS } from '#server/time/time.ts';
import type { Env } from '#server/platform/env.ts';
import { fragLabel } from '#shared/labels.ts';
import { NOTICE_DAYS } from '#shared/limits.ts';
import type { PushMessage, PushTestResult } from '#shared/schemas/push.ts';
import { attemptBuckets } from '#server/accounts/attempt-limits.ts';
import { countAttempt } from '#server/platform/rate-limit.ts';
import { presentOrder, selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import type { PushKind } from '#server/signals/rules/effects.ts';
import { readVapidKeys } from './devices.ts';
import { selectSwaps } from '#server/orders/swap-view.ts';
import type { Viewer } from '#server/platform/viewer.ts';

const TIMEOUT_MS = 5_000;
const TEST_TTL_SECONDS = 300;
/** The contact that push services ask for, when the server has neither a public address nor an admin's. */
const NOBODY = 'mailto:admin@marshal.local';

type Device = { id: string; endpoint: string; p256dh: string; auth: string };
type Timing = { ttlSeconds: number; urgency: 'normal' | 'high' };
export type Sender = { env: Env; log: Log };

/** `gone`: the browser has unsubscribed. `refused`: the service will never accept this message. */
type Delivery = 'sent' | 'gone' | 'refused';

/** The push service did not answer, or said to try later. */
export class PushDelayed extends Error {}

function subjectOf({ PUBLIC_URL, ADMIN_EMAIL }: Env): string {
  if (PUBLIC_URL.startsWith('https:')) return PUBLIC_URL;
  return ADMIN_EMAIL === undefined ? NOBODY : `mailto:${ADMIN_EMAIL}`;
}

/**
 * Send one message to one device, without redirects and within five seconds. A device that is gone is deleted.
 * @throws PushDelayed when a retry may help
 */
export async function deliver(em: Em, { env, log }: Sender, device: Device, message: PushMessage, timing: Timing) {
  const service = new URL(device.endpoint).origin;
  if (!isPushEndpoint(device.endpoint, env.PUSH_EXTRA_ORIGINS)) {
    log.warn({ service }, 'notifications may no longer be sent to this push service');
    return 'refused' satisfies Delivery;
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
  }).catch((cause: unknown) => {
    throw new PushDelayed(`${service} did not answer`, { cause });
  });
  await response.body?.cancel();
  const { status } = response;
  if (response.ok) return 'sent' satisfies Delivery;
  if (status === 404 || status === 410) {
    await db(em).deleteFrom('push_subscription').where('id', '=', device.id).execute();
    return 'gone' satisfies Delivery;
  }
  if (status === 429 || status >= 500) throw new PushDelayed(`${service} answered ${status}`);
  log.warn({ service, status }, 'a push service refused a notification');
  return 'refused' satisfies Delivery;
}

/** The device of a job, if it still belongs to the order's pilot, with the pilot's current settings and status. */
const loadDevice = (em: Em, orderId: string, subscriptionId: string) =>
  db(em)
    .selectFrom('push_subscription as s')
    .innerJoin('frag_order as o', 'o.pilot_id', 's.user_id')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .leftJoin('pilot_status as t', 't.user_id', 'u.id')
    .select(({ ref }) => [
      's.id',
      's.endpoint',
      's.p256dh',
      's.auth',
      'u.notify_orders as wantsOrders',
      'u.notify_changes as wantsChanges',
      't.state',
      't.minutes',
      ms(ref('t.expires_at')).as('statusExpiresMs'),
    ])
    .where('s.id', '=', subscriptionId)
    .where('o.id', '=', orderId)
    .where(isActivePilot('u'))
    .executeTakeFirst();

type Composed = { message: PushMessage; deadlineMs: number };

/** The message about the pilot's newest swap: one that waits for their answer, or one that was answered; null for none. */
async function composeSwap(
  em: Em,
  news: OrderNews,
  kind: 'swap' | 'swapAnswer',
  startMs: number,
  now: Date,
): Promise<Composed | null> {
  const swaps = await selectSwaps(em, now)
    .where(({ eb, and }) =>
      kind === 'swap'
        ? and([eb('w.with_order_id', '=', news.id), eb('w.state', '=', 'proposed')])
        : and([eb('w.order_id', '=', news.id), eb('w.state', 'in', ['agreed', 'declined'])]),
    )
    .execute();
  for (const { state, place, withPlace, pilotName, withPilotName, expiresMs } of swaps) {
    if (kind === 'swap' && state === 'proposed') {
      const message = swapMessage(news, { state, pilotName, from: withPlace, to: place, expiresMs });
      return { message, deadlineMs: expiresMs };
    }
    if (kind === 'swapAnswer' && (state === 'agreed' || state === 'declined')) {
      const message = swapMessage(news, { state, pilotName: withPilotName, from: place, to: withPlace, expiresMs });
      return { message, deadlineMs: startMs };
    }
  }
  return null;
}

/** The facts of an order that notifications show. */
export const orderNews = (order: OrderRow): OrderNews => ({
  id: order.id,
  label: fragLabel(order.seq),
  missionName: order.mission_name,
  flightCallsign: order.flight_callsign,
  aircraftName: order.aircraft_name,
  seatIndex: order.seat_index,
  launchMs: order.launch_ms,
  startMs: order.starts_ms,
  expiresMs: order.expires_ms,
  changedMs: order.changed_ms,
});

/** The message about an order in its current state, and until when it is of use; null if there is no longer one. */
export async function composeMessage(em: Em, order: OrderRow, kind: PushKind, now: Date): Promise<Composed | null> {
  const news = orderNews(order);
  if (kind === 'swap' || kind === 'swapAnswer') return composeSwap(em, news, kind, order.starts_ms, now);
  if (kind === 'attendance') {
    const deadlineMs = order.ends_ms + NOTICE_DAYS * DAY_MS;
    return order.attendance && { message: attendanceMessage(news, order.attendance), deadlineMs };
  }
  const { status, status_reason: statusReason, rsvp, reasons } = order;
  const { changes } = presentOrder(order, now);
  const asks = status === 'issued' && rsvp === 'pending';
  const deadlineMs = asks ? order.expires_ms : kind === 'change' ? order.ends_ms : order.starts_ms;
  const isStill = status === 'issued' && rsvp === (kind === 'order' ? 'pending' : 'accepted');
  const message =
    kind === 'change'
      ? changeMessage(news, { statusReason, rsvp, changes, reasons })
      : isStill
        ? orderMessage(news, kind)
        : null;
  return message && { message, deadlineMs };
}

/**
 * Notify a pilot of an order on one device. Sends nothing if the order has been answered or has expired, if the pilot does
 * not want the notification, or not now (Do Not Disturb holds back what starts within 24 h), or if the device belongs to somebody else by now.
 * @throws PushDelayed when the job should be retried
 */
export async function sendOrderPush(
  app: Sender & { orm: MikroORM },
  { orderId, subscriptionId, kind }: { orderId: string; subscriptionId: string; kind: PushKind },
  now: Date,
): Promise<void> {
  const em = app.orm.em.fork();
  const device = await loadDevice(em, orderId, subscriptionId);
  if (!device || !(kind === 'order' ? device.wantsOrders : device.wantsChanges)) return;
  const status = { state: device.state ?? 'available', minutes: device.minutes, expiresAtMs: device.statusExpiresMs };

  const order = await selectOrders(em).where('o.id', '=', orderId).executeTakeFirst();
  if (!order || order.starts_ms <= quietUntil(status, now.getTime())) return;
  const composed = await composeMessage(em, order, kind, now);
  if (!composed || composed.deadlineMs <= now.getTime()) return;
  await deliver(em, app, device, composed.message, pushTiming(composed.deadlineMs, now.getTime()));
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
    url: '/profile',
    tag: 'test',
    orderId: null,
    changedAt: null,
  };
  const outcomes = await Promise.all(
    devices.map((device) =>
      deliver(em, app, device, message, { ttlSeconds: TEST_TTL_SECONDS, urgency: 'high' }).catch((error: unknown) => {
        if (error instanceof PushDelayed) return 'refused' as const;
        throw error;
      }),
    ),
  );
  const count = (outcome: Delivery) => outcomes.filter((one) => one === outcome).length;
  return { sent: count('sent'), gone: count('gone'), failed: count('refused') };
}
