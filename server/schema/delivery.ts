/** Calendar feeds, push subscriptions, and the server's own secrets. */
import { defineEntity } from '@mikro-orm/core';
import { createdAt, id } from './base.ts';
import { freeText, json, p, text } from './columns.ts';
import { none, own, owner, personal, shown } from './personal.ts';
import { User } from './user.ts';

/** A pilot's secret calendar link; a new one replaces it. */
export const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  properties: {
    user: () => personal(p.oneToOne(User).owner().primary().deleteRule('cascade'), owner('account')),
    /** SHA-256 of the link's token, hex: reading the table does not give access to the calendar */
    tokenHash: text(none).unique(),
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
    user: () => personal(p.manyToOne(User).deleteRule('cascade').index('push_subscription_user_idx'), owner('account')),
    /** the push service's address; a browser has one row, which belongs to its last user */
    endpoint: text(own('endpoint')).unique(),
    /** the browser's public key and secret, base64url, which encrypt its messages */
    p256dh: text(own(null)),
    auth: text(own(null)),
    userAgent: freeText(500, own('browser')).nullable(),
    createdAt: personal(createdAt(), shown('createdAt')),
  },
});
export class PushSubscription extends PushSubscriptionSchema.class {}
PushSubscriptionSchema.setClass(PushSubscription);

/** Generated secrets of the installation, such as the keys that sign push notifications. */
export const ServerSecretSchema = defineEntity({
  name: 'ServerSecret',
  properties: {
    name: text(none).primary(),
    value: json<Record<string, string>>(none),
    createdAt: createdAt(),
  },
});
export class ServerSecret extends ServerSecretSchema.class {}
ServerSecretSchema.setClass(ServerSecret);
