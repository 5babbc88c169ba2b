import { Migration } from '@mikro-orm/migrations';

export class Migration20261123150332_mail extends Migration {
  override name = 'Migration20261123150332_mail';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mail_opt_out" ("address_hash" text not null, "created_at" timestamptz not null, primary key ("address_hash"));`,
    );

    this.addSql(
      `create table "mail_message" ("id" uuid not null, "kind" text not null, "user_id" uuid null, "address" text null, "subject_id" text null, "topic" text null, "dedupe_key" text null, "state" text not null default 'queued', "attempts" smallint not null default 0, "next_attempt_at" timestamptz null, "deadline_at" timestamptz not null, "response_status" smallint null, "error_message" text null, "sent_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "mail_message_user_idx" on "mail_message" ("user_id");`);
    this.addSql(
      `create index "mail_message_waiting_idx" on "mail_message" ("next_attempt_at") where state in ('queued', 'sending');`,
    );
    this.addSql(`create index "mail_message_recent_idx" on "mail_message" ("state", "created_at");`);
    this.addSql(
      `create unique index "mail_message_one_queued" on "mail_message" ("dedupe_key") where state = 'queued';`,
    );

    this.addSql(
      `alter table "app_user" add "email_verified_at" timestamptz null, add "email_orders" boolean not null default true, add "email_changes" boolean not null default true;`,
    );

    this.addSql(
      `alter table "mail_message" add constraint "mail_message_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text]));`,
    );
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_state_known" check (state = any (array['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'dropped'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "mail_opt_out" cascade;`);
    this.addSql(`drop table if exists "mail_message" cascade;`);

    this.addSql(
      `alter table "app_user" drop column "email_verified_at", drop column "email_orders", drop column "email_changes";`,
    );
  }
}
