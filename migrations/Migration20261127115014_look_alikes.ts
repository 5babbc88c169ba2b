import { Migration } from '@mikro-orm/migrations';

/**
 * The look of each call sign, so that look-alikes are found by an index. It is computed by the server when it first compares;
 * a changed call sign clears it. And an index for the list of accounts in the order of their names.
 */
export class Migration20261127115014_look_alikes extends Migration {
  override name = 'Migration20261127115014_look_alikes';

  override up(): void | Promise<void> {
    this.addSql(`alter table "app_user" add "look" text null;`);
    this.addSql(
      `create index "app_user_look_idx" on "app_user" ("look", "created_at") where display_name is not null and erased_at is null;`,
    );
    this.addSql(
      `create index "app_user_name_idx" on "app_user" (display_name collate "und-x-icu", "created_at", "id") where erased_at is null;`,
    );
    this.addSql(
      `create or replace function "app_user_app_user_look_fn"() returns trigger as $$ begin if new.display_name is distinct from old.display_name then new.look := null; end if; return new; end; $$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "app_user_look" BEFORE UPDATE on "app_user" for each ROW execute function "app_user_app_user_look_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "app_user_look" on "app_user";`);
    this.addSql(`drop function if exists "app_user_app_user_look_fn"();`);
    this.addSql(`drop index "app_user_name_idx";`);
    this.addSql(`drop index "app_user_look_idx";`);
    this.addSql(`alter table "app_user" drop column "look";`);
  }
}
