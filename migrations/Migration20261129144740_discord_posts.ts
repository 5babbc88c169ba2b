import { Migration } from '@mikro-orm/migrations';

/** Discord shares the outbox of email, notifications and webhooks; what Discord shows stands in a table of its own. */
export class Migration20261129144740_discord_posts extends Migration {
  override name = 'Migration20261129144740_discord_posts';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "discord_post" ("id" uuid not null, "kind" text not null, "dedupe_key" text not null, "guild_id" text null, "channel_id" text null, "discord_user_id" text null, "subject_id" text null, "payload" jsonb not null, "first_tried_at" timestamptz null, "called_at" timestamptz null, "message_id" text null, "shown" text null, "posting" smallint not null default 0, "removed_at" timestamptz null, "thread" jsonb null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "discord_post_subject_idx" on "discord_post" ("subject_id");`);
    this.addSql(
      `create unique index "discord_post_one_kept" on "discord_post" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community', 'thread');`,
    );

    this.addSql(`alter table "delivery" drop constraint "delivery_channel_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_state_known";`);
    this.addSql(`alter table "delivery" add "post_id" uuid null;`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_post_id_foreign" foreign key ("post_id") references "discord_post" ("id") on delete cascade;`,
    );
    this.addSql(`create index "delivery_post_idx" on "delivery" ("post_id", "seq") where post_id is not null;`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_post_complete" check ((post_id is not null) = (channel = 'discord'));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_channel_known" check (channel = any (array['mail'::text, 'push'::text, 'webhook'::text, 'discord'::text]));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text, 'news'::text, 'message'::text, 'order.issued'::text, 'order.answered'::text, 'order.expired'::text, 'mission.published'::text, 'mission.changed'::text, 'mission.filled'::text, 'mission.short'::text, 'mission.cancelled'::text, 'mission.completed'::text, 'pilot.registered'::text, 'webhook.test'::text, 'registration'::text, 'mention'::text, 'event'::text, 'card'::text, 'week'::text, 'community'::text, 'thread'::text]));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_state_known" check (state = any (array['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text, 'dropped'::text]));`,
    );

    this.addSql(
      `alter table "discord_post" add constraint "discord_post_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "discord_post" add constraint "discord_post_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text, 'turnout'::text, 'week'::text, 'community'::text, 'thread'::text]));`,
    );

    this.addSql(`
      insert into "discord_post" ("id", "kind", "dedupe_key", "guild_id", "channel_id", "discord_user_id", "subject_id", "payload", "first_tried_at",
        "called_at", "message_id", "shown", "posting", "removed_at", "thread", "created_at", "updated_at")
      select "id", "kind", "dedupe_key", "guild_id", "channel_id", "discord_user_id", "subject_id", "payload", "first_tried_at",
        "called_at", "message_id", "shown", "posting", "removed_at", "thread", "created_at", "updated_at"
      from "outbox_message";
    `);
    this.addSql(`
      insert into "delivery" ("id", "channel", "kind", "post_id", "subject_id", "dedupe_key", "state", "attempts", "next_attempt_at",
        "error_message", "sent_at", "created_at")
      select "id", 'discord', "kind", "id", "subject_id", case "state" when 'queued' then 'discord:' || "dedupe_key" end,
        case "state" when 'cancelled' then 'dropped' else "state" end, "attempts",
        case when "state" in ('queued', 'sending') then "updated_at" end, "error_message",
        case "state" when 'sent' then "updated_at" end, "updated_at"
      from "outbox_message" order by "updated_at", "id";
    `);
    this.addSql(`drop table "outbox_message";`);
    // the maintenance job enqueues what is still waiting
    this.addSql(`
      do $$ begin
        if to_regclass('graphile_worker.jobs') is not null then
          perform graphile_worker.remove_job("key") from graphile_worker.jobs where task_identifier = 'send_discord';
        end if;
      end $$;
    `);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "delivery" drop constraint "delivery_post_id_foreign";`);

    this.addSql(
      `create table "outbox_message" ("id" uuid not null, "dedupe_key" text not null, "guild_id" text null, "channel_id" text null, "discord_user_id" text null, "payload" jsonb not null, "state" text not null default 'queued', "attempts" int2 not null default 0, "message_id" text null, "error_message" text null, "created_at" timestamptz(6) not null, "updated_at" timestamptz(6) not null, "kind" text not null, "subject_id" text null, "first_tried_at" timestamptz(6) null, "shown" text null, "called_at" timestamptz(6) null, "posting" int2 not null default 0, "removed_at" timestamptz(6) null, "thread" jsonb null, primary key ("id"));`,
    );
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind = ANY (ARRAY['order'::text, 'event'::text, 'news'::text, 'reminder'::text, 'card'::text, 'week'::text, 'community'::text, 'thread'::text]);`,
    );
    this.addSql(
      `create unique index "outbox_message_one_waiting" on "outbox_message" ("dedupe_key") where state = ANY (ARRAY['queued'::text, 'sending'::text]);`,
    );
    this.addSql(`create index "outbox_message_subject_idx" on "outbox_message" ("subject_id");`);
    this.addSql(
      `create index "outbox_message_waiting_idx" on "outbox_message" ("created_at", "id") where state = ANY (ARRAY['queued'::text, 'sending'::text]);`,
    );

    this.addSql(`
      insert into "outbox_message" ("id", "kind", "dedupe_key", "guild_id", "channel_id", "discord_user_id", "subject_id", "payload", "first_tried_at",
        "called_at", "message_id", "shown", "posting", "removed_at", "thread", "created_at", "updated_at",
        "state", "attempts", "error_message")
      select p."id", "kind", "dedupe_key", "guild_id", "channel_id", "discord_user_id", "subject_id", "payload", "first_tried_at",
        "called_at", "message_id", "shown", "posting", "removed_at", "thread", "created_at", "updated_at",
        coalesce(case d."state" when 'dropped' then 'cancelled' else d."state" end,
          case when "message_id" is null then 'failed' else 'sent' end),
        coalesce(d."attempts", 0), d."error_message"
      from "discord_post" p left join lateral (
        select "state", "attempts", "error_message" from "delivery" where "post_id" = p."id" order by "seq" desc limit 1
      ) d on true;
    `);
    this.addSql(`delete from "delivery" where "channel" = 'discord';`);
    this.addSql(`drop table "discord_post";`);

    this.addSql(`drop index "delivery_post_idx";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_post_complete";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_channel_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_state_known";`);
    this.addSql(`alter table "delivery" drop column "post_id";`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_channel_known" check ("channel" in ('mail', 'push', 'webhook'));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check ("kind" in ('password', 'welcome', 'verification', 'test', 'invite', 'order', 'reminder', 'request', 'digest', 'turnout', 'security', 'news', 'message', 'order.issued', 'order.answered', 'order.expired', 'mission.published', 'mission.changed', 'mission.filled', 'mission.short', 'mission.cancelled', 'mission.completed', 'pilot.registered', 'webhook.test'));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_state_known" check ("state" in ('queued', 'sending', 'sent', 'failed', 'dropped'));`,
    );

    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome', 'turnout', 'week', 'community', 'thread'));`,
    );
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_state_known" check ("state" in ('queued', 'sending', 'sent', 'failed', 'uncertain', 'cancelled'));`,
    );
    // the maintenance job enqueues what is still waiting
    this.addSql(`
      do $$ begin
        if to_regclass('graphile_worker.jobs') is not null then
          perform graphile_worker.remove_job("key") from graphile_worker.jobs where task_identifier = 'send_discord';
        end if;
      end $$;
    `);
  }
}
