import { Migration } from '@mikro-orm/migrations';

export class Migration20261124123451_mission_servers extends Migration {
  override name = 'Migration20261124123451_mission_servers';

  override up(): void | Promise<void> {
    this.addSql(`alter table "mission" add "guild_ids" text[] null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "mission" drop column "guild_ids";`);
  }
}
