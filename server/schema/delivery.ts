/** Deliveries: email, notifications, webhooks and Discord. The devices that get notifications, calendar feeds, and the server's own secrets. */
import { defineEntity } from '@mikro-orm/core';
import { MAIL_KINDS, type MailKind } from '#shared/vocabulary.ts';
import { SENT_EVENTS, type SentEvent } from '#shared/webhook-events.ts';
import { createdAt, id, oneOf } from './base.ts';
import { freeText, json, p, text } from './columns.ts';
import { DiscordPost, POST_KINDS, type PostKind } from './discord-post.ts';
import { none, own, owner, personal, quotes, shown } from './personal.ts';
import { User } from './user.ts';
import { Webhook, WebhookEventRow } from './webhook.ts';

/** Ways by which Marshal sends: email, notifications to a browser, requests to webhooks, and posts in Discord. */
export const DELIVERY_CHANNELS = ['mail', 'push', 'webhook', 'discord'] as const;
export type DeliveryChannel = (typeof DELIVERY_CHANNELS)[number];

/** Kinds of push notification: news of an order, a reminder, a warning of too few pilots, new missions, an admin's message. */
export const NOTIFICATION_KINDS = ['order', 'reminder', 'turnout', 'news', 'message'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * States of a delivery; `dropped` was no longer wanted when it was its turn. `uncertain`: Discord may have posted it, and there
 * is no way to find out.
 */
export const DELIVERY_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The index that lets one delivery with a key wait. */
export const ONE_QUEUED = 'delivery_one_queued';

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

/**
 * An email, a notification, an event for a webhook, or a change of a post in Discord. Its text is composed when it is sent, and
 * never stored; an event has its data.
 */
export const DeliverySchema = defineEntity({
  name: 'Delivery',
  properties: {
    /** of an email also in the Message-ID, by which a repetition can be recognized */
    id: id(),
    channel: text(none).$type<DeliveryChannel>(),
    kind: text(shown('kind')).$type<MailKind | NotificationKind | SentEvent | PostKind>(),
    /** the account it is for; the address of an email is read when it is sent */
    user: () =>
      personal(p.manyToOne(User).nullable().deleteRule('cascade').index('delivery_user_idx'), owner('account')),
    /** of a notification; null once the browser has unsubscribed */
    device: () => p.manyToOne(PushSubscription).nullable().deleteRule('set null').index('delivery_device_idx'),
    webhook: () => p.manyToOne(Webhook).nullable().deleteRule('cascade'),
    event: () => p.manyToOne(WebhookEventRow).nullable().deleteRule('cascade'),
    /** the post in Discord that it brings up to date; those of one post are sent one after the other */
    post: () => p.manyToOne(DiscordPost).nullable().deleteRule('cascade'),
    /** a webhook's deliveries with the same stream, that of their event, are sent one after the other; null for none */
    stream: text(none).nullable(),
    /** the order of a stream */
    seq: p.bigint('number').autoincrement().unique(),
    /** sent again by an admin */
    isReplay: p.boolean().default(false),
    /** the address as it was entered, for an email to no account; deleted when the email has been sent or dropped */
    address: text(owner('address')).nullable(),
    /** the order, invite, reminder, warning, message or audit entry it is about, the Sunday of a digest, or the missions of news */
    subjectId: text(none).nullable(),
    /** what has happened to the order */
    topic: text(none).nullable(),
    /** another one with this key joins the row while it is queued */
    dedupeKey: text(none).nullable(),
    state: text(shown('state')).$type<DeliveryState>().default('queued'),
    attempts: p.smallint().default(0),
    /** due from then on; while it is being sent, when its sender is given up for dead; null when it is over */
    nextAttemptAt: p.datetime().nullable(),
    /** of no use afterwards; null for what is always of use */
    deadlineAt: p.datetime().nullable(),
    /** the receiver's last refusal: its code, and the failure as a sentence */
    responseStatus: p.smallint().nullable(),
    errorMessage: freeText(300, quotes('marks', 'until admins have had time to read it')).nullable(),
    sentAt: personal(p.datetime().nullable(), shown('sentAt')),
    createdAt: personal(createdAt(), shown('queuedAt')),
  },
  uniques: [
    {
      name: ONE_QUEUED,
      expression: `create unique index "${ONE_QUEUED}" on "delivery" ("dedupe_key") where state = 'queued'`,
    },
  ],
  indexes: [
    {
      name: 'delivery_waiting_idx',
      expression: `create index "delivery_waiting_idx" on "delivery" ("next_attempt_at") where state in ('queued', 'sending')`,
    },
    {
      name: 'delivery_stream_idx',
      expression: `create index "delivery_stream_idx" on "delivery" ("webhook_id", "stream", "seq") where state in ('queued', 'sending') and webhook_id is not null`,
    },
    {
      name: 'delivery_webhook_idx',
      expression: `create index "delivery_webhook_idx" on "delivery" ("webhook_id", "seq") where webhook_id is not null`,
    },
    {
      name: 'delivery_event_idx',
      expression: `create index "delivery_event_idx" on "delivery" ("event_id") where event_id is not null`,
    },
    {
      name: 'delivery_post_idx',
      expression: `create index "delivery_post_idx" on "delivery" ("post_id", "seq") where post_id is not null`,
    },
    { name: 'delivery_recent_idx', properties: ['state', 'createdAt'] },
    { name: 'delivery_subject_idx', properties: ['subjectId'] },
  ],
  checks: [
    { name: 'delivery_channel_known', expression: oneOf('channel', DELIVERY_CHANNELS) },
    {
      name: 'delivery_kind_known',
      expression: oneOf('kind', [...new Set([...MAIL_KINDS, ...NOTIFICATION_KINDS, ...SENT_EVENTS, ...POST_KINDS])]),
    },
    {
      name: 'delivery_webhook_complete',
      expression: `num_nonnulls(webhook_id, event_id, stream) = case channel when 'webhook' then 3 else 0 end`,
    },
    { name: 'delivery_post_complete', expression: `(post_id is not null) = (channel = 'discord')` },
    { name: 'delivery_state_known', expression: oneOf('state', DELIVERY_STATES) },
  ],
});
export class Delivery extends DeliverySchema.class {}
DeliverySchema.setClass(Delivery);

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
