import { Migration } from '@mikro-orm/migrations';

/**
 * An account that is being deleted or has been erased has no role: an admin who approved it in the meantime left one that
 * nobody could see or take away. What a leaving account was granted comes back with its own roles if its owner keeps it.
 */
export class Migration20261127081958_leaving_accounts extends Migration {
  override name = 'Migration20261127081958_leaving_accounts';

  override up(): void | Promise<void> {
    this
      .addSql(`update "app_user" set "roles_before_deletion" = array(select distinct unnest("roles" || coalesce("roles_before_deletion", '{}')) order by 1), "roles" = '{}'
      where "deletion_due_at" is not null and "erased_at" is null and "roles" <> '{}';`);
    this.addSql(
      `update "app_user" set "roles" = '{}', "deletion_due_at" = null, "roles_before_deletion" = null, "approval" = null, "approval_since" = null, "password_hash" = null where "erased_at" is not null;`,
    );
    this.addSql(
      `alter table "app_user" add constraint "app_user_leaving_without_roles" check (deletion_due_at is null and erased_at is null or roles = '{}');`,
    );
    this.addSql(
      `alter table "app_user" add constraint "app_user_erased_is_nobody" check (erased_at is null or deletion_due_at is null and roles_before_deletion is null and approval is null and password_hash is null);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "app_user" drop constraint "app_user_leaving_without_roles";`);
    this.addSql(`alter table "app_user" drop constraint "app_user_erased_is_nobody";`);
  }
}
