import { Migration } from '@mikro-orm/migrations';

export class Migration20261120213748 extends Migration {
  override name = 'Migration20261120213748';

  override up(): void | Promise<void> {
    this.addSql(`alter table "availability_override" drop constraint "availability_override_wall_times";`);
    this.addSql(
      `alter table "availability_override" add constraint "availability_override_wall_times" check (start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and (start_local <> end_local or start_local = '00:00'::text));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "availability_override" drop constraint "availability_override_wall_times";`);
    this.addSql(
      `alter table "availability_override" add constraint "availability_override_wall_times" check ((start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text) AND (end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text) AND (start_local <> end_local));`,
    );
  }
}
