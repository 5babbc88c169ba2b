import { Migration } from '@mikro-orm/migrations';

/** Comments of missions' threads, and the event of webhooks that tells of them. */
export class Migration20261130035605_mission_comments extends Migration {
  override name = 'Migration20261130035605_mission_comments';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mission_comment" ("id" uuid not null, "mission_id" uuid not null, "side" smallint null, "author_id" uuid not null, "text" text null, "created_at" timestamptz not null, "edited_at" timestamptz null, "removed_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "mission_comment_author_idx" on "mission_comment" ("author_id");`);
    this.addSql(`create index "mission_comment_thread_idx" on "mission_comment" ("mission_id", "id");`);

    this.addSql(`alter table "webhook_event" drop constraint "webhook_event_type_known";`);
    this.addSql(
      `alter table "webhook_event" add constraint "webhook_event_type_known" check (type = any (array['order.issued'::text, 'order.answered'::text, 'order.expired'::text, 'mission.published'::text, 'mission.changed'::text, 'mission.filled'::text, 'mission.short'::text, 'mission.cancelled'::text, 'mission.comment'::text, 'mission.completed'::text, 'pilot.registered'::text, 'webhook.test'::text]));`,
    );

    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text, 'news'::text, 'message'::text, 'order.issued'::text, 'order.answered'::text, 'order.expired'::text, 'mission.published'::text, 'mission.changed'::text, 'mission.filled'::text, 'mission.short'::text, 'mission.cancelled'::text, 'mission.comment'::text, 'mission.completed'::text, 'pilot.registered'::text, 'webhook.test'::text, 'registration'::text, 'mention'::text, 'event'::text, 'card'::text, 'week'::text, 'community'::text, 'thread'::text]));`,
    );

    this.addSql(
      `alter table "mission_comment" add constraint "mission_comment_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "mission_comment" add constraint "mission_comment_author_id_foreign" foreign key ("author_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "mission_comment" add constraint "mission_comment_side_known" check (((side >= 0) and (side <= 1)));`,
    );
    this.addSql(
      `alter table "mission_comment" add constraint "mission_comment_text_or_removed" check (((text is null) = (removed_at is not null)));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table "mission_comment";`);
    this.addSql(`delete from "delivery" where kind = 'mission.comment';`);
    this.addSql(`delete from "webhook_event" where type = 'mission.comment';`);

    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check ("kind" in ('password', 'welcome', 'verification', 'test', 'invite', 'order', 'reminder', 'request', 'digest', 'turnout', 'security', 'news', 'message', 'order.issued', 'order.answered', 'order.expired', 'mission.published', 'mission.changed', 'mission.filled', 'mission.short', 'mission.cancelled', 'mission.completed', 'pilot.registered', 'webhook.test', 'registration', 'mention', 'event', 'card', 'week', 'community', 'thread'));`,
    );

    this.addSql(`alter table "webhook_event" drop constraint "webhook_event_type_known";`);
    this.addSql(
      `alter table "webhook_event" add constraint "webhook_event_type_known" check ("type" in ('order.issued', 'order.answered', 'order.expired', 'mission.published', 'mission.changed', 'mission.filled', 'mission.short', 'mission.cancelled', 'mission.completed', 'pilot.registered', 'webhook.test'));`,
    );
  }
}
