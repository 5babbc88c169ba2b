import { Migration } from '@mikro-orm/migrations';

export class Migration20261121033703 extends Migration {
  override name = 'Migration20261121033703';

  override up(): void | Promise<void> {
    this.addSql(`alter table "frag_order" add "changes" jsonb null, add "attendance" text null;`);
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_attendance_known" check ((attendance is null) or (attendance = any (array['attended'::text, 'no_show'::text, 'excused'::text])));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "frag_order" drop constraint "frag_order_attendance_known";`);
    this.addSql(`alter table "frag_order" drop column "changes", drop column "attendance";`);
  }
}
