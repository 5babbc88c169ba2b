import { Migration } from '@mikro-orm/migrations';

export class Migration20261124130539_community_messages extends Migration {
  override name = 'Migration20261124130539_community_messages';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "community_message" ("id" uuid not null, "text" text not null, "recipients" int not null, "pushed_at" timestamptz null, "created_by_id" uuid null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "community_message_created_idx" on "community_message" ("created_at");`);

    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text, 'turnout'::text, 'week'::text, 'community'::text]));`,
    );
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community');`,
    );

    this.addSql(
      `alter table "community_message" add constraint "community_message_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "community_message" cascade;`);

    this.addSql(`delete from "outbox_message" where kind = 'community';`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week');`,
    );
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome', 'turnout', 'week'));`,
    );
  }
}
