/** Web push notifications in the service worker: display, and the actions on a click. */
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { PushMessage } from '#shared/schemas/push.ts';
import { youAreIn, type SeatPlace } from '#shared/labels.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { worker, type NotificationEvent, type PushEvent, type WorkerNotificationOptions } from './scope.ts';

const ICON = '/icon-192.png';
/** White on transparent, for Android's status bar. */
const BADGE = '/badge-96.png';

interface Reply {
  action: RsvpResponse;
  title: string;
  /** the answer, as it is sent */
  sent: string;
  /** the result, once the server has it */
  done: (order: SeatPlace) => string;
}

/** Answers offered as buttons; a click elsewhere opens the page. */
const ANSWERS: Record<'order' | 'confirmation', readonly Reply[]> = {
  order: [
    { action: 'accepted', title: 'Accept', sent: 'Accepted', done: youAreIn },
    { action: 'standby', title: 'Standby', sent: 'Standby', done: () => 'RSVP sent: Standby' },
  ],
  confirmation: [
    { action: 'accepted', title: STILL_FLYING.confirm, sent: 'Confirmed', done: () => 'RSVP sent: Confirmed' },
    { action: 'declined', title: STILL_FLYING.decline, sent: 'Declined', done: () => 'RSVP sent: Declined' },
  ],
};

/** Shown for an unreadable message, because browsers revoke the permission when a push shows nothing. */
const UNREADABLE: PushMessage = {
  title: 'Marshal',
  body: 'Something new is waiting for you.',
  url: '/home',
  tag: 'unreadable',
  orderId: null,
  changedAt: null,
};

/** Fields stored with the notification for the click handler. */
type Kept = Pick<PushMessage, 'title' | 'url' | 'tag' | 'orderId' | 'changedAt' | 'asks'>;

export function showPush(event: PushEvent): void {
  event.waitUntil(show(readMessage(event.data)));
}

function readMessage(data: PushEvent['data']): PushMessage {
  try {
    const value: unknown = data?.json();
    return isMessage(value) ? value : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function isMessage(value: unknown): value is PushMessage {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const read = (field: keyof PushMessage): unknown => Reflect.get(value, field);
  const texts = [read('title'), read('body'), read('url'), read('tag')];
  const orderId = read('orderId');
  return (
    texts.every((text) => typeof text === 'string') &&
    new URL(String(read('url')), worker.location.origin).origin === worker.location.origin &&
    (orderId === null || typeof orderId === 'string')
  );
}

/** @param isSilent replaces the notification without another sound or vibration */
function show({ title, body, url, tag, orderId, changedAt, asks }: PushMessage, isSilent = false): Promise<void> {
  const options: WorkerNotificationOptions = {
    body,
    tag,
    renotify: !isSilent,
    icon: ICON,
    badge: BADGE,
    data: { title, url, tag, orderId, changedAt, ...(asks && { asks }) } satisfies Kept,
    actions:
      orderId === null ? [] : ANSWERS[asks ?? 'order'].map(({ action, title: label }) => ({ action, title: label })),
  };
  return worker.registration.showNotification(title, options);
}

export function handlePress(event: NotificationEvent): void {
  const { notification, action } = event;
  const kept = notification.data as Kept;
  const answer = ANSWERS[kept.asks ?? 'order'].find((one) => one.action === action);
  if (answer === undefined || kept.orderId === null) {
    notification.close();
    event.waitUntil(openUrl(kept.url));
    return;
  }
  event.waitUntil(sendAnswer(kept, kept.orderId, answer));
}

/** Opens the address in an open page, which navigates itself and so can warn of unsaved changes; else in a new one. */
async function openUrl(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const { pathname } = new URL(url, worker.location.origin);
  const page = pages.find((one) => new URL(one.url).pathname === pathname) ?? pages[0];
  if (page === undefined) {
    await worker.clients.openWindow(url);
    return;
  }
  // The browser may refuse the focus when the click was too long ago; the page still navigates.
  await page.focus().catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a client of this worker, not a window
  page.postMessage({ type: 'open', url });
}

/**
 * Sends the answer with this browser's session. The notification loses its buttons, so that no second press confirms the
 * seat, and then tells the result. It is replaced, not closed: Chromium sometimes closes the next one of the same tag too.
 */
async function sendAnswer(kept: Kept, orderId: string, { action, sent, done }: Reply): Promise<void> {
  await show({ ...kept, body: `Sending: ${sent}`, orderId: null }, true);
  const answer = await postAnswer(orderId, action, kept.changedAt);
  const body = 'refused' in answer ? `Not sent: ${answer.refused}` : done(answer);
  await show({ ...kept, body, orderId: null });
}

/** @returns the order with its answer, or the sentence why it was refused */
async function postAnswer(
  orderId: string,
  response: string,
  seen: PushMessage['changedAt'],
): Promise<SeatPlace | { refused: string }> {
  try {
    const answer = await fetch(`/api/v1/pilot/inbox/${encodeURIComponent(orderId)}/rsvp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ response, seen }),
    });
    if (answer.ok) {
      return (await answer.json()) as FragOrderDto;
    }
    const { message } = (await answer.json()) as { message: string };
    return { refused: message };
  } catch {
    return { refused: "Marshal isn't responding. Open the order to try again." };
  }
}
