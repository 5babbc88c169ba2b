import { Migration } from '@mikro-orm/migrations';

export class Migration20261120190923 extends Migration {
  override name = 'Migration20261120190923';

  override up(): void | Promise<void> {
    // lets one exclusion constraint compare a pilot's id and a time range; trusted, so the database's owner may create it
    this.addSql(`create extension if not exists btree_gist;`);

    this.addSql(
      `create table "aircraft" ("id" smallint not null, "code" text not null, "name" text not null, "seats" smallint not null, "roles" text[] not null, "active" boolean not null default true, primary key ("id"));`,
    );
    this.addSql(`alter table "aircraft" add constraint "aircraft_code_unique" unique ("code");`);

    this.addSql(
      `create table "attempt" ("bucket" text not null, "minute" timestamptz not null, "count" int not null, primary key ("bucket", "minute"));`,
    );

    this.addSql(
      `create table "guild" ("id" text not null, "name" text not null, "icon_url" text null, "status" text not null, "member_count" int null, "default_splash_channel_id" text null, "installed_at" timestamptz not null, "last_seen_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "guild" add constraint "guild_status_known" check (status = any (array['active'::text, 'disabled'::text, 'unavailable'::text]));`,
    );

    this.addSql(
      `create table "guild_channel" ("id" text not null, "guild_id" text not null, "name" text not null, "type" text not null, "topic" text null, "position" int not null default 0, "is_nsfw" boolean not null default false, "is_postable" boolean not null default false, "can_send_messages" boolean not null default false, "can_embed_links" boolean not null default false, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "guild_channel_guild_idx" on "guild_channel" ("guild_id");`);
    this.addSql(
      `alter table "guild_channel" add constraint "guild_channel_type_known" check (type = any (array['text'::text, 'announcement'::text, 'thread'::text, 'forum'::text, 'other'::text]));`,
    );

    this.addSql(
      `create table "guild_event" ("id" uuid not null, "guild_id" text not null, "event_type" text not null, "event_data" text null, "error_message" text null, "occurred_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "guild_event_recent_idx" on "guild_event" ("guild_id", "occurred_at");`);

    this.addSql(
      `create table "guild_member" ("guild_id" text not null, "discord_user_id" text not null, "discord_username" text not null, "is_bot" boolean not null default false, "is_moderator" boolean not null default false, "joined_at" timestamptz null, "left_at" timestamptz null, "updated_at" timestamptz not null, primary key ("guild_id", "discord_user_id"));`,
    );
    this.addSql(`create index "guild_member_discord_user_idx" on "guild_member" ("discord_user_id");`);

    this.addSql(
      `create table "outbox_message" ("id" uuid not null, "dedupe_key" text not null, "guild_id" text null, "channel_id" text null, "discord_user_id" text null, "payload" jsonb not null, "state" text not null default 'queued', "attempts" smallint not null default 0, "message_id" text null, "error_message" text null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(
      `create unique index "outbox_message_one_waiting" on "outbox_message" ("dedupe_key") where state in ('queued', 'sending');`,
    );
    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_state_known" check (state = any (array['queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'uncertain'::text, 'cancelled'::text]));`,
    );

    this.addSql(
      `create table "app_user" ("id" uuid not null, "email" text not null, "email_key" text not null, "display_name" text null, "time_zone" text not null default 'UTC', "roles" text[] not null default '{user}', "password_hash" text null, "wants_global_events" boolean not null default false, "inbox_read_at" timestamptz null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`alter table "app_user" add constraint "app_user_email_key_unique" unique ("email_key");`);
    this.addSql(`create index "app_user_created_at_idx" on "app_user" ("created_at", "id");`);
    this.addSql(
      `alter table "app_user" add constraint "app_user_roles_known" check (roles <@ array['admin'::text, 'user'::text]);`,
    );

    this.addSql(
      `create table "session" ("id" text not null, "user_id" uuid not null, "is_bearer" boolean not null default false, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "session_user_idx" on "session" ("user_id");`);
    this.addSql(`create index "session_expires_at_idx" on "session" ("expires_at");`);

    this.addSql(
      `create table "registration_session" ("token_hash" text not null, "guild_id" text not null, "discord_user_id" text not null, "discord_username" text not null, "campaign_id" text null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, "user_id" uuid null, primary key ("token_hash"));`,
    );
    this.addSql(`create index "registration_session_discord_user_idx" on "registration_session" ("discord_user_id");`);

    this.addSql(
      `create table "proficiency" ("user_id" uuid not null, "aircraft_id" smallint not null, "level" text not null, "set_by_admin" boolean not null default false, "updated_at" timestamptz not null, primary key ("user_id", "aircraft_id"));`,
    );
    this.addSql(
      `alter table "proficiency" add constraint "proficiency_level_known" check (level = any (array['basic'::text, 'learning'::text, 'proficient'::text, 'expert'::text]));`,
    );

    this.addSql(
      `create table "pilot_status" ("user_id" uuid not null, "state" text not null, "minutes" smallint null, "expires_at" timestamptz null, "updated_at" timestamptz not null, primary key ("user_id"));`,
    );
    this.addSql(
      `alter table "pilot_status" add constraint "pilot_status_state_known" check (state = any (array['available'::text, 'dnd'::text, 'now'::text]));`,
    );
    this.addSql(
      `alter table "pilot_status" add constraint "pilot_status_now_ends" check ((state = 'now'::text) = (minutes is not null) and (state = 'now'::text) = (expires_at is not null));`,
    );

    this.addSql(
      `create table "mission" ("id" uuid not null, "name" text not null, "theater" text not null, "status" text not null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, "time_zone" text not null, "notes" text null, "created_by_id" uuid not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "mission_starts_at_idx" on "mission" ("starts_at", "id");`);
    this.addSql(
      `alter table "mission" add constraint "mission_status_stored" check (status = any (array['draft'::text, 'scheduled'::text, 'cancelled'::text]));`,
    );
    this.addSql(
      `alter table "mission" add constraint "mission_theater_known" check (theater = any (array['Caucasus'::text, 'Nevada'::text, 'Normandy'::text, 'Persian Gulf'::text, 'Syria'::text, 'Mariana Islands'::text, 'South Atlantic'::text, 'Sinai'::text, 'Kola'::text]));`,
    );
    this.addSql(
      `alter table "mission" add constraint "mission_has_length" check (ends_at > starts_at and ends_at <= (starts_at + '24:00:00'::interval));`,
    );

    this.addSql(
      `create table "package" ("id" uuid not null, "mission_id" uuid not null, "callsign" text not null, "objective" text not null, "side" smallint not null, "launch_at" timestamptz null, "tot_at" timestamptz null, "notes" text null, "sort_order" smallint not null, primary key ("id"));`,
    );
    this.addSql(`create index "package_mission_idx" on "package" ("mission_id");`);
    this.addSql(`alter table "package" add constraint "package_side_known" check (((side >= 0) and (side <= 1)));`);

    this.addSql(
      `create table "flight" ("id" uuid not null, "mission_id" uuid not null, "package_id" uuid not null, "slot_index" smallint not null, "callsign" text not null, "aircraft_id" smallint not null, "role" text not null, "side" smallint not null, "launch_at" timestamptz null, "tot_at" timestamptz null, "radio_freq" text null, "size_cap" smallint not null, "notes" text null, "sort_order" smallint not null, primary key ("id"));`,
    );
    this.addSql(`create index "flight_package_idx" on "flight" ("package_id");`);
    this.addSql(`alter table "flight" add constraint "flight_callsign_in_mission" unique ("mission_id", "callsign");`);
    this.addSql(
      `alter table "flight" add constraint "flight_size_cap_range" check (((size_cap >= 1) and (size_cap <= 4)));`,
    );
    this.addSql(
      `alter table "flight" add constraint "flight_role_known" check (role = any (array['Training'::text, 'CAP'::text, 'Strike'::text, 'CAS'::text, 'DEAD'::text, 'SEAD'::text, 'Intercept'::text, 'Recon'::text, 'Tanker'::text, 'AWACS'::text, 'EW'::text]));`,
    );
    this.addSql(`alter table "flight" add constraint "flight_side_known" check (((side >= 0) and (side <= 1)));`);

    this.addSql(
      `create table "aircraft_slot" ("mission_id" uuid not null, "sort_order" smallint not null, "aircraft_id" smallint not null, "slot_count" smallint not null, "role" text not null, "side" smallint not null, "additional_notes" text null, primary key ("mission_id", "sort_order"));`,
    );
    this.addSql(
      `alter table "aircraft_slot" add constraint "aircraft_slot_count_range" check (((slot_count >= 1) and (slot_count <= 64)));`,
    );
    this.addSql(
      `alter table "aircraft_slot" add constraint "aircraft_slot_role_known" check (role = any (array['Training'::text, 'CAP'::text, 'Strike'::text, 'CAS'::text, 'DEAD'::text, 'SEAD'::text, 'Intercept'::text, 'Recon'::text, 'Tanker'::text, 'AWACS'::text, 'EW'::text]));`,
    );
    this.addSql(
      `alter table "aircraft_slot" add constraint "aircraft_slot_side_known" check (((side >= 0) and (side <= 1)));`,
    );

    this.addSql(
      `create table "idempotency_key" ("user_id" uuid not null, "key" text not null, "request_hash" text not null, "answer" jsonb not null, "created_at" timestamptz not null, primary key ("user_id", "key"));`,
    );
    this.addSql(`create index "idempotency_key_created_at_idx" on "idempotency_key" ("created_at");`);

    this.addSql(
      `create table "frag_order" ("id" uuid not null, "seq" serial, "mission_id" uuid not null, "flight_id" uuid not null, "seat_index" smallint not null, "pilot_id" uuid not null, "status" text not null, "status_reason" text null, "rsvp" text not null, "is_open_offer" boolean not null default false, "reasons" text[] not null, "issued_at" timestamptz not null, "expires_at" timestamptz not null, "read_at" timestamptz null, "answered_at" timestamptz null, "confirmed_at" timestamptz null, "is_late" boolean not null default false, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`alter table "frag_order" add constraint "frag_order_seq_unique" unique ("seq");`);
    this.addSql(`create index "frag_order_flight_idx" on "frag_order" ("flight_id");`);
    this.addSql(`create index "frag_order_pilot_idx" on "frag_order" ("pilot_id", "issued_at");`);
    this.addSql(`create index "frag_order_mission_idx" on "frag_order" ("mission_id", "pilot_id");`);
    this.addSql(
      `create unique index "frag_order_one_live" on "frag_order" ("mission_id", "pilot_id") where status = 'issued' and rsvp <> 'declined';`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_status_known" check (status = any (array['draft'::text, 'issued'::text, 'cancelled'::text]));`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_rsvp_known" check (rsvp = any (array['pending'::text, 'accepted'::text, 'standby'::text, 'declined'::text]));`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_reason_of_cancelled" check ((status = 'cancelled'::text) = (status_reason is not null) and (status_reason is null or (status_reason = any (array['expired'::text, 'mission cancelled'::text, 'superseded'::text]))));`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_seat_index" check (((seat_index >= 0) and (seat_index <= 3)));`,
    );

    this.addSql(
      `create table "seat" ("flight_id" uuid not null, "seat_index" smallint not null, "pilot_id" uuid not null, "mission_id" uuid not null, "order_id" uuid not null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, primary key ("flight_id", "seat_index"));`,
    );
    this.addSql(`alter table "seat" add constraint "seat_order_id_unique" unique ("order_id");`);
    this.addSql(`alter table "seat" add constraint "seat_one_per_mission" unique ("mission_id", "pilot_id");`);
    this.addSql(
      `alter table "seat" add constraint "seat_no_overlap" exclude using gist (pilot_id with =, tstzrange(starts_at, ends_at) with &&);`,
    );
    this.addSql(
      `alter table "seat" add constraint "seat_index_range" check (((seat_index >= 0) and (seat_index <= 3)));`,
    );
    this.addSql(`alter table "seat" add constraint "seat_has_length" check (ends_at > starts_at);`);

    this.addSql(
      `create table "discord_account" ("discord_user_id" text not null, "user_id" uuid not null, "username" text not null, "linked_at" timestamptz not null, primary key ("discord_user_id"));`,
    );
    this.addSql(`alter table "discord_account" add constraint "discord_account_user_id_unique" unique ("user_id");`);

    this.addSql(
      `create table "availability_template" ("id" uuid not null, "user_id" uuid not null, "name" text not null, "is_active" boolean not null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "availability_template_user_idx" on "availability_template" ("user_id");`);
    this.addSql(
      `create unique index "availability_template_one_active" on "availability_template" ("user_id") where is_active;`,
    );

    this.addSql(
      `create table "availability_slot" ("id" uuid not null, "template_id" uuid not null, "weekday" smallint not null, "start_local" text not null, "end_local" text not null, "aircraft_id" smallint null, "notes" text null, primary key ("id"));`,
    );
    this.addSql(`create index "availability_slot_template_idx" on "availability_slot" ("template_id");`);
    this.addSql(
      `alter table "availability_slot" add constraint "availability_slot_weekday_range" check (((weekday >= 0) and (weekday <= 6)));`,
    );
    this.addSql(
      `alter table "availability_slot" add constraint "availability_slot_wall_times" check (start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and start_local <> end_local);`,
    );

    this.addSql(
      `create table "availability_override" ("id" uuid not null, "user_id" uuid not null, "date_local" date not null, "kind" text not null, "start_local" text not null, "end_local" text not null, "aircraft_id" smallint null, "notes" text null, "created_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(
      `create index "availability_override_user_date_idx" on "availability_override" ("user_id", "date_local");`,
    );
    this.addSql(
      `alter table "availability_override" add constraint "availability_override_kind_known" check (kind = any (array['available'::text, 'unavailable'::text]));`,
    );
    this.addSql(
      `alter table "availability_override" add constraint "availability_override_wall_times" check (start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]\$'::text and start_local <> end_local);`,
    );

    this.addSql(
      `create table "audit_entry" ("id" uuid not null, "actor_id" uuid null, "action" text not null, "subject_type" text not null, "subject_id" text not null, "detail" jsonb not null, "occurred_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "audit_entry_recent_idx" on "audit_entry" ("occurred_at", "id");`);
    this.addSql(`create index "audit_entry_subject_idx" on "audit_entry" ("subject_type", "subject_id");`);

    this.addSql(
      `alter table "guild_channel" add constraint "guild_channel_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "guild_event" add constraint "guild_event_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "guild_member" add constraint "guild_member_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "outbox_message" add constraint "outbox_message_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "session" add constraint "session_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "registration_session" add constraint "registration_session_guild_id_foreign" foreign key ("guild_id") references "guild" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "registration_session" add constraint "registration_session_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete set null;`,
    );

    this.addSql(
      `alter table "proficiency" add constraint "proficiency_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "proficiency" add constraint "proficiency_aircraft_id_foreign" foreign key ("aircraft_id") references "aircraft" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "pilot_status" add constraint "pilot_status_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;`,
    );

    this.addSql(
      `alter table "mission" add constraint "mission_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id");`,
    );

    this.addSql(
      `alter table "package" add constraint "package_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "flight" add constraint "flight_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "flight" add constraint "flight_package_id_foreign" foreign key ("package_id") references "package" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "flight" add constraint "flight_aircraft_id_foreign" foreign key ("aircraft_id") references "aircraft" ("id");`,
    );

    this.addSql(
      `alter table "aircraft_slot" add constraint "aircraft_slot_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "aircraft_slot" add constraint "aircraft_slot_aircraft_id_foreign" foreign key ("aircraft_id") references "aircraft" ("id");`,
    );

    this.addSql(
      `alter table "idempotency_key" add constraint "idempotency_key_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "frag_order" add constraint "frag_order_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_flight_id_foreign" foreign key ("flight_id") references "flight" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "frag_order" add constraint "frag_order_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id");`,
    );

    this.addSql(
      `alter table "seat" add constraint "seat_flight_id_foreign" foreign key ("flight_id") references "flight" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat" add constraint "seat_pilot_id_foreign" foreign key ("pilot_id") references "app_user" ("id");`,
    );
    this.addSql(
      `alter table "seat" add constraint "seat_mission_id_foreign" foreign key ("mission_id") references "mission" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "seat" add constraint "seat_order_id_foreign" foreign key ("order_id") references "frag_order" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "discord_account" add constraint "discord_account_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "availability_template" add constraint "availability_template_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "availability_slot" add constraint "availability_slot_template_id_foreign" foreign key ("template_id") references "availability_template" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "availability_slot" add constraint "availability_slot_aircraft_id_foreign" foreign key ("aircraft_id") references "aircraft" ("id") on delete set null;`,
    );

    this.addSql(
      `alter table "availability_override" add constraint "availability_override_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "availability_override" add constraint "availability_override_aircraft_id_foreign" foreign key ("aircraft_id") references "aircraft" ("id") on delete set null;`,
    );

    this.addSql(
      `alter table "audit_entry" add constraint "audit_entry_actor_id_foreign" foreign key ("actor_id") references "app_user" ("id") on delete set null;`,
    );
  }
}
