/** Schemas of web push: subscriptions, the test message, and the payload for the service worker. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PUSH_ENDPOINT_MAX_LENGTH } from '#shared/limits.ts';
import { isoInstant } from './common.ts';

/** A P-256 point of 65 bytes in base64url; some browsers add padding. */
const PUBLIC_KEY = /^[\w-]{87}=?$/;
/** A secret of 16 bytes in base64url. */
const AUTH_SECRET = /^[\w-]{22}(==)?$/;

/** A normalized URL. The server checks that it belongs to a known push service. */
export const endpointInput = z
  .string({ error: copy.pushEndpointRefused })
  .max(PUSH_ENDPOINT_MAX_LENGTH, copy.pushEndpointRefused)
  .refine((text) => URL.canParse(text) && new URL(text).href === text, copy.pushEndpointRefused);

/** A browser's PushSubscription in the format of its toJSON(). */
export const subscribeInput = z.object({
  endpoint: endpointInput,
  keys: z.object(
    {
      p256dh: z.string({ error: copy.pushKeysInvalid }).regex(PUBLIC_KEY, copy.pushKeysInvalid),
      auth: z.string({ error: copy.pushKeysInvalid }).regex(AUTH_SECRET, copy.pushKeysInvalid),
    },
    { error: copy.pushKeysInvalid },
  ),
});
export type SubscribeInput = z.infer<typeof subscribeInput>;

export const unsubscribeInput = z.object({ endpoint: endpointInput });

/** The server's public VAPID key, base64url; push services check the signature with it. */
export const pushKey = z.object({ publicKey: z.string() }).meta({ id: 'PushKey' });

/** A device that receives notifications. */
export const pushSubscription = z
  .object({
    id: z.string(),
    endpoint: z.string(),
    /** Browser and system, such as `Firefox on Windows`. */
    device: z.string(),
    createdAt: isoInstant,
  })
  .meta({ id: 'PushDevice' });
export type PushSubscriptionDto = z.infer<typeof pushSubscription>;

/** Number of devices that received the test, whose subscription has ended, and that could not be reached. */
export const pushTestResult = z
  .object({ sent: z.number(), gone: z.number(), failed: z.number() })
  .meta({ id: 'PushTestResult' });
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
  /** `changedAt` of the order when the message was written. */
  changedAt: string | null;
}
