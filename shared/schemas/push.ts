/** Schemas of web push: subscriptions, the test message, and the payload for the service worker. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PUSH_ENDPOINT_MAX_LENGTH } from '#shared/limits.ts';
import { count, isoInstant, rowId } from './common.ts';

/** A P-256 point of 65 bytes in base64url; some browsers add padding. */
const PUBLIC_KEY = /^[\w-]{87}=?$/;
/** A secret of 16 bytes in base64url. */
const AUTH_SECRET = /^[\w-]{22}(==)?$/;

/** A normalized URL. The server checks that it belongs to a known push service. */
export const endpointInput = z
  .string({ error: copy.pushEndpointRefused })
  .max(PUSH_ENDPOINT_MAX_LENGTH, copy.pushEndpointRefused)
  .refine((text) => URL.canParse(text) && new URL(text).href === text, copy.pushEndpointRefused)
  .meta({
    description: 'Address that the browser was given by its push service.',
    format: 'uri',
    examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk'],
  });

/** A browser's PushSubscription in the format of its toJSON(). */
export const subscribeInput = z.object({
  endpoint: endpointInput,
  keys: z
    .object(
      {
        p256dh: z
          .string({ error: copy.pushKeysInvalid })
          .regex(PUBLIC_KEY, copy.pushKeysInvalid)
          .meta({
            description: 'Public key of the subscription, base64url.',
            examples: ['BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'],
          }),
        auth: z
          .string({ error: copy.pushKeysInvalid })
          .regex(AUTH_SECRET, copy.pushKeysInvalid)
          .meta({ description: 'Secret of the subscription, base64url.', examples: ['tBHItJI5svbpez7KI4CCXg'] }),
      },
      { error: copy.pushKeysInvalid },
    )
    .meta({ description: 'Keys with which messages are encrypted.' }),
});
export type SubscribeInput = z.infer<typeof subscribeInput>;

export const unsubscribeInput = z.object({ endpoint: endpointInput });

/** The server's public VAPID key, base64url; push services check the signature with it. */
export const pushKey = z
  .object({
    publicKey: z.string().meta({
      description: 'Public VAPID key, base64url: `applicationServerKey` of a subscription.',
      examples: ['BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM'],
    }),
  })
  .meta({ id: 'PushKey', description: 'The key with which the server signs notifications.' });

/** A device that receives notifications. */
export const pushSubscription = z
  .object({
    id: rowId.meta({ description: 'Id of the device.' }),
    endpoint: z.string().meta({
      description: 'Address at the push service.',
      examples: ['https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk'],
    }),
    device: z.string().meta({ description: 'Browser and system.', examples: ['Firefox on Windows'] }),
    createdAt: isoInstant.meta({ description: 'Time at which it was added.' }),
  })
  .meta({ id: 'PushDevice', description: 'A device that receives notifications.' });
export type PushSubscriptionDto = z.infer<typeof pushSubscription>;

export const pushTestResult = z
  .object({
    sent: count.meta({ description: 'Devices that received the test.', examples: [1] }),
    gone: count.meta({ description: 'Devices whose subscription has ended; they were removed.', examples: [0] }),
    failed: count.meta({ description: 'Devices that could not be reached.', examples: [0] }),
  })
  .meta({ id: 'PushTestResult', description: 'Result of a test message.' });
export type PushTestResult = z.infer<typeof pushTestResult>;

/** Payload for the service worker. Must not contain secrets, because it may be shown on a locked screen. */
export interface PushMessage {
  title: string;
  body: string;
  /** Path of the page that the notification opens. */
  url: string;
  /** A message with the same tag replaces the earlier one. */
  tag: string;
  /** Id of the order that can be answered from the notification; null without one. */
  orderId: string | null;
  /** Set when it asks "Still flying?" about an accepted order; otherwise a pending one is to be answered. */
  asks?: 'confirmation';
  /** `changedAt` of the order when the message was written. */
  changedAt: string | null;
}
