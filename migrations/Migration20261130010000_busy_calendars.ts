import { Migration } from '@mikro-orm/migrations';

/** Calendars of pilots elsewhere, and when they are busy. The triggers call a function of `first_release`. */
export class Migration20261130010000_busy_calendars extends Migration {
  override name = 'Migration20261130010000_busy_calendars';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "busy_calendar" ("id" uuid not null, "user_id" uuid not null, "name" text null, "sealed_url" text not null, "shown_url" text not null, "counts_whole_days" boolean not null, "etag" text null, "last_modified" text null, "content_hash" text null, "time_zone" text not null, "read_at" timestamptz null, "known_until" timestamptz null, "events" int not null default 0, "unread" int not null default 0, "failures" smallint not null default 0, "failing_since" timestamptz null, "problem" text null, "due_at" timestamptz not null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "busy_calendar_user_idx" on "busy_calendar" ("user_id");`);
    this.addSql(`create index "busy_calendar_due_idx" on "busy_calendar" ("due_at");`);

    this.addSql(
      `create table "busy_time" ("calendar_id" uuid not null, "user_id" uuid not null, "minutes" int4multirange not null, primary key ("calendar_id"));`,
    );
    this.addSql(`create index "busy_time_user_idx" on "busy_time" ("user_id");`);

    this.addSql(
      `alter table "busy_calendar" add constraint "busy_calendar_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "busy_calendar" add constraint "busy_calendar_problem_known" check (problem = any (array['unreachable'::text, 'slow'::text, 'refused'::text, 'gone'::text, 'answer'::text, 'address'::text, 'redirect'::text, 'tooLarge'::text, 'notCalendar'::text, 'tooManyEvents'::text]));`,
    );
    this.addSql(
      `alter table "busy_calendar" add constraint "busy_calendar_failing" check (((problem is null) = (failing_since is null)));`,
    );

    this.addSql(
      `alter table "busy_time" add constraint "busy_time_calendar_id_foreign" foreign key ("calendar_id") references "busy_calendar" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "busy_time" add constraint "busy_time_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `create trigger "busy_time_roster_insert" after insert on "busy_time" referencing new table as after_rows for each statement execute function note_roster_change('user_id');`,
    );
    this.addSql(
      `create trigger "busy_time_roster_update" after update on "busy_time" referencing old table as before_rows new table as after_rows for each statement execute function note_roster_change('user_id');`,
    );
    this.addSql(
      `create trigger "busy_time_roster_delete" after delete on "busy_time" referencing old table as before_rows for each statement execute function note_roster_change('user_id');`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table "busy_time";`);
    this.addSql(`drop table "busy_calendar";`);
  }
}
