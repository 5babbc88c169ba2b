import { Migration } from '@mikro-orm/migrations';

/** Webhooks share the outbox of email and notifications. */
export class Migration20261128101551_webhook_deliveries extends Migration {
  override name = 'Migration20261128101551_webhook_deliveries';

  override up(): void | Promise<void> {
    this.addSql(`alter table "delivery" drop constraint "delivery_channel_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(
      `alter table "delivery" add "webhook_id" uuid null, add "event_id" uuid null, add "stream" text null, add "seq" bigserial, add "is_replay" boolean not null default false;`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_event_id_foreign" foreign key ("event_id") references "webhook_event" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "delivery" alter column "deadline_at" drop not null;`);
    this.addSql(`alter table "delivery" add constraint "delivery_seq_unique" unique ("seq");`);
    this.addSql(
      `create index "delivery_stream_idx" on "delivery" ("webhook_id", "stream", "seq") where state in ('queued', 'sending') and webhook_id is not null;`,
    );
    this.addSql(
      `create index "delivery_webhook_idx" on "delivery" ("webhook_id", "seq") where webhook_id is not null;`,
    );
    this.addSql(`create index "delivery_event_idx" on "delivery" ("event_id") where event_id is not null;`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_webhook_complete" check (num_nonnulls(webhook_id, event_id, stream) = case channel when 'webhook' then 3 else 0 end);`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_channel_known" check (channel = any (array['mail'::text, 'push'::text, 'webhook'::text]));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text, 'news'::text, 'message'::text, 'order.issued'::text, 'order.answered'::text, 'order.expired'::text, 'mission.published'::text, 'mission.changed'::text, 'mission.filled'::text, 'mission.short'::text, 'mission.cancelled'::text, 'mission.completed'::text, 'pilot.registered'::text, 'webhook.test'::text]));`,
    );

    this.addSql(`
      insert into "delivery" ("id", "channel", "kind", "webhook_id", "event_id", "stream", "is_replay", "state", "attempts",
        "next_attempt_at", "response_status", "error_message", "sent_at", "created_at")
      select d."id", 'webhook', e."type", d."webhook_id", d."event_id", d."stream", d."is_replay",
        case d."state" when 'waiting' then 'queued' when 'delivered' then 'sent' else 'failed' end, d."attempts",
        d."next_attempt_at", d."response_status", d."error_message", d."delivered_at", d."created_at"
      from "webhook_delivery" d join "webhook_event" e on e."id" = d."event_id"
      order by d."seq";
    `);
    this.addSql(`drop table "webhook_delivery";`);
    // the maintenance job enqueues what is still waiting
    this.addSql(`
      do $$ begin
        if to_regclass('graphile_worker.jobs') is not null then
          perform graphile_worker.remove_job("key") from graphile_worker.jobs where task_identifier = 'send_webhooks';
        end if;
      end $$;
    `);
  }

  override down(): void | Promise<void> {
    this.addSql(
      `create table "webhook_delivery" ("id" uuid not null, "webhook_id" uuid not null, "event_id" uuid not null, "stream" text not null, "seq" bigserial, "is_replay" bool not null default false, "state" text not null default 'waiting', "attempts" int2 not null default 0, "next_attempt_at" timestamptz(6) null, "response_status" int2 null, "error_message" text null, "delivered_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(`create index "webhook_delivery_event_idx" on "webhook_delivery" ("event_id");`);
    this.addSql(`create index "webhook_delivery_recent_idx" on "webhook_delivery" ("webhook_id", "seq");`);
    this.addSql(`alter table "webhook_delivery" add constraint "webhook_delivery_seq_unique" unique ("seq");`);
    this.addSql(
      `create index "webhook_delivery_waiting_idx" on "webhook_delivery" ("webhook_id", "stream", "seq") where state = 'waiting'::text;`,
    );
    this.addSql(`
      insert into "webhook_delivery" ("id", "webhook_id", "event_id", "stream", "is_replay", "state", "attempts",
        "next_attempt_at", "response_status", "error_message", "delivered_at", "created_at")
      select "id", "webhook_id", "event_id", "stream", "is_replay",
        case "state" when 'sent' then 'delivered' when 'queued' then 'waiting' when 'sending' then 'waiting' else 'failed' end,
        "attempts", "next_attempt_at", "response_status", "error_message", "sent_at", "created_at"
      from "delivery" where "channel" = 'webhook' order by "seq";
    `);
    this.addSql(`delete from "delivery" where "channel" = 'webhook';`);

    this.addSql(`alter table "delivery" drop constraint "delivery_webhook_id_foreign";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_event_id_foreign";`);

    this.addSql(`alter table "delivery" drop constraint "delivery_seq_unique";`);
    this.addSql(`drop index "delivery_stream_idx";`);
    this.addSql(`drop index "delivery_webhook_idx";`);
    this.addSql(`drop index "delivery_event_idx";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_webhook_complete";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_channel_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(
      `alter table "delivery" drop column "webhook_id", drop column "event_id", drop column "stream", drop column "seq", drop column "is_replay";`,
    );
    this.addSql(`alter table "delivery" alter column "deadline_at" set not null;`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_channel_known" check ("channel" in ('mail', 'push'));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check ("kind" in ('password', 'welcome', 'verification', 'test', 'invite', 'order', 'reminder', 'request', 'digest', 'turnout', 'security', 'news', 'message'));`,
    );

    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_event_id_foreign" foreign key ("event_id") references "webhook_event" ("id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on update no action on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_state_known" check ("state" in ('waiting', 'delivered', 'failed'));`,
    );
  }
}
