import { Migration } from '@mikro-orm/migrations';

export class Migration20261123122413_password_links extends Migration {
  override name = 'Migration20261123122413_password_links';

  override up(): void | Promise<void> {
    this.addSql(`alter table "sign_in_link" add "purpose" text not null default 'sign_in';`);
    this.addSql(
      `alter table "sign_in_link" add constraint "sign_in_link_purpose_known" check (purpose = any (array['sign_in'::text, 'set_password'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "sign_in_link" drop constraint "sign_in_link_purpose_known";`);
    this.addSql(`alter table "sign_in_link" drop column "purpose";`);
  }
}
