/** Ways out of Marshal that a pilot opened: a calendar that reads along, browsers that take notifications. */
import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, id } from './base.ts';
import { User } from './user.ts';

/** One secret link per pilot; making another replaces it. */
export const CalendarFeedSchema = defineEntity({
  name: 'CalendarFeed',
  properties: {
    user: () => p.oneToOne(User).owner().primary().deleteRule('cascade'),
    /** SHA-256 of the link's token, hex: whoever reads the table cannot read the calendar */
    tokenHash: p.text().unique(),
    createdAt: createdAt(),
  },
});
export class CalendarFeed extends CalendarFeedSchema.class {}
CalendarFeedSchema.setClass(CalendarFeed);

/** A browser that takes notifications, as its push service knows it. */
export const PushSubscriptionSchema = defineEntity({
  name: 'PushSubscription',
  properties: {
    id: id(),
    user: () => p.manyToOne(User).deleteRule('cascade').index('push_subscription_user_idx'),
    /** the push service's address; one browser is one row, whoever is signed in there last */
    endpoint: p.text().unique(),
    /** the browser's public key and secret, base64url: what its messages are encrypted with */
    p256dh: p.text(),
    auth: p.text(),
    userAgent: p.text().nullable(),
    createdAt: createdAt(),
  },
});
export class PushSubscription extends PushSubscriptionSchema.class {}
PushSubscriptionSchema.setClass(PushSubscription);

/** What the whole installation shares and no person types in, such as the keys that notifications are signed with. */
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
