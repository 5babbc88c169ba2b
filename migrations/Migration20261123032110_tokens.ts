import { Migration } from '@mikro-orm/migrations';

export class Migration20261123032110_tokens extends Migration {
  override name = 'Migration20261123032110_tokens';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "personal_access_token" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "token_hash" text not null, "scopes" text[] not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "personal_access_token_user_idx" on "personal_access_token" ("user_id");`);
    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_token_hash_unique" unique ("token_hash");`,
    );

    // a script's session would otherwise become a browser's
    this.addSql(`delete from "session" where "is_bearer";`);
    this.addSql(`alter table "session" drop column "is_bearer";`);

    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_scopes_known" check (cardinality(scopes) > 0 and scopes <@ array['read'::text, 'pilot'::text, 'admin'::text]);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "personal_access_token" cascade;`);

    this.addSql(`alter table "session" add "is_bearer" bool not null default false;`);
  }
}
