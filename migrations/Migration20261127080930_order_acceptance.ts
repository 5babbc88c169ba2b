import { Migration } from '@mikro-orm/migrations';

/**
 * An order is confirmed for its current acceptance only, and a pilot with a seat has given none up. Orders that say otherwise are
 * mended first: those of pilots who were seated from standby kept both, and changes of a flight that they are not in.
 */
export class Migration20261127080930_order_acceptance extends Migration {
  override name = 'Migration20261127080930_order_acceptance';

  override up(): void | Promise<void> {
    this.addSql(`update "frag_order" set confirmed_at = null
      where confirmed_at is not null and (rsvp <> 'accepted' or accepted_at is null or confirmed_at < accepted_at);`);
    this.addSql(
      `update "frag_order" set gave_up_at = null where gave_up_at is not null and rsvp not in ('standby', 'declined');`,
    );
    this.addSql(`update "frag_order" as o set changes = (
        select jsonb_agg(change order by place) from jsonb_array_elements(o.changes) with ordinality as c (change, place)
        where not (change ->> 'field' = 'callsign' and change ->> 'to' is distinct from f.callsign
          or change ->> 'field' = 'package' and change ->> 'to' is distinct from p.callsign))
      from "flight" as f, "package" as p
      where f.id = o.flight_id and p.id = f.package_id and o.status = 'issued' and jsonb_typeof(o.changes) = 'array'
        and exists (select from jsonb_array_elements(o.changes) as c (change)
          where change ->> 'field' = 'callsign' and change ->> 'to' is distinct from f.callsign
            or change ->> 'field' = 'package' and change ->> 'to' is distinct from p.callsign);`);
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_confirmed_acceptance" check (confirmed_at is null or (rsvp = 'accepted'::text and accepted_at is not null and confirmed_at >= accepted_at));`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_gave_up_seat" check (gave_up_at is null or rsvp = any (array['standby'::text, 'declined'::text]));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "frag_order" drop constraint "frag_order_confirmed_acceptance";`);
    this.addSql(`alter table "frag_order" drop constraint "frag_order_gave_up_seat";`);
  }
}
