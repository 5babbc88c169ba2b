import { Migration } from '@mikro-orm/migrations';

/** Tables that say when pilots can fly, and the column that names the pilot. */
const WATCHED = [
  ['app_user', 'id'],
  ['pilot_status', 'user_id'],
  ['proficiency', 'user_id'],
  ['availability_template', 'user_id'],
  ['availability_override', 'user_id'],
  ['leave', 'user_id'],
  ['frag_order', 'pilot_id'],
  ['seat', 'pilot_id'],
] as const;

/** One trigger a statement, however many rows it changes. */
const listTriggers = (table: string, call: string): string[] => [
  `create trigger "${table}_roster_insert" after insert on "${table}" referencing new table as after_rows for each statement execute function ${call};`,
  `create trigger "${table}_roster_update" after update on "${table}" referencing old table as before_rows new table as after_rows for each statement execute function ${call};`,
  `create trigger "${table}_roster_delete" after delete on "${table}" referencing old table as before_rows for each statement execute function ${call};`,
];

export class Migration20261125130017_roster_changes extends Migration {
  override name = 'Migration20261125130017_roster_changes';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "roster_change" ("id" bigserial primary key, "user_id" uuid not null, "xid" xid8 not null default pg_current_xact_id(), "changed_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "roster_change_xid_idx" on "roster_change" ("xid");`);
    this.addSql(`create index "roster_change_age_idx" on "roster_change" ("changed_at");`);
    this.addSql(`create function note_roster_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    execute format('insert into roster_change (user_id) select distinct %1$I from after_rows where %1$I is not null', tg_argv[0]);
  end if;
  if tg_op = 'DELETE' then
    execute format('insert into roster_change (user_id) select distinct %1$I from before_rows where %1$I is not null', tg_argv[0]);
  elsif tg_op = 'UPDATE' then
    execute format('insert into roster_change (user_id) select %1$I from before_rows where %1$I is not null except select %1$I from after_rows', tg_argv[0]);
  end if;
  return null;
end $$;`);
    this.addSql(`create function note_roster_slot_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into roster_change (user_id)
      select distinct t.user_id from after_rows as s join availability_template as t on t.id = s.template_id;
  end if;
  if tg_op <> 'INSERT' then
    insert into roster_change (user_id)
      select distinct t.user_id from before_rows as s join availability_template as t on t.id = s.template_id;
  end if;
  return null;
end $$;`);
    for (const [table, column] of WATCHED) {
      for (const statement of listTriggers(table, `note_roster_change('${column}')`)) this.addSql(statement);
    }
    for (const statement of listTriggers('availability_slot', 'note_roster_slot_change()')) this.addSql(statement);
  }

  override down(): void | Promise<void> {
    for (const table of [...WATCHED.map(([name]) => name), 'availability_slot']) {
      for (const event of ['insert', 'update', 'delete']) {
        this.addSql(`drop trigger "${table}_roster_${event}" on "${table}";`);
      }
    }
    this.addSql(`drop function note_roster_change();`);
    this.addSql(`drop function note_roster_slot_change();`);
    this.addSql(`drop table if exists "roster_change" cascade;`);
  }
}
