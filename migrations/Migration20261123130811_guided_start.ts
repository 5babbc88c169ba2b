import { Migration } from '@mikro-orm/migrations';

export class Migration20261123130811_guided_start extends Migration {
  override name = 'Migration20261123130811_guided_start';

  override up(): void | Promise<void> {
    this.addSql(`alter table "community" add "start_dismissed_at" timestamptz null;`);

    this.addSql(`alter table "mission" add "is_practice" boolean not null default false;`);
    // a community that has flown already needs no guided start
    this.addSql(
      `insert into "community" ("id", "start_dismissed_at", "updated_at") select 1, now(), now() where exists (select from "mission" where status <> 'draft') on conflict ("id") do update set start_dismissed_at = now();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "community" drop column "start_dismissed_at";`);

    this.addSql(`alter table "mission" drop column "is_practice";`);
  }
}
