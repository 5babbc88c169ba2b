import { Migration } from '@mikro-orm/migrations';

export class Migration20261123195500_reminders extends Migration {
  override name = 'Migration20261123195500_reminders';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "reminder" ("id" uuid not null, "order_id" uuid not null, "mission_id" uuid not null, "pilot_id" uuid not null, "starts_at" timestamptz not null, "lead_minutes" smallint not null, "asks" boolean not null, "channels" text[] null, "pushed_at" timestamptz null, "push_error" text null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "reminder_order_idx" on "reminder" ("order_id");`);
    this.addSql(`create index "reminder_pilot_idx" on "reminder" ("pilot_id");`);
    this.addSql(
      `alter table "reminder" add constraint "reminder_once" unique ("mission_id", "pilot_id", "starts_at", "lead_minutes");`,
    );

    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text]));`,
    );

    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder');`,
    );

    this.addSql(
      `alter table "app_user" add "reminder_minutes" smallint[] not null default '{1440,60}', add "reminders_set_at" timestamptz null, add "remind_by_discord" boolean not null default true, add "remind_by_push" boolean not null default true, add "remind_by_email" boolean not null default true;`,
    );
    this.addSql(
      `alter table "app_user" add constraint "app_user_reminder_minutes_known" check ((reminder_minutes <@ (array[2880, 1440, 180, 60, 15])::smallint[]) and (cardinality(reminder_minutes) <= 4));`,
    );

    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text]));`,
    );

    this.addSql(
      `alter table "reminder" add constraint "reminder_order_id_foreign" foreign key ("order_id") references "frag_order" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "reminder" add constraint "reminder_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "reminder" add constraint "reminder_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "reminder" cascade;`);

    this.addSql(`alter table "app_user" drop constraint "app_user_reminder_minutes_known";`);
    this.addSql(
      `alter table "app_user" drop column "reminder_minutes", drop column "reminders_set_at", drop column "remind_by_discord", drop column "remind_by_push", drop column "remind_by_email";`,
    );

    this.addSql(`delete from "mail_message" where kind = 'reminder';`);
    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'request'::text]));`,
    );

    this.addSql(`delete from "outbox_message" where kind = 'reminder';`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news');`,
    );
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event'));`,
    );
  }
}
