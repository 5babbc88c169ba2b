import { Migration } from '@mikro-orm/migrations';

export class Migration20261123183503_slot_requests extends Migration {
  override name = 'Migration20261123183503_slot_requests';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "slot_request" ("id" uuid not null, "handle" text not null, "email" text not null, "email_key" text not null, "module" text not null, "level" text not null, "slot" text not null, "notes" text null, "invite_id" uuid null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`alter table "slot_request" add constraint "slot_request_email_key_unique" unique ("email_key");`);
    this.addSql(`create index "slot_request_invite_idx" on "slot_request" ("invite_id");`);

    this.addSql(`alter table "app_user" add "email_requests" boolean not null default true;`);

    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'request'::text]));`,
    );

    this.addSql(
      `alter table "slot_request" add constraint "slot_request_invite_id_foreign" foreign key ("invite_id") references "invite" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "slot_request" add constraint "slot_request_level_known" check (level = any (array['basic'::text, 'learning'::text, 'proficient'::text, 'expert'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "slot_request" cascade;`);

    this.addSql(`alter table "app_user" drop column "email_requests";`);

    this.addSql(`delete from "mail_message" where "kind" = 'request';`);
    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text]));`,
    );
  }
}
