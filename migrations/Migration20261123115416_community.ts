import { Migration } from '@mikro-orm/migrations';

export class Migration20261123115416_community extends Migration {
  override name = 'Migration20261123115416_community';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "community" ("id" smallint not null, "name" text null, "registration" text not null default 'open', "updated_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "invite" ("id" uuid not null, "name" text not null, "role" text not null, "with_approval" boolean not null, "max_uses" int null, "uses" int not null default 0, "expires_at" timestamptz null, "revoked_at" timestamptz null, "time_zone" text null, "aircraft_ids" smallint[] not null, "created_by_id" uuid null, "created_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "invite_use" ("user_id" uuid not null, "invite_id" uuid not null, "joined_at" timestamptz not null, primary key ("user_id"));`,
    );
    this.addSql(`create index "invite_use_invite_idx" on "invite_use" ("invite_id");`);

    this.addSql(`alter table "app_user" add "approval" text null, add "approval_since" timestamptz null;`);
    this.addSql(
      `alter table "app_user" add constraint "app_user_approval_known" check (approval = any (array['waiting'::text, 'declined'::text]));`,
    );
    this.addSql(
      `alter table "app_user" add constraint "app_user_approval_no_pilot" check (approval is null or approval_since is not null and not roles @> array['user'::text]);`,
    );

    this.addSql(`alter table "community" add constraint "community_one_row" check (id = 1);`);
    this.addSql(
      `alter table "community" add constraint "community_registration_known" check (registration = any (array['open'::text, 'invite'::text, 'approval'::text]));`,
    );

    this.addSql(
      `alter table "invite" add constraint "invite_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "invite" add constraint "invite_role_known" check (role = any (array['admin'::text, 'user'::text]));`,
    );
    this.addSql(
      `alter table "invite" add constraint "invite_uses_limited" check (uses >= 0 and (max_uses is null or uses <= max_uses));`,
    );

    this.addSql(
      `alter table "invite_use" add constraint "invite_use_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "invite_use" add constraint "invite_use_invite_id_foreign" foreign key ("invite_id") references "invite" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "invite_use" drop constraint "invite_use_invite_id_foreign";`);

    this.addSql(`drop table if exists "community" cascade;`);
    this.addSql(`drop table if exists "invite" cascade;`);
    this.addSql(`drop table if exists "invite_use" cascade;`);

    this.addSql(`alter table "app_user" drop constraint "app_user_approval_known";`);
    this.addSql(`alter table "app_user" drop constraint "app_user_approval_no_pilot";`);
    this.addSql(`alter table "app_user" drop column "approval", drop column "approval_since";`);
  }
}
