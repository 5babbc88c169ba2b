import { Migration } from '@mikro-orm/migrations';

export class Migration20261121035301 extends Migration {
  override name = 'Migration20261121035301';

  override up(): void | Promise<void> {
    this.addSql(`alter table "frag_order" add "changed_at" timestamptz null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "frag_order" drop column "changed_at";`);
  }
}
