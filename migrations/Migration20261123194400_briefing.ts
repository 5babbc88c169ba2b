import { Migration } from '@mikro-orm/migrations';

export class Migration20261123194400_briefing extends Migration {
  override name = 'Migration20261123194400_briefing';

  override up(): void | Promise<void> {
    this.addSql(`alter table "mission" add "links" jsonb null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "mission" drop column "links";`);
  }
}
