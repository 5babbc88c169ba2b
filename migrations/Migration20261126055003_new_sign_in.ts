import { Migration } from '@mikro-orm/migrations';

export class Migration20261126055003_new_sign_in extends Migration {
  override name = 'Migration20261126055003_new_sign_in';

  override up(): void | Promise<void> {
    this.addSql(`alter table "session" add "is_new" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "session" drop column "is_new";`);
  }
}
