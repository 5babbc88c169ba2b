import { Migration } from '@mikro-orm/migrations';

export class Migration20261124023555_plan_terms extends Migration {
  override name = 'Migration20261124023555_plan_terms';

  override up(): void | Promise<void> {
    this.addSql(`alter table "package" add "own_objective" text null;`);

    this.addSql(`alter table "flight" add "launch_minutes" smallint null, add "tot_minutes" smallint null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "flight" drop column "launch_minutes", drop column "tot_minutes";`);

    this.addSql(`alter table "package" drop column "own_objective";`);
  }
}
