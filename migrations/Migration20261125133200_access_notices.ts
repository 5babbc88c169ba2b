import { Migration } from '@mikro-orm/migrations';

export class Migration20261125133200_access_notices extends Migration {
  override name = 'Migration20261125133200_access_notices';

  override up(): void | Promise<void> {
    this.addSql(
      `create or replace function "app_user_app_user_access_fn"() returns trigger as \$\$ begin if (new.email, new.display_name, new.time_zone, new.roles, new.approval, new.password_hash, new.deletion_due_at, new.created_at) is distinct from (old.email, old.display_name, old.time_zone, old.roles, old.approval, old.password_hash, old.deletion_due_at, old.created_at) then perform pg_notify('marshal_access', ''); end if; return null; end; \$\$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "app_user_access" AFTER UPDATE on "app_user" for each ROW execute function "app_user_app_user_access_fn"();`,
    );

    this.addSql(
      `create or replace function "session_session_access_fn"() returns trigger as \$\$ begin if old.expires_at > now() and (tg_op = 'DELETE' or new.expires_at < old.expires_at or new.user_id <> old.user_id or new.id <> old.id) then perform pg_notify('marshal_access', ''); end if; return null; end; \$\$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "session_access" AFTER DELETE OR UPDATE on "session" for each ROW execute function "session_session_access_fn"();`,
    );

    this.addSql(
      `create or replace function "personal_access_token_personal_access_token_access_fn"() returns trigger as \$\$ begin if tg_op = 'DELETE' or (new.user_id, new.token_hash, new.scopes, new.expires_at) is distinct from (old.user_id, old.token_hash, old.scopes, old.expires_at) then perform pg_notify('marshal_access', ''); end if; return null; end; \$\$ language plpgsql;`,
    );
    this.addSql(
      `create trigger "personal_access_token_access" AFTER DELETE OR UPDATE on "personal_access_token" for each ROW execute function "personal_access_token_personal_access_token_access_fn"();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger if exists "app_user_access" on "app_user";`);
    this.addSql(`drop function if exists "app_user_app_user_access_fn"();`);

    this.addSql(`drop trigger if exists "personal_access_token_access" on "personal_access_token";`);
    this.addSql(`drop function if exists "personal_access_token_personal_access_token_access_fn"();`);

    this.addSql(`drop trigger if exists "session_access" on "session";`);
    this.addSql(`drop function if exists "session_session_access_fn"();`);
  }
}
