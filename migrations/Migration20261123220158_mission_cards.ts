import { Migration } from '@mikro-orm/migrations';

export class Migration20261123220158_mission_cards extends Migration {
  override name = 'Migration20261123220158_mission_cards';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "guild" add "missions_channel_id" text null, add "missions_role_id" text null, add "has_mission_events" boolean not null default true, add "roles" jsonb not null default '[]';`,
    );

    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(`alter table "outbox_message" add "called_at" timestamptz null;`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text]));`,
    );

    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "guild" drop column "missions_channel_id", drop column "missions_role_id", drop column "has_mission_events", drop column "roles";`,
    );

    this.addSql(`delete from "outbox_message" where kind in ('card', 'welcome');`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder');`,
    );
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(`alter table "outbox_message" drop column "called_at";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder'));`,
    );
  }
}
