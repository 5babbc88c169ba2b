import { Migration } from '@mikro-orm/migrations';

export class Migration20261126050825_mission_series extends Migration {
  override name = 'Migration20261126050825_mission_series';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "mission_series" ("id" uuid not null, "content" jsonb not null, "weekdays" smallint[] not null, "every_weeks" smallint not null, "first_date" date not null, "last_date" date null, "horizon_weeks" smallint not null, "publish_days" smallint null, "revision" int not null, "paused_at" timestamptz null, "ended_at" timestamptz null, "created_by_id" uuid not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );

    this.addSql(
      `create table "series_occurrence" ("series_id" uuid not null, "date_local" date not null, "mission_id" uuid null, "is_skipped" boolean not null default false, "is_own" boolean not null default false, "revision" int not null, "problem" text null, "tried_at" timestamptz null, primary key ("series_id", "date_local"));`,
    );
    this.addSql(
      `alter table "series_occurrence" add constraint "series_occurrence_mission_id_unique" unique ("mission_id");`,
    );

    this.addSql(
      `alter table "mission_series" add constraint "mission_series_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id");`,
    );
    this.addSql(
      `alter table "mission_series" add constraint "mission_series_weekdays_known" check (weekdays <@ '{0,1,2,3,4,5,6}'::smallint[]);`,
    );
    this.addSql(
      `alter table "mission_series" add constraint "mission_series_every_weeks_range" check (((every_weeks >= 1) and (every_weeks <= 8)));`,
    );
    this.addSql(
      `alter table "mission_series" add constraint "mission_series_horizon_range" check (((horizon_weeks >= 1) and (horizon_weeks <= 12)));`,
    );
    this.addSql(
      `alter table "mission_series" add constraint "mission_series_publish_days_range" check (((publish_days >= 0) and (publish_days <= 14)));`,
    );

    this.addSql(
      `alter table "series_occurrence" add constraint "series_occurrence_series_id_foreign" foreign key ("series_id") references "mission_series" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "series_occurrence" add constraint "series_occurrence_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "series_occurrence" drop constraint "series_occurrence_series_id_foreign";`);

    this.addSql(`drop table if exists "mission_series" cascade;`);
    this.addSql(`drop table if exists "series_occurrence" cascade;`);
  }
}
