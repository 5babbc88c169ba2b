/** The operations of webhooks, with a webhook and a delivery that they are about. */
import { query, sql } from '#server/schema/query.ts';
import type { Service } from '#tests/harness/service.ts';
import type { Operation } from './operations.ts';

export const WEBHOOK_ID = '0192c0de-0000-7000-8000-0000000000a1';
const EVENT_ID = '0192c0de-0000-7000-8000-0000000000a2';
export const DELIVERY_ID = '0192c0de-0000-7000-8000-0000000000a3';
const NO_WEBHOOK = '0192c0de-0000-7000-8000-0000000000ff';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** A name that never resolves (RFC 6761), so that no request leaves this machine. */
const values = { url: 'https://marshal.receiver.invalid/hook', events: ['mission.published'] };
const own = () => ({ id: WEBHOOK_ID });

export const WEBHOOK_OPERATIONS: Record<string, Operation> = {
  'admin.webhooks.list': { policy: 'admin', input: () => undefined },
  'admin.webhooks.create': { policy: 'admin', input: () => ({ ...values, description: 'Relay' }) },
  'admin.webhooks.remove': {
    policy: 'admin',
    input: () => ({ id: NO_WEBHOOK }),
    refusal: ['WEBHOOK_NOT_FOUND', 'Webhook not found'],
  },
  'admin.webhooks.rotateSecret': { policy: 'admin', input: own },
  'admin.webhooks.test': { policy: 'admin', input: own },
  'admin.webhooks.deliveries': { policy: 'admin', input: () => ({ ...own(), page: 1, pageSize: 20 }) },
  'admin.webhooks.replay': { policy: 'admin', input: () => ({ ...own(), deliveryId: DELIVERY_ID }) },
  // last, because a generated input may turn the webhook off, and the calls above need it
  'admin.webhooks.update': { policy: 'admin', input: () => ({ ...own(), ...values, enabled: true }) },
};

/** The webhook, with an event that it has got. */
export async function givenWebhook({ app }: Service): Promise<void> {
  const em = app.orm.em.fork();
  await query(
    em,
    sql`insert into webhook (id, url, events, listens_since, secret, created_at, updated_at)
        values (${WEBHOOK_ID}, ${values.url}, '{mission.published}', now(), ${SECRET}, now(), now())`,
  );
  await query(
    em,
    sql`insert into webhook_event (id, type, stream, data, occurred_at, created_at)
        values (${EVENT_ID}, 'mission.published', ${NO_WEBHOOK}, '{}', now(), now())`,
  );
  await query(
    em,
    sql`insert into delivery (id, channel, kind, webhook_id, event_id, stream, state, attempts, response_status, sent_at, created_at)
        values (${DELIVERY_ID}, 'webhook', 'mission.published', ${WEBHOOK_ID}, ${EVENT_ID}, ${NO_WEBHOOK}, 'sent', 1, 204, now(), now())`,
  );
}
