import { Migration } from '@mikro-orm/migrations';

export class Migration20261126014801_second_factor extends Migration {
  override name = 'Migration20261126014801_second_factor';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "remembered_device" ("id" uuid not null, "user_id" uuid not null, "token_hash" text not null, "user_agent" text null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "remembered_device_user_idx" on "remembered_device" ("user_id");`);
    this.addSql(
      `alter table "remembered_device" add constraint "remembered_device_token_hash_unique" unique ("token_hash");`,
    );

    this.addSql(
      `create table "recovery_code" ("code_hash" text not null, "user_id" uuid not null, "created_at" timestamptz not null, primary key ("code_hash"));`,
    );
    this.addSql(`create index "recovery_code_user_idx" on "recovery_code" ("user_id");`);

    this.addSql(
      `create table "pending_sign_in" ("token_hash" text not null, "user_id" uuid not null, "way" text not null, "password_mark" text not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("token_hash"));`,
    );
    this.addSql(`create index "pending_sign_in_user_idx" on "pending_sign_in" ("user_id");`);

    this.addSql(
      `create table "passkey_challenge" ("holder" text not null, "user_id" uuid not null, "challenge" text not null, "expires_at" timestamptz not null, primary key ("holder"));`,
    );
    this.addSql(`create index "passkey_challenge_user_idx" on "passkey_challenge" ("user_id");`);

    this.addSql(
      `create table "passkey" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "credential_id" text not null, "public_key" text not null, "counter" bigint not null, "transports" text[] not null, "is_syncable" boolean not null, "is_backed_up" boolean not null, "created_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "passkey_user_idx" on "passkey" ("user_id");`);
    this.addSql(`alter table "passkey" add constraint "passkey_credential_id_unique" unique ("credential_id");`);

    this.addSql(
      `create table "authenticator" ("user_id" uuid not null, "sealed_key" text not null, "confirmed_at" timestamptz null, "last_step" int not null default 0, "created_at" timestamptz not null, primary key ("user_id"));`,
    );

    this.addSql(`drop trigger if exists "app_user_access" on "app_user";`);
    this.addSql(`drop function if exists "app_user_app_user_access_fn"();`);
    this.addSql(`alter table "app_user" add "second_factor_at" timestamptz null;`);
    this.addSql(
      `create or replace function "app_user_app_user_access_fn"() returns trigger as \$\$ begin if (new.email, new.display_name, new.time_zone, new.roles, new.approval, new.password_hash, new.second_factor_at, new.deletion_due_at, new.created_at) is distinct from (old.email, old.display_name, old.time_zone, old.roles, old.approval, old.password_hash, old.second_factor_at, old.deletion_due_at, old.created_at) then perform pg_notify('marshal_access', ''); end if; return null; end; \$\$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "app_user_access" AFTER UPDATE on "app_user" for each ROW execute function "app_user_app_user_access_fn"();`,
    );

    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text]));`,
    );

    this.addSql(
      `alter table "remembered_device" add constraint "remembered_device_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "recovery_code" add constraint "recovery_code_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "pending_sign_in" add constraint "pending_sign_in_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "pending_sign_in" add constraint "pending_sign_in_way_known" check (way = any (array['password'::text, 'registration'::text, 'link'::text, 'password_link'::text, 'discord'::text]));`,
    );

    this.addSql(
      `alter table "passkey_challenge" add constraint "passkey_challenge_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "passkey" add constraint "passkey_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "passkey" add constraint "passkey_counter_range" check ((counter >= 0));`);

    this.addSql(
      `alter table "authenticator" add constraint "authenticator_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "remembered_device" cascade;`);
    this.addSql(`drop table if exists "recovery_code" cascade;`);
    this.addSql(`drop table if exists "pending_sign_in" cascade;`);
    this.addSql(`drop table if exists "passkey_challenge" cascade;`);
    this.addSql(`drop table if exists "passkey" cascade;`);
    this.addSql(`drop table if exists "authenticator" cascade;`);

    this.addSql(`drop trigger if exists "app_user_access" on "app_user";`);
    this.addSql(`drop function if exists "app_user_app_user_access_fn"();`);
    this.addSql(`alter table "app_user" drop column "second_factor_at";`);
    this.addSql(
      `create or replace function "app_user_app_user_access_fn"() returns trigger as \$\$ begin if (new.email, new.display_name, new.time_zone, new.roles, new.approval, new.password_hash, new.deletion_due_at, new.created_at) is distinct from (old.email, old.display_name, old.time_zone, old.roles, old.approval, old.password_hash, old.deletion_due_at, old.created_at) then perform pg_notify('marshal_access', ''); end if; return null; end; \$\$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "app_user_access" AFTER UPDATE on "app_user" for each ROW execute function "app_user_app_user_access_fn"();`,
    );

    this.addSql(`delete from "mail_message" where kind = 'security';`);
    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text]));`,
    );
  }
}
