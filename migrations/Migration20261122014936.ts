import { Migration } from '@mikro-orm/migrations';

export class Migration20261122014936 extends Migration {
  override name = 'Migration20261122014936';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "seat_swap" ("id" uuid not null, "mission_id" uuid not null, "order_id" uuid not null, "with_order_id" uuid not null, "flight_id" uuid not null, "seat_index" smallint not null, "with_flight_id" uuid not null, "with_seat_index" smallint not null, "state" text not null, "expires_at" timestamptz not null, "answered_at" timestamptz null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "seat_swap_mission_idx" on "seat_swap" ("mission_id");`);
    this.addSql(`create index "seat_swap_with_order_idx" on "seat_swap" ("with_order_id");`);
    this.addSql(`create unique index "seat_swap_one_open" on "seat_swap" ("order_id") where state = 'proposed';`);

    this.addSql(
      `create table "willing_pilot" ("mission_id" uuid not null, "pilot_id" uuid not null, primary key ("mission_id", "pilot_id"));`,
    );

    this.addSql(`alter table "frag_order" add "gave_up_at" timestamptz null, add "notice_closed_at" timestamptz null;`);

    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_order_id_foreign" foreign key ("order_id") references "frag_order" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_with_order_id_foreign" foreign key ("with_order_id") references "frag_order" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_flight_id_foreign" foreign key ("flight_id") references "flight" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_with_flight_id_foreign" foreign key ("with_flight_id") references "flight" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat_swap" add constraint "seat_swap_state_known" check (state = any (array['proposed'::text, 'agreed'::text, 'declined'::text, 'withdrawn'::text, 'lapsed'::text]));`,
    );
    this.addSql(`alter table "seat_swap" add constraint "seat_swap_two_orders" check (order_id <> with_order_id);`);

    this.addSql(
      `alter table "willing_pilot" add constraint "willing_pilot_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "willing_pilot" add constraint "willing_pilot_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    // Whoever had an order was willing; of the missions before this ledger nothing more is known.
    this.addSql(
      `insert into "willing_pilot" ("mission_id", "pilot_id") select distinct mission_id, pilot_id from "frag_order" where status <> 'draft';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "seat_swap" cascade;`);
    this.addSql(`drop table if exists "willing_pilot" cascade;`);

    this.addSql(`alter table "frag_order" drop column "gave_up_at", drop column "notice_closed_at";`);
  }
}
