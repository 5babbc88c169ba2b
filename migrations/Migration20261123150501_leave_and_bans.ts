import { Migration } from '@mikro-orm/migrations';

export class Migration20261123150501_leave_and_bans extends Migration {
  override name = 'Migration20261123150501_leave_and_bans';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "leave" ("user_id" uuid not null, "first_date" date not null, "last_date" date not null, "reason" text null, "updated_at" timestamptz not null, primary key ("user_id"));`,
    );

    this.addSql(
      `create table "ban" ("id" uuid not null, "email_hash" text null, "discord_hash" text null, "label" text not null, "reason" text not null, "user_id" uuid null, "created_by_id" uuid null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`alter table "ban" add constraint "ban_email_hash_unique" unique ("email_hash");`);
    this.addSql(`alter table "ban" add constraint "ban_discord_hash_unique" unique ("discord_hash");`);
    this.addSql(`create index "ban_user_idx" on "ban" ("user_id");`);

    this.addSql(
      `alter table "leave" add constraint "leave_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(`alter table "leave" add constraint "leave_dates_in_order" check ((first_date <= last_date));`);

    this.addSql(
      `alter table "ban" add constraint "ban_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "ban" add constraint "ban_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "ban" add constraint "ban_of_somebody" check (((email_hash is not null) or (discord_hash is not null)));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "leave" cascade;`);
    this.addSql(`drop table if exists "ban" cascade;`);
  }
}
