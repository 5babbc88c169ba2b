import { Migration } from '@mikro-orm/migrations';

export class Migration20261127075020_guild_acceptance extends Migration {
  override name = 'Migration20261127075020_guild_acceptance';

  override up(): void | Promise<void> {
    this.addSql(`alter table "guild" add "accepted_at" timestamptz null;`);
    // servers that had the bot before acceptance existed go on as before
    this.addSql(`update "guild" set "accepted_at" = "installed_at";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "guild" drop column "accepted_at";`);
  }
}
