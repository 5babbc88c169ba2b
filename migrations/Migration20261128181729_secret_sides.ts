import { Migration } from '@mikro-orm/migrations';

export class Migration20261128181729_secret_sides extends Migration {
  override name = 'Migration20261128181729_secret_sides';

  override up(): void | Promise<void> {
    this.addSql(`alter table "mission" add "secret_sides" boolean null;`);
    for (const table of ['mission_template', 'mission_series']) {
      this.addSql(`update "${table}" set "content" = "content" || '{"secretSides": null}';`);
    }
  }

  override down(): void | Promise<void> {
    for (const table of ['mission_template', 'mission_series']) {
      this.addSql(`update "${table}" set "content" = "content" - 'secretSides';`);
    }
    this.addSql(`alter table "mission" drop column "secret_sides";`);
  }
}
