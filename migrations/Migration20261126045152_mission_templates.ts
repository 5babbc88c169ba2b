import { Migration } from '@mikro-orm/migrations';

export class Migration20261126045152_mission_templates extends Migration {
  override name = 'Migration20261126045152_mission_templates';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mission_template" ("id" uuid not null, "name" text not null, "theater" text not null, "seats" smallint not null, "content" jsonb not null, "created_by_id" uuid not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create unique index "mission_template_name_key" on "mission_template" (lower("name"));`);

    this.addSql(
      `alter table "mission_template" add constraint "mission_template_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id");`,
    );
    this.addSql(
      `alter table "mission_template" add constraint "mission_template_theater_known" check (theater = any (array['Caucasus'::text, 'Nevada'::text, 'Normandy'::text, 'Persian Gulf'::text, 'Syria'::text, 'Mariana Islands'::text, 'South Atlantic'::text, 'Sinai'::text, 'Kola'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "mission_template" cascade;`);
  }
}
