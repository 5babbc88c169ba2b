/** Shapes of the data of webhook events. Whoever adds a field here sends it to other services. */
import type { WebhookEvent } from '#shared/webhook-events.ts';
import { SHAPES, type Shape } from '#tests/api/http/answer-shapes.ts';

const { mission } = SHAPES;
const SUMMARY: Shape = {
  id: 'text',
  name: 'text',
  theater: 'text',
  status: 'text',
  startUtc: 'instant',
  endUtc: 'instant',
};
const ABOUT_ORDER: Shape = {
  order: SHAPES.orders[0],
  mission: SUMMARY,
};

export const EVENT_SHAPES: Record<WebhookEvent, Shape> = {
  'order.issued': ABOUT_ORDER,
  'order.answered': ABOUT_ORDER,
  'order.expired': ABOUT_ORDER,
  'mission.published': { mission },
  'mission.changed': { mission, changes: [{ field: 'text', from: 'text?', to: 'text?' }, 'or none'] },
  'mission.filled': { mission },
  'mission.short': { mission, turnout: SHAPES.turnout[0] },
  'mission.cancelled': { mission },
  'mission.comment': {
    comment: {
      id: 'text',
      action: 'text',
      side: 'number?',
      userId: 'text?',
      userDisplayName: 'text?',
      text: 'text?',
      writtenAt: 'instant?',
    },
    mission: SUMMARY,
  },
  'mission.completed': { mission },
  'pilot.registered': { user: SHAPES.user },
};
