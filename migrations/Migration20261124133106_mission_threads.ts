import { Migration } from '@mikro-orm/migrations';

export class Migration20261124133106_mission_threads extends Migration {
  override name = 'Migration20261124133106_mission_threads';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "guild" add "can_create_threads" boolean not null default false, add "has_mission_threads" boolean not null default false;`,
    );

    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text, 'turnout'::text, 'week'::text, 'community'::text, 'thread'::text]));`,
    );
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community', 'thread');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "guild" drop column "can_create_threads", drop column "has_mission_threads";`);

    this.addSql(`delete from "outbox_message" where kind = 'thread';`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community');`,
    );
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome', 'turnout', 'week', 'community'));`,
    );
  }
}
