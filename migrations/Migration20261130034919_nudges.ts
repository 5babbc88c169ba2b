import { Migration } from '@mikro-orm/migrations';

/** When an admin last asked the pilot of an order again. */
export class Migration20261130034919_nudges extends Migration {
  override name = 'Migration20261130034919_nudges';

  override up(): void | Promise<void> {
    this.addSql(`alter table "frag_order" add "nudged_at" timestamptz null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "frag_order" drop column "nudged_at";`);
  }
}
