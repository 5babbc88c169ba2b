import { Migration } from '@mikro-orm/migrations';

export class Migration20261123121843_account_deletion extends Migration {
  override name = 'Migration20261123121843_account_deletion';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "app_user" add "deletion_due_at" timestamptz null, add "roles_before_deletion" text[] null, add "erased_at" timestamptz null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(
      `alter table "app_user" drop column "deletion_due_at", drop column "roles_before_deletion", drop column "erased_at";`,
    );
  }
}
