/** Webhook events: their names, each with the sentence that admins read, and the states of a delivery. */

/** When each event is sent. */
export const WEBHOOK_EVENTS = {
  'order.issued': 'A pilot gets a frag order.',
  'order.answered': 'A pilot accepts, declines or goes on standby, takes an open seat, or gets a seat from standby.',
  'order.expired': 'A frag order runs out without an answer.',
  'mission.published': 'A mission is published.',
  'mission.changed': 'An admin changes a published mission, or a pilot loses a seat or moves to another one.',
  'mission.filled': 'The last open seat of a mission is accepted.',
  'mission.short':
    'A mission will probably have too few pilots, at most once each at 7 days, 48 and 24 hours before it.',
  'mission.cancelled': 'A published mission is cancelled.',
  'mission.comment': 'A comment on a mission is written, edited or removed.',
  'mission.completed': 'A mission has reached its end.',
  'pilot.registered': 'A pilot creates an account.',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** The event that an admin sends to try a webhook; every webhook gets it. */
export const WEBHOOK_TEST = 'webhook.test';
export type SentEvent = WebhookEvent | typeof WEBHOOK_TEST;
export const SENT_EVENTS = [...WEBHOOK_EVENT_NAMES, WEBHOOK_TEST] as const;

/** `waiting`: to be sent, or to be retried; `failed`: given up, and can be sent again by an admin. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
