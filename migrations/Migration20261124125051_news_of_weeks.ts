import { Migration } from '@mikro-orm/migrations';

export class Migration20261124125051_news_of_weeks extends Migration {
  override name = 'Migration20261124125051_news_of_weeks';

  override up(): void | Promise<void> {
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text, 'turnout'::text, 'week'::text]));`,
    );
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card', 'week');`,
    );

    this.addSql(`alter table "mission" add "week_id" uuid null, add "news_pushed_at" timestamptz null;`);
    this.addSql(`create index "mission_week_idx" on "mission" ("week_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "mission_week_idx";`);
    this.addSql(`alter table "mission" drop column "week_id", drop column "news_pushed_at";`);

    this.addSql(`delete from "outbox_message" where kind = 'week';`);
    this.addSql(`drop index "outbox_message_one_kept";`);
    this.addSql(
      `create unique index "outbox_message_one_kept" on "outbox_message" ("dedupe_key") where kind in ('order', 'event', 'news', 'reminder', 'card');`,
    );
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome', 'turnout'));`,
    );
  }
}
