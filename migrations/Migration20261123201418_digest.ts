import { Migration } from '@mikro-orm/migrations';

export class Migration20261123201418_digest extends Migration {
  override name = 'Migration20261123201418_digest';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "app_user" add "email_digest" boolean not null default false, add "digested_on" date null;`,
    );

    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text, 'digest'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "app_user" drop column "email_digest", drop column "digested_on";`);

    this.addSql(`delete from "mail_message" where kind = 'digest';`);
    this.addSql(`alter table "mail_message" drop constraint "mail_message_kind_known";`);
    this.addSql(
      `alter table "mail_message" add constraint "mail_message_kind_known" check (kind = any (array['password'::text, 'welcome'::text, 'verification'::text, 'test'::text, 'invite'::text, 'order'::text, 'reminder'::text, 'request'::text]));`,
    );
  }
}
