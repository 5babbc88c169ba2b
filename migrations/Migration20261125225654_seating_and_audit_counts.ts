import { Migration } from '@mikro-orm/migrations';

export class Migration20261125225654_seating_and_audit_counts extends Migration {
  override name = 'Migration20261125225654_seating_and_audit_counts';

  override up(): void | Promise<void> {
    this.addSql(`create index "audit_entry_kind_idx" on "audit_entry" ("action", "subject_type");`);

    this.addSql(`create index "willing_pilot_pilot_idx" on "willing_pilot" ("pilot_id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "audit_entry_kind_idx";`);

    this.addSql(`drop index "willing_pilot_pilot_idx";`);
  }
}
