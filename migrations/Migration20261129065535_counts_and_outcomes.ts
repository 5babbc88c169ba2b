import { Migration } from '@mikro-orm/migrations';

/** Accounts are counted, and track records summed up, from small indexes instead of the rows. */
export class Migration20261129065535_counts_and_outcomes extends Migration {
  override name = 'Migration20261129065535_counts_and_outcomes';

  override up(): void | Promise<void> {
    this.addSql(`create index "app_user_approval_idx" on "app_user" ("approval") where erased_at is null;`);

    this.addSql(
      `create index "frag_order_outcome_idx" on "frag_order" ("pilot_id") include ("mission_id", "attendance", "is_late") where attendance is not null or is_late;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "app_user_approval_idx";`);

    this.addSql(`drop index "frag_order_outcome_idx";`);
  }
}
