import { Migration } from '@mikro-orm/migrations';

export class Migration20261122050014 extends Migration {
  override name = 'Migration20261122050014';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "bot_lease" ("name" text not null, "holder" text not null, "beat_at" timestamptz not null, "expires_at" timestamptz not null, "connected_at" timestamptz null, "disconnected_at" timestamptz null, "has_members_intent" boolean null, "bot_user_id" text null, "bot_name" text null, "problem" text null, primary key ("name"));`,
    );

    this.addSql(
      `alter table "guild" add "disabled_at" timestamptz null, add "can_create_events" boolean not null default false;`,
    );

    // until now rows were announcements only, and nothing sent them: what still waits is old news
    this.addSql(
      `alter table "outbox_message" add "kind" text not null default 'registration', add "subject_id" text null, add "first_tried_at" timestamptz null, add "shown" text null;`,
    );
    this.addSql(`alter table "outbox_message" alter column "kind" drop default;`);
    this.addSql(`update "outbox_message" set "state" = 'cancelled' where "state" in ('queued', 'sending');`);
    this.addSql(`create index "outbox_message_subject_idx" on "outbox_message" ("subject_id");`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news');`,
    );
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text]));`,
    );

    this.addSql(
      `alter table "discord_account" add "wants_orders" boolean not null default true, add "dm_channel_id" text null, add "dm_closed_at" timestamptz null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "bot_lease" cascade;`);

    this.addSql(
      `alter table "discord_account" drop column "wants_orders", drop column "dm_channel_id", drop column "dm_closed_at";`,
    );

    this.addSql(`alter table "guild" drop column "disabled_at", drop column "can_create_events";`);

    // the version before knows announcements only
    this.addSql(`delete from "outbox_message" where "kind" <> 'registration';`);
    this.addSql(`drop index "outbox_message_subject_idx";`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" drop column "kind", drop column "subject_id", drop column "first_tried_at", drop column "shown";`,
    );
  }
}
