import { Migration } from '@mikro-orm/migrations';

export class Migration20261126050416_mission_files extends Migration {
  override name = 'Migration20261126050416_mission_files';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mission_file_content" ("sha256" text not null, "size_bytes" int not null, "found" jsonb not null, "created_at" timestamptz not null, primary key ("sha256"));`,
    );

    this.addSql(
      `create table "mission_file_chunk" ("content_sha256" text not null, "sort_order" smallint not null, "bytes" bytea not null, primary key ("content_sha256", "sort_order"));`,
    );

    this.addSql(
      `create table "mission_file" ("id" uuid not null, "content_sha256" text not null, "name" text not null, "uploaded_by_id" uuid null, "mission_id" uuid null, "version" smallint null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "mission_file_content_idx" on "mission_file" ("content_sha256");`);
    this.addSql(`create index "mission_file_uploaded_by_idx" on "mission_file" ("uploaded_by_id");`);
    this.addSql(`alter table "mission_file" add constraint "mission_file_version" unique ("mission_id", "version");`);

    this.addSql(
      `create table "mission_file_seat" ("flight_id" uuid not null, "seat_index" smallint not null, "mission_id" uuid not null, "group_id" int not null, "unit_id" int not null, "station" smallint not null default 1, primary key ("flight_id", "seat_index"));`,
    );
    this.addSql(`create index "mission_file_seat_mission_idx" on "mission_file_seat" ("mission_id");`);

    this.addSql(
      `alter table "mission_file_chunk" add constraint "mission_file_chunk_content_sha256_foreign" foreign key ("content_sha256") references "mission_file_content" ("sha256") on delete cascade;`,
    );

    this.addSql(
      `alter table "mission_file" add constraint "mission_file_content_sha256_foreign" foreign key ("content_sha256") references "mission_file_content" ("sha256");`,
    );
    this.addSql(
      `alter table "mission_file" add constraint "mission_file_uploaded_by_id_foreign" foreign key ("uploaded_by_id") references "app_user" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "mission_file" add constraint "mission_file_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "mission_file" add constraint "mission_file_has_version" check (((mission_id is null) = (version is null)));`,
    );

    this.addSql(
      `alter table "mission_file_seat" add constraint "mission_file_seat_flight_id_foreign" foreign key ("flight_id") references "flight" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "mission_file_seat" add constraint "mission_file_seat_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "mission_file_seat";`);
    this.addSql(`drop table if exists "mission_file";`);
    this.addSql(`drop table if exists "mission_file_chunk";`);
    this.addSql(`drop table if exists "mission_file_content";`);
  }
}
