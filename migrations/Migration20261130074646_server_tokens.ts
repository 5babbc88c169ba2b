import { Migration } from '@mikro-orm/migrations';

/** Access tokens of game servers, which have the scope server alone. */
export class Migration20261130074646_server_tokens extends Migration {
  override name = 'Migration20261130074646_server_tokens';

  override up(): void | Promise<void> {
    this.addSql(`alter table "personal_access_token" drop constraint "personal_access_token_scopes_known";`);
    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_server_alone" check (cardinality(scopes) = 1 or not ('server'::text = any (scopes)));`,
    );
    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_scopes_known" check (cardinality(scopes) > 0 and scopes <@ array['read'::text, 'pilot'::text, 'admin'::text, 'server'::text]);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`delete from "personal_access_token" where 'server' = any (scopes);`);
    this.addSql(`alter table "personal_access_token" drop constraint "personal_access_token_server_alone";`);
    this.addSql(`alter table "personal_access_token" drop constraint "personal_access_token_scopes_known";`);
    this.addSql(
      `alter table "personal_access_token" add constraint "personal_access_token_scopes_known" check ((cardinality(scopes) > 0) AND (scopes <@ ARRAY['read'::text, 'pilot'::text, 'admin'::text]));`,
    );
  }
}
