import { Migration } from '@mikro-orm/migrations';

export class Migration20261123114202_aircraft_types extends Migration {
  override name = 'Migration20261123114202_aircraft_types';

  override up(): void | Promise<void> {
    this.addSql(`alter table "aircraft" drop constraint "aircraft_code_unique";`);
    this.addSql(`create unique index "aircraft_code_key" on "aircraft" (lower("code"));`);
    this.addSql(`create unique index "aircraft_name_key" on "aircraft" (lower("name"));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "aircraft_code_key";`);
    this.addSql(`drop index "aircraft_name_key";`);
    this.addSql(`alter table "aircraft" add constraint "aircraft_code_unique" unique ("code");`);
  }
}
