/** Shapes of the answers under /admin/webhooks. */

const WEBHOOK = {
  id: 'text',
  url: 'text',
  description: 'text?',
  events: ['text'],
  enabled: 'flag',
  disabledReason: 'text?',
  failingSince: 'instant?',
  waiting: 'number',
  previousSecretUntil: 'instant?',
  createdAt: 'instant',
} as const;

const DELIVERY = {
  id: 'text',
  eventId: 'text',
  type: 'text',
  occurredAt: 'instant',
  missionId: 'text?',
  state: 'text',
  attempts: 'number',
  responseStatus: 'number?',
  error: 'text?',
  nextAttemptAt: 'instant?',
  deliveredAt: 'instant?',
  isReplay: 'flag',
  createdAt: 'instant',
} as const;

export const WEBHOOK_SHAPES = {
  webhooks: [WEBHOOK],
  webhook: WEBHOOK,
  createdWebhook: { ...WEBHOOK, secret: 'text' },
  rotatedSecret: { secret: 'text', previousSecretUntil: 'instant' },
  delivery: DELIVERY,
  deliveries: { deliveries: [DELIVERY], total: 'number', page: 'number', pageSize: 'number' },
} as const;
