import { Migration } from '@mikro-orm/migrations';

export class Migration20261124122520_discord_locales extends Migration {
  override name = 'Migration20261124122520_discord_locales';

  override up(): void | Promise<void> {
    this.addSql(`alter table "guild" add "locale" text null;`);

    this.addSql(`alter table "registration_session" add "locale" text null;`);

    this.addSql(`alter table "discord_account" add "locale" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "discord_account" drop column "locale";`);

    this.addSql(`alter table "guild" drop column "locale";`);

    this.addSql(`alter table "registration_session" drop column "locale";`);
  }
}
