import { Migration } from '@mikro-orm/migrations';

/**
 * Only an account without an email has an address at discord.invalid: the one with its own id. An account that has entered
 * another address there could keep the owner of that id from being erased. It keeps its password, and signs in with
 * `<its id>@renamed.invalid`, which admins read in the list of users: they can tell its owner, or make a personal link.
 */
export class Migration20261127075122_own_placeholders extends Migration {
  override name = 'Migration20261127075122_own_placeholders';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "failing_step" ("job" text not null, "step" text not null, "since" timestamptz not null, primary key ("job", "step"));`,
    );
    this
      .addSql(`update "app_user" set "email" = "id" || '@renamed.invalid', "email_key" = "id" || '@renamed.invalid', "email_verified_at" = null
      where "email_key" ~ '[@.]discord[.]invalid[.]*$' and "email_key" <> "id" || '@discord.invalid';`);
    this.addSql(
      `alter table "app_user" add constraint "app_user_placeholder_is_own" check (email_key !~ '[@.]discord[.]invalid$' or email_key = id::text || '@discord.invalid');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "failing_step" cascade;`);
    this.addSql(`alter table "app_user" drop constraint "app_user_placeholder_is_own";`);
  }
}
