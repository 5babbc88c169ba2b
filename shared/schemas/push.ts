/** Notifications by web push: what a browser hands in to get them, and what it is sent. */
import { z } from '#shared/zod.ts';
import { copy } from '#shared/copy.ts';
import { PUSH_ENDPOINT_MAX_LENGTH } from '#shared/limits.ts';
import { isoInstant } from './common.ts';

/** 65 bytes of a P-256 point and 16 bytes of secret, base64url; some browsers pad it. */
const PUBLIC_KEY = /^[\w-]{87}=?$/;
const AUTH_SECRET = /^[\w-]{22}(==)?$/;

/** An https address as browsers write it. Which push services are taken is the server's business. */
export const endpointInput = z
  .string({ error: copy.pushEndpointRefused })
  .max(PUSH_ENDPOINT_MAX_LENGTH, copy.pushEndpointRefused)
  .refine((text) => URL.canParse(text) && new URL(text).href === text, copy.pushEndpointRefused);

/** A browser's PushSubscription as its toJSON() gives it. */
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

/** base64url of the point that the push service checks our signature with */
export const pushKey = z.object({ publicKey: z.string() });

/** A device of the viewer's that is notified. */
export const pushSubscription = z.object({
  id: z.string(),
  endpoint: z.string(),
  /** such as "Firefox on Windows" */
  device: z.string(),
  createdAt: isoInstant,
});
export type PushSubscriptionDto = z.infer<typeof pushSubscription>;

/** How many devices took the test, are gone for good, and could not be reached. */
export const pushTestResult = z.object({ sent: z.number(), gone: z.number(), failed: z.number() });
export type PushTestResult = z.infer<typeof pushTestResult>;

/** What arrives at the service worker. No secrets: it may stand on a locked screen. */
export interface PushMessage {
  title: string;
  body: string;
  /** path of the page that the notification opens */
  url: string;
  /** a second message with the tag takes the place of the first */
  tag: string;
  /** the order that can be answered from the notification; null when there is nothing to answer */
  orderId: string | null;
  /** the state of that order the message tells of, as its `changedAt` */
  changedAt: string | null;
}
