import { Migration } from '@mikro-orm/migrations';

export class Migration20261124024353_turnout_warnings extends Migration {
  override name = 'Migration20261124024353_turnout_warnings';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "turnout_warning" ("id" uuid not null, "mission_id" uuid not null, "starts_at" timestamptz not null, "stage" text not null, "probability" double precision not null, "seats" smallint not null, "accepted" smallint not null, "enough" smallint not null, "recipient_id" uuid null, "channels" text[] not null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "turnout_warning_recipient_idx" on "turnout_warning" ("recipient_id");`);
    this.addSql(
      `alter table "turnout_warning" add constraint "turnout_warning_once" unique ("mission_id", "starts_at", "stage");`,
    );

    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check (kind = any (array['registration'::text, 'order'::text, 'mention'::text, 'news'::text, 'event'::text, 'reminder'::text, 'card'::text, 'welcome'::text, 'turnout'::text]));`,
    );

    this.addSql(`alter table "mission" add "start_set_at" timestamptz not null default now();`);

    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text]));`,
    );

    this.addSql(
      `alter table "turnout_warning" add constraint "turnout_warning_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "turnout_warning" add constraint "turnout_warning_recipient_id_foreign" foreign key ("recipient_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "turnout_warning" add constraint "turnout_warning_stage_known" check (stage = any (array['7 days'::text, '48 hours'::text, '24 hours'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "turnout_warning" cascade;`);

    this.addSql(`delete from "mail_message" where kind = 'turnout';`);
    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check ("kind" in ('password', 'welcome', 'verification', 'test', 'invite', 'order', 'reminder', 'request', 'digest'));`,
    );

    this.addSql(`alter table "mission" drop column "start_set_at";`);

    this.addSql(`delete from "outbox_message" where kind = 'turnout';`);
    this.addSql(`alter table "outbox_message" drop constraint "outbox_message_kind_known";`);
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_kind_known" check ("kind" in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome'));`,
    );
  }
}
