import { Migration } from '@mikro-orm/migrations';

export class Migration20261120212735 extends Migration {
  override name = 'Migration20261120212735';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "server_secret" ("name" text not null, "value" jsonb not null, "created_at" timestamptz not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "sign_in_link" ("token_hash" text not null, "user_id" uuid not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("token_hash"));`,
    );
    this.addSql(`create index "sign_in_link_user_idx" on "sign_in_link" ("user_id");`);

    this.addSql(
      `create table "push_subscription" ("id" uuid not null, "user_id" uuid not null, "endpoint" text not null, "p256dh" text not null, "auth" text not null, "user_agent" text null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "push_subscription_user_idx" on "push_subscription" ("user_id");`);
    this.addSql(
      `alter table "push_subscription" add constraint "push_subscription_endpoint_unique" unique ("endpoint");`,
    );

    this.addSql(
      `create table "calendar_feed" ("user_id" uuid not null, "token_hash" text not null, "created_at" timestamptz not null, primary key ("user_id"));`,
    );
    this.addSql(`alter table "calendar_feed" add constraint "calendar_feed_token_hash_unique" unique ("token_hash");`);

    this.addSql(
      `alter table "app_user" add "notify_orders" boolean not null default true, add "notify_changes" boolean not null default true;`,
    );

    this.addSql(`alter table "session" add "user_agent" text null;`);

    this.addSql(
      `alter table "sign_in_link" add constraint "sign_in_link_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "push_subscription" add constraint "push_subscription_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "calendar_feed" add constraint "calendar_feed_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "server_secret" cascade;`);
    this.addSql(`drop table if exists "sign_in_link" cascade;`);
    this.addSql(`drop table if exists "push_subscription" cascade;`);
    this.addSql(`drop table if exists "calendar_feed" cascade;`);

    this.addSql(`alter table "app_user" drop column "notify_orders", drop column "notify_changes";`);

    this.addSql(`alter table "session" drop column "user_agent";`);
  }
}
