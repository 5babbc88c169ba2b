import { Migration } from '@mikro-orm/migrations';

export class Migration20261123032444_webhooks extends Migration {
  override name = 'Migration20261123032444_webhooks';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "webhook" ("id" uuid not null, "url" text not null, "description" text null, "events" text[] not null, "is_enabled" boolean not null default true, "listens_since" timestamptz not null, "disabled_reason" text null, "failing_since" timestamptz null, "secret" text not null, "previous_secret" text null, "previous_secret_until" timestamptz null, "created_by_id" uuid null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "webhook_event" ("id" uuid not null, "type" text not null, "stream" text not null, "dedupe_key" text null, "data" jsonb not null, "occurred_at" timestamptz not null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`alter table "webhook_event" add constraint "webhook_event_dedupe_key_unique" unique ("dedupe_key");`);
    this.addSql(`create index "webhook_event_created_at_idx" on "webhook_event" ("created_at");`);

    this.addSql(
      `create table "webhook_delivery" ("id" uuid not null, "webhook_id" uuid not null, "event_id" uuid not null, "stream" text not null, "seq" bigserial, "is_replay" boolean not null default false, "state" text not null default 'waiting', "attempts" smallint not null default 0, "next_attempt_at" timestamptz null, "response_status" smallint null, "error_message" text null, "delivered_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "webhook_delivery_event_idx" on "webhook_delivery" ("event_id");`);
    this.addSql(`alter table "webhook_delivery" add constraint "webhook_delivery_seq_unique" unique ("seq");`);
    this.addSql(`create index "webhook_delivery_recent_idx" on "webhook_delivery" ("webhook_id", "seq");`);
    this.addSql(
      `create index "webhook_delivery_waiting_idx" on "webhook_delivery" ("webhook_id", "stream", "seq") where state = 'waiting';`,
    );

    this.addSql(
      `alter table "webhook" add constraint "webhook_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;`,
    );

    this.addSql(
      `alter table "webhook_event" add constraint "webhook_event_type_known" check (type = any (array['order.issued'::text, 'order.answered'::text, 'order.expired'::text, 'mission.published'::text, 'mission.changed'::text, 'mission.filled'::text, 'mission.short'::text, 'mission.cancelled'::text, 'mission.completed'::text, 'pilot.registered'::text, 'webhook.test'::text]));`,
    );

    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_webhook_id_foreign" foreign key ("webhook_id") references "webhook" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_event_id_foreign" foreign key ("event_id") references "webhook_event" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "webhook_delivery" add constraint "webhook_delivery_state_known" check (state = any (array['waiting'::text, 'delivered'::text, 'failed'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "webhook_delivery" drop constraint "webhook_delivery_webhook_id_foreign";`);
    this.addSql(`alter table "webhook_delivery" drop constraint "webhook_delivery_event_id_foreign";`);

    this.addSql(`drop table if exists "webhook" cascade;`);
    this.addSql(`drop table if exists "webhook_event" cascade;`);
    this.addSql(`drop table if exists "webhook_delivery" cascade;`);
  }
}
