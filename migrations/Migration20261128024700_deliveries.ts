import { Migration } from '@mikro-orm/migrations';

/** Email and notifications share one outbox. */
export class Migration20261128024700_deliveries extends Migration {
  override name = 'Migration20261128024700_deliveries';

  override up(): void | Promise<void> {
    this.addSql(`alter table "mail_message" rename to "delivery";`);
    this.addSql(`alter table "delivery" rename constraint "mail_message_pkey" to "delivery_pkey";`);
    this.addSql(
      `alter table "delivery" rename constraint "mail_message_user_id_foreign" to "delivery_user_id_foreign";`,
    );
    this.addSql(`alter table "delivery" rename constraint "mail_message_state_known" to "delivery_state_known";`);
    this.addSql(`alter index "mail_message_user_idx" rename to "delivery_user_idx";`);
    this.addSql(`alter index "mail_message_waiting_idx" rename to "delivery_waiting_idx";`);
    this.addSql(`alter index "mail_message_recent_idx" rename to "delivery_recent_idx";`);
    this.addSql(`alter index "mail_message_subject_idx" rename to "delivery_subject_idx";`);
    this.addSql(`alter index "mail_message_one_queued" rename to "delivery_one_queued";`);

    this.addSql(`alter table "delivery" add "channel" text not null default 'mail', add "device_id" uuid null;`);
    this.addSql(`alter table "delivery" alter column "channel" drop default;`);
    this.addSql(`create index "delivery_device_idx" on "delivery" ("device_id");`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_device_id_foreign" foreign key ("device_id") references "push_subscription" ("id") on delete set null;`,
    );
    this.addSql(`alter table "delivery" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "delivery" add constraint "delivery_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text, 'news'::text, 'message'::text]));`,
    );
    this.addSql(
      `alter table "delivery" add constraint "delivery_channel_known" check (channel = any (array['mail'::text, 'push'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from "delivery" where "channel" <> 'mail';`);
    this.addSql(`alter table "delivery" drop constraint "delivery_channel_known";`);
    this.addSql(`alter table "delivery" drop constraint "delivery_kind_known";`);
    this.addSql(`alter table "delivery" drop column "channel", drop column "device_id";`);
    this.addSql(
      `alter table "delivery" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text, 'turnout'::text, 'security'::text]));`,
    );
    this.addSql(`alter index "delivery_one_queued" rename to "mail_message_one_queued";`);
    this.addSql(`alter index "delivery_subject_idx" rename to "mail_message_subject_idx";`);
    this.addSql(`alter index "delivery_recent_idx" rename to "mail_message_recent_idx";`);
    this.addSql(`alter index "delivery_waiting_idx" rename to "mail_message_waiting_idx";`);
    this.addSql(`alter index "delivery_user_idx" rename to "mail_message_user_idx";`);
    this.addSql(`alter table "delivery" rename constraint "delivery_state_known" to "mail_message_state_known";`);
    this.addSql(
      `alter table "delivery" rename constraint "delivery_user_id_foreign" to "mail_message_user_id_foreign";`,
    );
    this.addSql(`alter table "delivery" rename constraint "delivery_pkey" to "mail_message_pkey";`);
    this.addSql(`alter table "delivery" rename to "mail_message";`);
  }
}
