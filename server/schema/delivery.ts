/** Calendar feeds, push subscriptions, and the server's own secrets. */
import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, id } from './base.ts';
import { User } from './user.ts';

/** A pilot's secret calendar link; a new one replaces it. */
export const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** SHA-256 of the link's token, hex: reading the table does not give access to the calendar */
    tokenHash: p.text().unique(),
    createdAt: createdAt(),
  },
});
export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);

/** A browser's subscription at its push service. */
export const PushSubscriptionSchema = defineEntity({
  name: 'PushSubscription',
  properties: {
    id: id(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('push_subscription_user_idx'),
    /** the push service's address; a browser has one row, which belongs to its last user */
    endpoint: p.text().unique(),
    /** the browser's public key and secret, base64url, which encrypt its messages */
    p256dh: p.text(),
    auth: p.text(),
    userAgent: p.text().nullable(),
    createdAt: createdAt(),
  },
});
export class PushSubscription extends PushSubscriptionSchema.class {}
PushSubscriptionSchema.setClass(PushSubscription);

/** Generated secrets of the installation, such as the keys that sign push notifications. */
export const ServerSecretSchema = defineEntity({
  name: 'ServerSecret',
  properties: {
    name: p.text().primary(),
    value: p.json<Record<string, string>>(),
    createdAt: createdAt(),
  },
});
export class ServerSecret extends ServerSecretSchema.class {}
ServerSecretSchema.setClass(ServerSecret);
