import type { WebhookDto } from '#shared/schemas/webhooks.ts';
import type { DeliveryState } from '#shared/webhook-events.ts';

/** Sentences of the webhooks page. */
export const webhooksCopy = {
  loading: 'Loading webhooks...',
  loadFailed: 'Error loading webhooks: ',
  empty: 'No webhooks yet',
  emptyMeaning: 'A webhook tells your own program about orders, missions and pilots as soon as something happens.',
  loadingDeliveries: 'Loading deliveries...',
  deliveriesLoadFailed: 'Error loading deliveries: ',
  noDeliveries: 'Nothing has been sent yet',
  noDeliveriesMeaning: 'Events appear here when they happen, and stay for 30 days.',
  created: 'Webhook created',
  changed: 'Webhook changed',
  paused: 'Webhook paused',
  enabled: 'Webhook enabled',
  deleted: 'Webhook deleted',
  testQueued: 'Test event on its way',
  replayQueued: 'The event is being sent again',
  pausedMeaning: 'Events that happen while it is paused are not sent later.',
} as const;

/** The host of an address: the rest may be long, or contain a key. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** The state of a webhook in a word, with its signal. */
export function stateOf({ enabled, disabledReason, failingSince }: WebhookDto) {
  if (disabledReason !== null) return { word: 'Disabled', signal: 'red' } as const;
  if (!enabled) return { word: 'Paused', signal: 'gray' } as const;
  return failingSince === null
    ? ({ word: 'Active', signal: 'green' } as const)
    : ({ word: 'Failing', signal: 'yellow' } as const);
}

export const DELIVERY_WORDS = {
  waiting: { word: 'Waiting', signal: 'yellow' },
  delivered: { word: 'Delivered', signal: 'green' },
  failed: { word: 'Failed', signal: 'red' },
} as const satisfies Record<DeliveryState, object>;

/** `1 attempt` */
