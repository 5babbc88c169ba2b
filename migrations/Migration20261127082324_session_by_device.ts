import { Migration } from '@mikro-orm/migrations';

/** Sessions in which a remembered device stood in for the second factor: they are not fresh for calls that give access. */
export class Migration20261127082324_session_by_device extends Migration {
  override name = 'Migration20261127082324_session_by_device';

  override up(): void | Promise<void> {
    this.addSql(`alter table "session" add "is_by_device" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "session" drop column "is_by_device";`);
  }
}
