import { Migration } from '@mikro-orm/migrations';

export class Migration20261120213603 extends Migration {
  override name = 'Migration20261120213603';

  override up(): void | Promise<void> {
    this.addSql(`alter table "frag_order" add "accepted_at" timestamptz null;`);
    this.addSql(`update "frag_order" set "accepted_at" = "answered_at" where "rsvp" = 'accepted';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "frag_order" drop column "accepted_at";`);
  }
}
