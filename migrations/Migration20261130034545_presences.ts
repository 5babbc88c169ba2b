import { Migration } from '@mikro-orm/migrations';

/** Times of pilots in the game, their names there, and the attendance proposed from both. Only new tables. */
export class Migration20261130034545_presences extends Migration {
  override name = 'Migration20261130034545_presences';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "presence" ("id" uuid not null, "mission_id" uuid not null, "pilot_id" uuid null, "source" text not null, "name" text not null, "unit" text not null, "aircraft" text null, "side" smallint null, "from_at" timestamptz not null, "to_at" timestamptz not null, "took_off_at" timestamptz null, "landed_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "presence_pilot_idx" on "presence" ("pilot_id");`);
    this.addSql(
      `alter table "presence" add constraint "presence_once" unique ("mission_id", "source", "name", "unit", "from_at", "to_at");`,
    );

    this.addSql(
      `create table "game_identity" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "name_key" text not null, "proved_by" text not null, "created_by_id" uuid null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "game_identity_user_idx" on "game_identity" ("user_id");`);
    this.addSql(`alter table "game_identity" add constraint "game_identity_name_key_unique" unique ("name_key");`);
    this.addSql(`create index "game_identity_created_by_idx" on "game_identity" ("created_by_id");`);

    this.addSql(
      `create table "attendance_proposal" ("mission_id" uuid not null, "pilot_id" uuid not null, "order_id" uuid not null, "verdict" text not null, "state" text not null, "evidence" jsonb not null, "decided_by_id" uuid null, "decided_at" timestamptz null, "created_at" timestamptz not null, primary key ("mission_id", "pilot_id"));`,
    );
    this.addSql(`create index "attendance_proposal_order_idx" on "attendance_proposal" ("order_id");`);
    this.addSql(`create index "attendance_proposal_pilot_idx" on "attendance_proposal" ("pilot_id");`);
    this.addSql(`create index "attendance_proposal_decided_by_idx" on "attendance_proposal" ("decided_by_id");`);

    this.addSql(
      `alter table "presence" add constraint "presence_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "presence" add constraint "presence_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "presence" add constraint "presence_source_known" check (source = any (array['tacview'::text]));`,
    );
    this.addSql(`alter table "presence" add constraint "presence_side_known" check (((side >= 0) and (side <= 1)));`);
    this.addSql(`alter table "presence" add constraint "presence_has_length" check (to_at > from_at);`);

    this.addSql(
      `alter table "game_identity" add constraint "game_identity_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "game_identity" add constraint "game_identity_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "game_identity" add constraint "game_identity_proof_known" check (proved_by = any (array['admin'::text]));`,
    );

    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_order_id_foreign" foreign key ("order_id") references "frag_order" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_decided_by_id_foreign" foreign key ("decided_by_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_verdict_known" check (verdict = any (array['flew'::text, 'other_seat'::text]));`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_state_known" check (state = any (array['open'::text, 'confirmed'::text, 'dismissed'::text]));`,
    );
    this.addSql(
      `alter table "attendance_proposal" add constraint "attendance_proposal_decided" check (((state = 'open'::text) = (decided_at is null)));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table "attendance_proposal";`);
    this.addSql(`drop table "presence";`);
    this.addSql(`drop table "game_identity";`);
  }
}
