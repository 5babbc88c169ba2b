import { Migration } from '@mikro-orm/migrations';

/** The roster reads the answer and the expiry of orders that hold a seat; seats have triggers of their own. */
export class Migration20261126153000_roster_changes_of_orders extends Migration {
  override name = 'Migration20261126153000_roster_changes_of_orders';

  override up(): void | Promise<void> {
    // executed as text, and so planned each time: a plan that was made for a thousand orders would read all seats for one
    this.addSql(`create function note_roster_order_change() returns trigger language plpgsql as $$
begin
  execute 'insert into roster_change (user_id) select distinct s.pilot_id from after_rows as o join seat as s on s.order_id = o.id';
  return null;
end $$;`);
    for (const event of ['insert', 'update', 'delete']) {
      this.addSql(`drop trigger "frag_order_roster_${event}" on "frag_order";`);
    }
    this.addSql(
      `create trigger "frag_order_roster_update" after update on "frag_order" referencing old table as before_rows new table as after_rows for each statement execute function note_roster_order_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger "frag_order_roster_update" on "frag_order";`);
    this.addSql(`drop function note_roster_order_change();`);
    for (const [event, rows] of [
      ['insert', 'new table as after_rows'],
      ['update', 'old table as before_rows new table as after_rows'],
      ['delete', 'old table as before_rows'],
    ] as const) {
      this.addSql(
        `create trigger "frag_order_roster_${event}" after ${event} on "frag_order" referencing ${rows} for each statement execute function note_roster_change('pilot_id');`,
      );
    }
  }
}
