import { Migration } from '@mikro-orm/migrations';

export class Migration20261123123826_last_seen_and_audit_search extends Migration {
  override name = 'Migration20261123123826_last_seen_and_audit_search';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "last_seen" ("user_id" uuid not null, "seen_at" timestamptz not null, primary key ("user_id"));`,
    );
    this.addSql(`create index "last_seen_seen_at_idx" on "last_seen" ("seen_at");`);

    this.addSql(`create index "audit_entry_subject_id_idx" on "audit_entry" ("subject_id");`);
    this.addSql(`create index "audit_entry_actor_idx" on "audit_entry" ("actor_id");`);
    this.addSql(`create index "audit_entry_action_idx" on "audit_entry" ("action", "occurred_at");`);
    this.addSql(
      `create index "audit_entry_words_idx" on "audit_entry" using gin (jsonb_to_tsvector('simple'::regconfig, detail, '["string"]'::jsonb));`,
    );

    this.addSql(
      `alter table "last_seen" add constraint "last_seen_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "last_seen" cascade;`);

    this.addSql(`drop index "audit_entry_subject_id_idx";`);
    this.addSql(`drop index "audit_entry_actor_idx";`);
    this.addSql(`drop index "audit_entry_action_idx";`);
    this.addSql(`drop index "audit_entry_words_idx";`);
  }
}
