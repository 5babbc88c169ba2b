import { Migration } from '@mikro-orm/migrations';

/** The list of accounts in each of its orders, without sorting all accounts for a page. */
export class Migration20261127154022_users_in_order extends Migration {
  override name = 'Migration20261127154022_users_in_order';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "app_user_name_desc_idx" on "app_user" (display_name collate "und-x-icu" desc nulls last, "created_at", "id") where erased_at is null;`,
    );
    this.addSql(
      `create index "app_user_email_idx" on "app_user" ((case when email not like '%@discord.invalid' then email_key end), "created_at", "id") where erased_at is null;`,
    );
    this.addSql(
      `create index "app_user_email_desc_idx" on "app_user" ((case when email not like '%@discord.invalid' then email_key end) desc nulls last, "created_at", "id") where erased_at is null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "app_user_name_desc_idx";`);
    this.addSql(`drop index "app_user_email_idx";`);
    this.addSql(`drop index "app_user_email_desc_idx";`);
  }
}
