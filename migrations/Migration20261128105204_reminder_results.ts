import { Migration } from '@mikro-orm/migrations';

/** Drops the results of notifications from reminders; their deliveries have them. */
export class Migration20261128105204_reminder_results extends Migration {
  override name = 'Migration20261128105204_reminder_results';

  override up(): void | Promise<void> {
    this.addSql(`alter table "reminder" drop column "pushed_at", drop column "push_error";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "reminder" add "pushed_at" timestamptz(6) null, add "push_error" text null;`);
  }
}
