import { Migration } from '@mikro-orm/migrations';

// The tables, by subject: read them from the top to learn what Marshal stores. The columns are explained in server/schema/.

/** Accounts, how they sign in, and who may not have one. */
const ACCOUNTS = `
-- An account: a pilot, an admin, or both.
create table app_user (
  id uuid primary key,
  email text not null,
  email_key text not null,
  email_verified_at timestamptz,
  display_name text,
  look text,
  time_zone text not null default 'UTC',
  roles text[] not null default '{user}',
  approval text,
  approval_since timestamptz,
  password_hash text,
  second_factor_at timestamptz,
  wants_global_events boolean not null default false,
  notify_orders boolean not null default true,
  notify_changes boolean not null default true,
  email_orders boolean not null default true,
  email_changes boolean not null default true,
  email_requests boolean not null default true,
  email_digest boolean not null default false,
  digested_on date,
  reminder_minutes smallint[] not null default '{1440,60}',
  reminders_set_at timestamptz,
  remind_by_discord boolean not null default true,
  remind_by_push boolean not null default true,
  remind_by_email boolean not null default true,
  inbox_read_at timestamptz,
  deletion_due_at timestamptz,
  roles_before_deletion text[],
  erased_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint app_user_email_key_unique unique (email_key),
  constraint app_user_approval_known check (approval in ('waiting', 'declined')),
  constraint app_user_approval_no_pilot
    check (approval is null or (approval_since is not null and (not (roles @> array['user'])))),
  constraint app_user_erased_is_nobody
    check (erased_at is null or (deletion_due_at is null and roles_before_deletion is null and approval is null
      and password_hash is null)),
  constraint app_user_leaving_without_roles
    check ((deletion_due_at is null and erased_at is null) or (roles = '{}'::text[])),
  constraint app_user_placeholder_is_own
    check ((email_key !~ '[@.]discord[.]invalid$') or (email_key = (id::text || '@discord.invalid'))),
  constraint app_user_reminder_minutes_known
    check ((reminder_minutes <@ array[2880::smallint, 1440::smallint, 180::smallint, 60::smallint, 15::smallint])
      and (cardinality(reminder_minutes) <= 4)),
  constraint app_user_roles_known check (roles <@ array['admin', 'user'])
);
create index app_user_approval_idx on app_user (approval) where erased_at is null;
create index app_user_created_at_idx on app_user (created_at, id);
create index app_user_deletion_due_idx on app_user (deletion_due_at)
  where deletion_due_at is not null and erased_at is null;
create index app_user_email_desc_idx
  on app_user ((case when email not like '%@discord.invalid' then email_key else null end) desc nulls last,
    created_at, id) where erased_at is null;
create index app_user_email_idx
  on app_user ((case when email not like '%@discord.invalid' then email_key else null end), created_at,
    id) where erased_at is null;
create index app_user_look_idx on app_user (look, created_at) where display_name is not null and erased_at is null;
create index app_user_name_desc_idx on app_user (display_name collate "und-x-icu" desc nulls last, created_at, id)
  where erased_at is null;
create index app_user_name_idx on app_user (display_name collate "und-x-icu", created_at, id) where erased_at is null;
create index app_user_no_pilot_idx on app_user (id) where not ('user' = any (roles));

-- A signed-in browser.
create table session (
  id text primary key,
  user_id uuid not null,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  is_new boolean not null default false,
  is_by_device boolean not null default false,
  constraint session_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index session_expires_at_idx on session (expires_at);
create index session_user_idx on session (user_id);

-- A script's key to an account.
create table personal_access_token (
  id uuid primary key,
  user_id uuid not null,
  name text not null,
  token_hash text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  constraint personal_access_token_token_hash_unique unique (token_hash),
  constraint personal_access_token_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint personal_access_token_scopes_known
    check ((cardinality(scopes) > 0) and (scopes <@ array['read', 'pilot', 'admin']))
);
create index personal_access_token_user_idx on personal_access_token (user_id);

-- A one-time link that signs in to an account, or sets its password.
create table sign_in_link (
  token_hash text primary key,
  user_id uuid not null,
  purpose text not null default 'sign_in',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint sign_in_link_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint sign_in_link_purpose_known check (purpose in ('sign_in', 'set_password'))
);
create index sign_in_link_user_idx on sign_in_link (user_id);

-- When an account was last seen: written often, and while other rows of the account are locked.
create table last_seen (
  user_id uuid primary key,
  seen_at timestamptz not null,
  constraint last_seen_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade
);
create index last_seen_seen_at_idx on last_seen (seen_at);

-- Whether a pilot can fly now, as usual, or not at all.
create table pilot_status (
  user_id uuid primary key,
  state text not null,
  minutes smallint,
  expires_at timestamptz,
  updated_at timestamptz not null,
  constraint pilot_status_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade,
  constraint pilot_status_now_ends
    check (((state = 'now') = (minutes is not null)) and ((state = 'now') = (expires_at is not null))),
  constraint pilot_status_state_known check (state in ('available', 'dnd', 'now'))
);

-- The authenticator app of an account; it counts once a code of it has confirmed it.
create table authenticator (
  user_id uuid primary key,
  sealed_key text not null,
  confirmed_at timestamptz,
  last_step integer not null default 0,
  created_at timestamptz not null,
  constraint authenticator_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade
);

-- A passkey or security key (WebAuthn).
create table passkey (
  id uuid primary key,
  user_id uuid not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  is_syncable boolean not null,
  is_backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkey_credential_id_unique unique (credential_id),
  constraint passkey_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint passkey_counter_range check (counter >= 0)
);
create index passkey_user_idx on passkey (user_id);

-- An unused recovery code.
create table recovery_code (
  code_hash text primary key,
  user_id uuid not null,
  created_at timestamptz not null,
  constraint recovery_code_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index recovery_code_user_idx on recovery_code (user_id);

-- A browser that needs no second factor for an account.
create table remembered_device (
  id uuid primary key,
  user_id uuid not null,
  token_hash text not null,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint remembered_device_token_hash_unique unique (token_hash),
  constraint remembered_device_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index remembered_device_user_idx on remembered_device (user_id);

-- A sign-in whose first step has succeeded; the second factor turns it into a session.
create table pending_sign_in (
  token_hash text primary key,
  user_id uuid not null,
  way text not null,
  password_mark text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint pending_sign_in_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint pending_sign_in_way_known check (way in ('password', 'registration', 'link', 'password_link', 'discord'))
);
create index pending_sign_in_user_idx on pending_sign_in (user_id);

-- The open question to a passkey; answering deletes it, right or wrong.
create table passkey_challenge (
  holder text primary key,
  user_id uuid not null,
  challenge text not null,
  expires_at timestamptz not null,
  constraint passkey_challenge_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index passkey_challenge_user_idx on passkey_challenge (user_id);

-- Somebody who may not have an account, by keyed hashes that outlive the account.
create table ban (
  id uuid primary key,
  email_hash text,
  discord_hash text,
  label text not null,
  reason text not null,
  user_id uuid,
  created_by_id uuid,
  created_at timestamptz not null,
  constraint ban_discord_hash_unique unique (discord_hash),
  constraint ban_email_hash_unique unique (email_hash),
  constraint ban_created_by_id_foreign foreign key (created_by_id) references app_user(id) on delete set null,
  constraint ban_user_id_foreign foreign key (user_id) references app_user(id) on delete set null,
  constraint ban_of_somebody check (email_hash is not null or discord_hash is not null)
);
create index ban_user_idx on ban (user_id);
`;

/** The community, and how people join it. */
const COMMUNITY = `
-- The settings of the community: one row, written with the first change.
create table community (
  id smallint primary key,
  name text,
  registration text not null default 'open',
  start_dismissed_at timestamptz,
  updated_at timestamptz not null,
  constraint community_one_row check (id = 1),
  constraint community_registration_known check (registration in ('open', 'invite', 'approval'))
);

-- A message of an admin to all pilots who want community news.
create table community_message (
  id uuid primary key,
  text text not null,
  recipients integer not null,
  pushed_at timestamptz,
  created_by_id uuid,
  created_at timestamptz not null,
  constraint community_message_created_by_id_foreign
    foreign key (created_by_id) references app_user(id) on delete set null
);
create index community_message_created_idx on community_message (created_at);

-- A link by which people can register; its token is signed and not stored.
create table invite (
  id uuid primary key,
  name text not null,
  role text not null,
  with_approval boolean not null,
  max_uses integer,
  uses integer not null default 0,
  expires_at timestamptz,
  revoked_at timestamptz,
  time_zone text,
  aircraft_ids smallint[] not null,
  created_by_id uuid,
  created_at timestamptz not null,
  constraint invite_created_by_id_foreign foreign key (created_by_id) references app_user(id) on delete set null,
  constraint invite_role_known check (role in ('admin', 'user')),
  constraint invite_uses_limited check (uses >= 0 and (max_uses is null or uses <= max_uses))
);

-- An account that joined by an invite.
create table invite_use (
  user_id uuid primary key,
  invite_id uuid not null,
  joined_at timestamptz not null,
  constraint invite_use_invite_id_foreign foreign key (invite_id) references invite(id) on delete cascade,
  constraint invite_use_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade
);
create index invite_use_invite_idx on invite_use (invite_id);

-- A visitor's request for a slot.
create table slot_request (
  id uuid primary key,
  handle text not null,
  email text not null,
  email_key text not null,
  module text not null,
  level text not null,
  slot text not null,
  notes text,
  invite_id uuid,
  created_at timestamptz not null,
  constraint slot_request_email_key_unique unique (email_key),
  constraint slot_request_invite_id_foreign foreign key (invite_id) references invite(id) on delete set null,
  constraint slot_request_level_known check (level in ('basic', 'learning', 'proficient', 'expert'))
);
create index slot_request_invite_idx on slot_request (invite_id);
`;

/** What pilots can fly, and when: dates and wall times are in their own zone. */
const AVAILABILITY = `
-- A type of aircraft.
create table aircraft (
  id smallint primary key,
  code text not null,
  name text not null,
  seats smallint not null,
  roles text[] not null,
  active boolean not null default true
);
create unique index aircraft_code_key on aircraft (lower(code));
create unique index aircraft_name_key on aircraft (lower(name));

-- How well a pilot flies a type.
create table proficiency (
  user_id uuid not null,
  aircraft_id smallint not null,
  level text not null,
  set_by_admin boolean not null default false,
  updated_at timestamptz not null,
  primary key (user_id, aircraft_id),
  constraint proficiency_aircraft_id_foreign
    foreign key (aircraft_id) references aircraft(id) on update cascade on delete cascade,
  constraint proficiency_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade,
  constraint proficiency_level_known check (level in ('basic', 'learning', 'proficient', 'expert'))
);

-- The week of a pilot.
create table availability_template (
  id uuid primary key,
  user_id uuid not null,
  name text not null,
  is_active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint availability_template_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create unique index availability_template_one_active on availability_template (user_id) where is_active;
create index availability_template_user_idx on availability_template (user_id);

-- A time of that week.
create table availability_slot (
  id uuid primary key,
  template_id uuid not null,
  weekday smallint not null,
  start_local text not null,
  end_local text not null,
  aircraft_id smallint,
  notes text,
  constraint availability_slot_aircraft_id_foreign
    foreign key (aircraft_id) references aircraft(id) on delete set null,
  constraint availability_slot_template_id_foreign
    foreign key (template_id) references availability_template(id) on delete cascade,
  constraint availability_slot_wall_times
    check ((start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$') and (end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
      and start_local <> end_local),
  constraint availability_slot_weekday_range check (weekday >= 0 and weekday <= 6)
);
create index availability_slot_template_idx on availability_slot (template_id);

-- A date on which the week does not hold.
create table availability_override (
  id uuid primary key,
  user_id uuid not null,
  date_local date not null,
  kind text not null,
  start_local text not null,
  end_local text not null,
  aircraft_id smallint,
  notes text,
  created_at timestamptz not null,
  constraint availability_override_aircraft_id_foreign
    foreign key (aircraft_id) references aircraft(id) on delete set null,
  constraint availability_override_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint availability_override_kind_known check (kind in ('available', 'unavailable')),
  constraint availability_override_wall_times
    check ((start_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$') and (end_local ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
      and (start_local <> end_local or (start_local = '00:00')))
);
create index availability_override_user_date_idx on availability_override (user_id, date_local);

-- Dates on which a pilot is never asked to fly.
create table leave (
  user_id uuid primary key,
  first_date date not null,
  last_date date not null,
  reason text,
  updated_at timestamptz not null,
  constraint leave_user_id_foreign foreign key (user_id) references app_user(id) on update cascade on delete cascade,
  constraint leave_dates_in_order check (first_date <= last_date)
);

-- A pilot whose times may have changed: triggers write these rows, and each process reads those pilots again.
create table roster_change (
  id bigserial primary key,
  user_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index roster_change_age_idx on roster_change (changed_at);
create index roster_change_xid_idx on roster_change (xid);
`;

/** Missions, what they are made from, and their files. */
const MISSIONS = `
-- A mission.
create table mission (
  id uuid primary key,
  name text not null,
  theater text not null,
  status text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  start_set_at timestamptz not null default now(),
  time_zone text not null,
  notes text,
  links jsonb,
  is_practice boolean not null default false,
  guild_ids text[],
  secret_sides boolean,
  week_id uuid,
  news_pushed_at timestamptz,
  created_by_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mission_created_by_id_foreign foreign key (created_by_id) references app_user(id),
  constraint mission_has_length check (ends_at > starts_at and (ends_at <= (starts_at + '24:00:00'::interval))),
  constraint mission_status_stored check (status in ('draft', 'scheduled', 'cancelled')),
  constraint mission_theater_known
    check (theater in ('Caucasus', 'Nevada', 'Normandy', 'Persian Gulf', 'Syria', 'Mariana Islands',
      'South Atlantic', 'Sinai', 'Kola'))
);
create index mission_starts_at_idx on mission (starts_at, id);
create index mission_week_idx on mission (week_id);

-- Aircraft that a mission was planned with.
create table aircraft_slot (
  mission_id uuid not null,
  sort_order smallint not null,
  aircraft_id smallint not null,
  slot_count smallint not null,
  role text not null,
  side smallint not null,
  additional_notes text,
  primary key (mission_id, sort_order),
  constraint aircraft_slot_aircraft_id_foreign foreign key (aircraft_id) references aircraft(id),
  constraint aircraft_slot_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint aircraft_slot_count_range check (slot_count >= 1 and slot_count <= 64),
  constraint aircraft_slot_role_known
    check (role in ('Training', 'CAP', 'Strike', 'CAS', 'DEAD', 'SEAD', 'Intercept', 'Recon', 'Tanker', 'AWACS',
      'EW')),
  constraint aircraft_slot_side_known check (side >= 0 and side <= 1)
);

-- Flights of a side and a group of roles.
create table package (
  id uuid primary key,
  mission_id uuid not null,
  callsign text not null,
  objective text not null,
  own_objective text,
  side smallint not null,
  launch_at timestamptz,
  tot_at timestamptz,
  notes text,
  sort_order smallint not null,
  constraint package_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint package_side_known check (side >= 0 and side <= 1)
);
create index package_mission_idx on package (mission_id);

-- Up to four seats in aircraft of a type.
create table flight (
  id uuid primary key,
  mission_id uuid not null,
  package_id uuid not null,
  slot_index smallint not null,
  callsign text not null,
  aircraft_id smallint not null,
  role text not null,
  side smallint not null,
  launch_at timestamptz,
  tot_at timestamptz,
  launch_minutes smallint,
  tot_minutes smallint,
  radio_freq text,
  size_cap smallint not null,
  notes text,
  sort_order smallint not null,
  constraint flight_callsign_in_mission unique (mission_id, callsign),
  constraint flight_aircraft_id_foreign foreign key (aircraft_id) references aircraft(id),
  constraint flight_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint flight_package_id_foreign foreign key (package_id) references package(id) on delete cascade,
  constraint flight_role_known
    check (role in ('Training', 'CAP', 'Strike', 'CAS', 'DEAD', 'SEAD', 'Intercept', 'Recon', 'Tanker', 'AWACS',
      'EW')),
  constraint flight_side_known check (side >= 0 and side <= 1),
  constraint flight_size_cap_range check (size_cap >= 1 and size_cap <= 4)
);
create index flight_launch_at_idx on flight (launch_at);
create index flight_package_idx on flight (package_id);

-- A mission without a date, kept to create others from.
create table mission_template (
  id uuid primary key,
  name text not null,
  theater text not null,
  seats smallint not null,
  content jsonb not null,
  created_by_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mission_template_created_by_id_foreign foreign key (created_by_id) references app_user(id),
  constraint mission_template_theater_known
    check (theater in ('Caucasus', 'Nevada', 'Normandy', 'Persian Gulf', 'Syria', 'Mariana Islands',
      'South Atlantic', 'Sinai', 'Kola'))
);
create unique index mission_template_name_key on mission_template (lower(name));

-- A mission that comes back each week, or every few weeks.
create table mission_series (
  id uuid primary key,
  content jsonb not null,
  weekdays smallint[] not null,
  every_weeks smallint not null,
  first_date date not null,
  last_date date,
  horizon_weeks smallint not null,
  publish_days smallint,
  revision integer not null,
  paused_at timestamptz,
  ended_at timestamptz,
  created_by_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint mission_series_created_by_id_foreign foreign key (created_by_id) references app_user(id),
  constraint mission_series_every_weeks_range check (every_weeks >= 1 and every_weeks <= 8),
  constraint mission_series_horizon_range check (horizon_weeks >= 1 and horizon_weeks <= 12),
  constraint mission_series_publish_days_range check (publish_days >= 0 and publish_days <= 14),
  constraint mission_series_weekdays_known check (weekdays <@ '{0,1,2,3,4,5,6}'::smallint[])
);

-- A date of a series: its mission, or why it has none.
create table series_occurrence (
  series_id uuid not null,
  date_local date not null,
  mission_id uuid,
  is_skipped boolean not null default false,
  is_own boolean not null default false,
  revision integer not null,
  problem text,
  tried_at timestamptz,
  primary key (series_id, date_local),
  constraint series_occurrence_mission_id_unique unique (mission_id),
  constraint series_occurrence_mission_id_foreign foreign key (mission_id) references mission(id) on delete set null,
  constraint series_occurrence_series_id_foreign
    foreign key (series_id) references mission_series(id) on delete cascade
);

-- The bytes of a mission file, stored once however often it is sent.
create table mission_file_content (
  sha256 text primary key,
  size_bytes integer not null,
  found jsonb not null,
  created_at timestamptz not null
);

-- A part of them.
create table mission_file_chunk (
  content_sha256 text not null,
  sort_order smallint not null,
  bytes bytea not null,
  primary key (content_sha256, sort_order),
  constraint mission_file_chunk_content_sha256_foreign
    foreign key (content_sha256) references mission_file_content(sha256) on delete cascade
);

-- A file that an admin sent: waiting for its mission for a day, or a version of the file of a mission.
create table mission_file (
  id uuid primary key,
  content_sha256 text not null,
  name text not null,
  uploaded_by_id uuid,
  mission_id uuid,
  version smallint,
  created_at timestamptz not null,
  constraint mission_file_version unique (mission_id, version),
  constraint mission_file_content_sha256_foreign foreign key (content_sha256) references mission_file_content(sha256),
  constraint mission_file_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint mission_file_uploaded_by_id_foreign
    foreign key (uploaded_by_id) references app_user(id) on delete set null,
  constraint mission_file_has_version check ((mission_id is null) = (version is null))
);
create index mission_file_content_idx on mission_file (content_sha256);
create index mission_file_uploaded_by_idx on mission_file (uploaded_by_id);

-- The unit of the mission's file that a seat is.
create table mission_file_seat (
  flight_id uuid not null,
  seat_index smallint not null,
  mission_id uuid not null,
  group_id integer not null,
  unit_id integer not null,
  station smallint not null default 1,
  primary key (flight_id, seat_index),
  constraint mission_file_seat_flight_id_foreign foreign key (flight_id) references flight(id) on delete cascade,
  constraint mission_file_seat_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade
);
create index mission_file_seat_mission_idx on mission_file_seat (mission_id);
`;

/** Who was asked, who answered, and who holds which seat. */
const ORDERS = `
-- A pilot asked to fly a seat, with the answer.
create table frag_order (
  id uuid primary key,
  seq serial,
  mission_id uuid not null,
  flight_id uuid not null,
  seat_index smallint not null,
  pilot_id uuid not null,
  status text not null,
  status_reason text,
  rsvp text not null,
  is_shared_offer boolean not null default false,
  reasons text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  read_at timestamptz,
  answered_at timestamptz,
  accepted_at timestamptz,
  confirmed_at timestamptz,
  gave_up_at timestamptz,
  is_late boolean not null default false,
  changes jsonb,
  changed_at timestamptz,
  attendance text,
  notice_closed_at timestamptz,
  created_at timestamptz not null,
  constraint frag_order_seq_unique unique (seq),
  constraint frag_order_flight_id_foreign foreign key (flight_id) references flight(id) on delete cascade,
  constraint frag_order_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint frag_order_pilot_id_foreign foreign key (pilot_id) references app_user(id),
  constraint frag_order_attendance_known
    check (attendance is null or attendance in ('attended', 'no_show', 'excused')),
  constraint frag_order_confirmed_acceptance
    check (confirmed_at is null or (rsvp = 'accepted' and accepted_at is not null and confirmed_at >= accepted_at)),
  constraint frag_order_gave_up_seat check (gave_up_at is null or rsvp in ('standby', 'declined')),
  constraint frag_order_reason_of_cancelled
    check (((status = 'cancelled') = (status_reason is not null)) and (status_reason is null
      or status_reason in ('expired', 'mission cancelled', 'superseded'))),
  constraint frag_order_rsvp_known check (rsvp in ('pending', 'accepted', 'standby', 'declined')),
  constraint frag_order_seat_index check (seat_index >= 0 and seat_index <= 3),
  constraint frag_order_status_known check (status in ('draft', 'issued', 'cancelled'))
);
create index frag_order_flight_idx on frag_order (flight_id);
create index frag_order_mission_idx on frag_order (mission_id, pilot_id);
create unique index frag_order_one_live on frag_order (mission_id, pilot_id)
  where status = 'issued' and rsvp <> 'declined';
create index frag_order_outcome_idx on frag_order (pilot_id) include (mission_id, attendance, is_late)
  where attendance is not null or is_late;
create index frag_order_pending_idx on frag_order (expires_at) where status = 'issued' and rsvp = 'pending';
create index frag_order_pilot_idx on frag_order (pilot_id, issued_at);

-- A seat that a pending or accepted order holds. It repeats the times of the mission, so that no pilot can hold two that overlap.
create table seat (
  flight_id uuid not null,
  seat_index smallint not null,
  pilot_id uuid not null,
  mission_id uuid not null,
  order_id uuid not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (flight_id, seat_index),
  constraint seat_one_per_mission unique (mission_id, pilot_id),
  constraint seat_order_id_unique unique (order_id),
  constraint seat_flight_id_foreign foreign key (flight_id) references flight(id) on delete cascade,
  constraint seat_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint seat_order_id_foreign foreign key (order_id) references frag_order(id) on delete cascade,
  constraint seat_pilot_id_foreign foreign key (pilot_id) references app_user(id),
  constraint seat_has_length check (ends_at > starts_at),
  constraint seat_index_range check (seat_index >= 0 and seat_index <= 3),
  constraint seat_no_overlap exclude using gist (pilot_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index seat_ends_at_idx on seat (ends_at, starts_at);

-- A pilot who could have flown a mission; fairness is computed from these rows and the orders.
create table willing_pilot (
  mission_id uuid not null,
  pilot_id uuid not null,
  primary key (mission_id, pilot_id),
  constraint willing_pilot_mission_id_foreign
    foreign key (mission_id) references mission(id) on update cascade on delete cascade,
  constraint willing_pilot_pilot_id_foreign
    foreign key (pilot_id) references app_user(id) on update cascade on delete cascade
);
create index willing_pilot_pilot_idx on willing_pilot (pilot_id);

-- A proposal of two pilots to change seats.
create table seat_swap (
  id uuid primary key,
  mission_id uuid not null,
  order_id uuid not null,
  with_order_id uuid not null,
  flight_id uuid not null,
  seat_index smallint not null,
  with_flight_id uuid not null,
  with_seat_index smallint not null,
  state text not null,
  expires_at timestamptz not null,
  answered_at timestamptz,
  created_at timestamptz not null,
  constraint seat_swap_flight_id_foreign foreign key (flight_id) references flight(id) on delete cascade,
  constraint seat_swap_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint seat_swap_order_id_foreign foreign key (order_id) references frag_order(id) on delete cascade,
  constraint seat_swap_with_flight_id_foreign foreign key (with_flight_id) references flight(id) on delete cascade,
  constraint seat_swap_with_order_id_foreign foreign key (with_order_id) references frag_order(id) on delete cascade,
  constraint seat_swap_state_known check (state in ('proposed', 'agreed', 'declined', 'withdrawn', 'lapsed')),
  constraint seat_swap_two_orders check (order_id <> with_order_id)
);
create index seat_swap_mission_idx on seat_swap (mission_id);
create unique index seat_swap_one_open on seat_swap (order_id) where state = 'proposed';
create index seat_swap_with_order_idx on seat_swap (with_order_id);

-- A reminder that was due; no other process sends it again.
create table reminder (
  id uuid primary key,
  order_id uuid not null,
  mission_id uuid not null,
  pilot_id uuid not null,
  starts_at timestamptz not null,
  lead_minutes smallint not null,
  asks boolean not null,
  channels text[],
  created_at timestamptz not null,
  constraint reminder_once unique (mission_id, pilot_id, starts_at, lead_minutes),
  constraint reminder_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint reminder_order_id_foreign foreign key (order_id) references frag_order(id) on delete cascade,
  constraint reminder_pilot_id_foreign foreign key (pilot_id) references app_user(id) on delete cascade
);
create index reminder_order_idx on reminder (order_id);
create index reminder_pilot_idx on reminder (pilot_id);

-- A warning of too few pilots that was due.
create table turnout_warning (
  id uuid primary key,
  mission_id uuid not null,
  starts_at timestamptz not null,
  stage text not null,
  probability double precision not null,
  seats smallint not null,
  accepted smallint not null,
  enough smallint not null,
  recipient_id uuid,
  channels text[] not null,
  created_at timestamptz not null,
  constraint turnout_warning_once unique (mission_id, starts_at, stage),
  constraint turnout_warning_mission_id_foreign foreign key (mission_id) references mission(id) on delete cascade,
  constraint turnout_warning_recipient_id_foreign
    foreign key (recipient_id) references app_user(id) on delete set null,
  constraint turnout_warning_stage_known check (stage in ('7 days', '48 hours', '24 hours'))
);
create index turnout_warning_recipient_idx on turnout_warning (recipient_id);
`;

/** Discord as the bot last saw it, and what Marshal shows there. */
const DISCORD = `
-- A Discord server that has the bot.
create table guild (
  id text primary key,
  name text not null,
  icon_url text,
  status text not null,
  member_count integer,
  default_splash_channel_id text,
  installed_at timestamptz not null,
  last_seen_at timestamptz not null,
  accepted_at timestamptz,
  disabled_at timestamptz,
  can_create_events boolean not null default false,
  can_create_threads boolean not null default false,
  missions_channel_id text,
  missions_role_id text,
  has_mission_events boolean not null default true,
  has_mission_threads boolean not null default false,
  roles jsonb not null default '[]',
  locale text,
  constraint guild_status_known check (status in ('active', 'disabled', 'unavailable'))
);

-- The Discord account of a pilot.
create table discord_account (
  discord_user_id text primary key,
  user_id uuid not null,
  username text not null,
  linked_at timestamptz not null,
  wants_orders boolean not null default true,
  dm_channel_id text,
  dm_closed_at timestamptz,
  locale text,
  constraint discord_account_user_id_unique unique (user_id),
  constraint discord_account_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);

-- A member of a server.
create table guild_member (
  guild_id text not null,
  discord_user_id text not null,
  discord_username text not null,
  is_bot boolean not null default false,
  is_moderator boolean not null default false,
  joined_at timestamptz,
  left_at timestamptz,
  updated_at timestamptz not null,
  primary key (guild_id, discord_user_id),
  constraint guild_member_guild_id_foreign foreign key (guild_id) references guild(id) on delete cascade
);
create index guild_member_discord_user_idx on guild_member (discord_user_id);

-- A channel of a server.
create table guild_channel (
  id text primary key,
  guild_id text not null,
  name text not null,
  type text not null,
  topic text,
  position integer not null default 0,
  is_nsfw boolean not null default false,
  is_postable boolean not null default false,
  can_send_messages boolean not null default false,
  can_embed_links boolean not null default false,
  updated_at timestamptz not null,
  constraint guild_channel_guild_id_foreign foreign key (guild_id) references guild(id) on delete cascade,
  constraint guild_channel_type_known check (type in ('text', 'announcement', 'thread', 'forum', 'other'))
);
create index guild_channel_guild_idx on guild_channel (guild_id);

-- A mission's scheduled event.
create table guild_event (
  id uuid primary key,
  guild_id text not null,
  event_type text not null,
  event_data text,
  error_message text,
  occurred_at timestamptz not null,
  constraint guild_event_guild_id_foreign foreign key (guild_id) references guild(id) on delete cascade
);
create index guild_event_recent_idx on guild_event (guild_id, occurred_at);

-- A personal link from Discord to the registration page.
create table registration_session (
  token_hash text primary key,
  guild_id text not null,
  discord_user_id text not null,
  discord_username text not null,
  locale text,
  campaign_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  user_id uuid,
  constraint registration_session_guild_id_foreign foreign key (guild_id) references guild(id) on delete cascade,
  constraint registration_session_user_id_foreign foreign key (user_id) references app_user(id) on delete set null
);
create index registration_session_discord_user_idx on registration_session (discord_user_id);

-- The process that runs the bot; the others stand by.
create table bot_lease (
  name text primary key,
  holder text not null,
  beat_at timestamptz not null,
  expires_at timestamptz not null,
  connected_at timestamptz,
  disconnected_at timestamptz,
  has_members_intent boolean,
  bot_user_id text,
  bot_name text,
  problem text
);

-- A message, scheduled event or thread: where it is, and what it shows.
create table discord_post (
  id uuid primary key,
  kind text not null,
  dedupe_key text not null,
  guild_id text,
  channel_id text,
  discord_user_id text,
  subject_id text,
  payload jsonb not null,
  first_tried_at timestamptz,
  called_at timestamptz,
  message_id text,
  shown text,
  posting smallint not null default 0,
  removed_at timestamptz,
  thread jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint discord_post_guild_id_foreign foreign key (guild_id) references guild(id) on delete cascade,
  constraint discord_post_kind_known
    check (kind in ('registration', 'order', 'mention', 'news', 'event', 'reminder', 'card', 'welcome', 'turnout',
      'week', 'community', 'thread'))
);
create unique index discord_post_one_kept on discord_post (dedupe_key)
  where kind in ('order', 'event', 'news', 'reminder', 'card', 'week', 'community', 'thread');
create index discord_post_subject_idx on discord_post (subject_id);
`;

/** What is sent, and to where. */
const DELIVERY = `
-- A pilot's secret calendar link.
create table calendar_feed (
  user_id uuid primary key,
  token_hash text not null,
  created_at timestamptz not null,
  constraint calendar_feed_token_hash_unique unique (token_hash),
  constraint calendar_feed_user_id_foreign
    foreign key (user_id) references app_user(id) on update cascade on delete cascade
);

-- A browser's subscription at its push service.
create table push_subscription (
  id uuid primary key,
  user_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  user_agent text,
  created_at timestamptz not null,
  constraint push_subscription_endpoint_unique unique (endpoint),
  constraint push_subscription_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index push_subscription_user_idx on push_subscription (user_id);

-- An address without an account whose owner wants no more invites.
create table mail_opt_out (
  address_hash text primary key,
  created_at timestamptz not null
);

-- An address that an admin registered for events.
create table webhook (
  id uuid primary key,
  url text not null,
  description text,
  events text[] not null,
  is_enabled boolean not null default true,
  listens_since timestamptz not null,
  disabled_reason text,
  failing_since timestamptz,
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  created_by_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint webhook_created_by_id_foreign foreign key (created_by_id) references app_user(id) on delete set null
);

-- An event that at least one webhook wants.
create table webhook_event (
  id uuid primary key,
  type text not null,
  stream text not null,
  dedupe_key text,
  data jsonb not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  constraint webhook_event_dedupe_key_unique unique (dedupe_key),
  constraint webhook_event_type_known
    check (type in ('order.issued', 'order.answered', 'order.expired', 'mission.published', 'mission.changed',
      'mission.filled', 'mission.short', 'mission.cancelled', 'mission.completed', 'pilot.registered',
      'webhook.test'))
);
create index webhook_event_created_at_idx on webhook_event (created_at);

-- An email, a notification, an event for a webhook, or a change of a post in Discord.
create table delivery (
  id uuid primary key,
  channel text not null,
  kind text not null,
  user_id uuid,
  device_id uuid,
  webhook_id uuid,
  event_id uuid,
  post_id uuid,
  stream text,
  seq bigserial,
  is_replay boolean not null default false,
  address text,
  subject_id text,
  topic text,
  dedupe_key text,
  state text not null default 'queued',
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  deadline_at timestamptz,
  response_status smallint,
  error_message text,
  sent_at timestamptz,
  created_at timestamptz not null,
  constraint delivery_seq_unique unique (seq),
  constraint delivery_device_id_foreign foreign key (device_id) references push_subscription(id) on delete set null,
  constraint delivery_event_id_foreign foreign key (event_id) references webhook_event(id) on delete cascade,
  constraint delivery_post_id_foreign foreign key (post_id) references discord_post(id) on delete cascade,
  constraint delivery_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade,
  constraint delivery_webhook_id_foreign foreign key (webhook_id) references webhook(id) on delete cascade,
  constraint delivery_channel_known check (channel in ('mail', 'push', 'webhook', 'discord')),
  constraint delivery_kind_known
    check (kind in ('password', 'welcome', 'verification', 'test', 'invite', 'order', 'reminder', 'request',
      'digest', 'turnout', 'security', 'news', 'message', 'order.issued', 'order.answered', 'order.expired',
      'mission.published', 'mission.changed', 'mission.filled', 'mission.short', 'mission.cancelled',
      'mission.completed', 'pilot.registered', 'webhook.test', 'registration', 'mention', 'event', 'card', 'week',
      'community', 'thread')),
  constraint delivery_post_complete check ((post_id is not null) = (channel = 'discord')),
  constraint delivery_state_known check (state in ('queued', 'sending', 'sent', 'failed', 'uncertain', 'dropped')),
  constraint delivery_webhook_complete
    check (num_nonnulls(webhook_id, event_id, stream) = case channel when 'webhook' then 3 else 0 end)
);
create index delivery_device_idx on delivery (device_id);
create index delivery_event_idx on delivery (event_id) where event_id is not null;
create unique index delivery_one_queued on delivery (dedupe_key) where state = 'queued';
create index delivery_post_idx on delivery (post_id, seq) where post_id is not null;
create index delivery_recent_idx on delivery (state, created_at);
create index delivery_stream_idx on delivery (webhook_id, stream, seq)
  where state in ('queued', 'sending') and webhook_id is not null;
create index delivery_subject_idx on delivery (subject_id);
create index delivery_user_idx on delivery (user_id);
create index delivery_waiting_idx on delivery (next_attempt_at) where state in ('queued', 'sending');
create index delivery_webhook_idx on delivery (webhook_id, seq) where webhook_id is not null;
`;

/** How the server keeps itself in order. */
const OPERATIONS = `
-- The answer to a call that its sender may repeat.
create table idempotency_key (
  user_id uuid not null,
  key text not null,
  request_hash text not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (user_id, key),
  constraint idempotency_key_user_id_foreign foreign key (user_id) references app_user(id) on delete cascade
);
create index idempotency_key_created_at_idx on idempotency_key (created_at);

-- Counted attempts, of sign-ins and others, for each bucket and minute.
create table attempt (
  bucket text not null,
  minute timestamptz not null,
  count integer not null,
  primary key (bucket, minute)
);

-- A step of a job that failed when it last ran.
create table failing_step (
  job text not null,
  step text not null,
  since timestamptz not null,
  primary key (job, step)
);

-- Who changed what.
create table audit_entry (
  id uuid primary key,
  actor_id uuid,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  detail jsonb not null,
  occurred_at timestamptz not null,
  constraint audit_entry_actor_id_foreign foreign key (actor_id) references app_user(id) on delete set null
);
create index audit_entry_action_idx on audit_entry (action, occurred_at);
create index audit_entry_actor_idx on audit_entry (actor_id);
create index audit_entry_kind_idx on audit_entry (action, subject_type);
create index audit_entry_recent_idx on audit_entry (occurred_at, id);
create index audit_entry_subject_id_idx on audit_entry (subject_id);
create index audit_entry_subject_idx on audit_entry (subject_type, subject_id);
create index audit_entry_words_idx
  on audit_entry using gin (jsonb_to_tsvector('simple'::regconfig, detail, '["string"]'::jsonb));

-- A generated secret of the installation, such as the key that signs notifications.
create table server_secret (
  name text primary key,
  value jsonb not null,
  created_at timestamptz not null
);
`;

/** Each process is told when somebody's access ends or changes. The ORM compares these functions with the entities, so their text is its own. */
const ACCESS = `
create function app_user_app_user_access_fn() returns trigger as $$ begin if (new.email, new.display_name, new.time_zone, new.roles, new.approval, new.password_hash, new.second_factor_at, new.deletion_due_at, new.created_at) is distinct from (old.email, old.display_name, old.time_zone, old.roles, old.approval, old.password_hash, old.second_factor_at, old.deletion_due_at, old.created_at) then perform pg_notify('marshal_access', ''); end if; return null; end; $$ language plpgsql;
create trigger app_user_access after update on app_user for each row execute function app_user_app_user_access_fn();

create function session_session_access_fn() returns trigger as $$ begin if old.expires_at > now() and (tg_op = 'DELETE' or new.expires_at < old.expires_at or new.user_id <> old.user_id or new.id <> old.id) then perform pg_notify('marshal_access', ''); end if; return null; end; $$ language plpgsql;
create trigger session_access after delete or update on session for each row execute function session_session_access_fn();

create function personal_access_token_personal_access_token_access_fn() returns trigger as $$ begin if tg_op = 'DELETE' or (new.user_id, new.token_hash, new.scopes, new.expires_at) is distinct from (old.user_id, old.token_hash, old.scopes, old.expires_at) then perform pg_notify('marshal_access', ''); end if; return null; end; $$ language plpgsql;
create trigger personal_access_token_access after delete or update on personal_access_token for each row execute function personal_access_token_personal_access_token_access_fn();

-- a new call sign is compared with the others again
create function app_user_app_user_look_fn() returns trigger as $$ begin if new.display_name is distinct from old.display_name then new.look := null; end if; return new; end; $$ language plpgsql;
create trigger app_user_look before update on app_user for each row execute function app_user_app_user_look_fn();
`;

/** Who has to be read again after a change: one trigger a statement, however many rows it changes. */
const ROSTER_CHANGES = `
create function note_roster_change() returns trigger language plpgsql as $$
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
end $$;

create function note_roster_slot_change() returns trigger language plpgsql as $$
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
end $$;

-- executed as text, and so planned each time: a plan that was made for a thousand orders would read all seats for one
create function note_roster_order_change() returns trigger language plpgsql as $$
begin
  execute 'insert into roster_change (user_id) select distinct s.pilot_id from after_rows as o join seat as s on s.order_id = o.id';
  return null;
end $$;

-- the answer and the expiry of orders that hold a seat; seats have triggers of their own
create trigger frag_order_roster_update after update on frag_order
  referencing old table as before_rows new table as after_rows
  for each statement execute function note_roster_order_change();
`;

/** Tables with a row for each pilot, and the column that says whose it is. */
const WATCHED = [
  ['app_user', "note_roster_change('id')"],
  ['pilot_status', "note_roster_change('user_id')"],
  ['proficiency', "note_roster_change('user_id')"],
  ['availability_template', "note_roster_change('user_id')"],
  ['availability_slot', 'note_roster_slot_change()'],
  ['availability_override', "note_roster_change('user_id')"],
  ['leave', "note_roster_change('user_id')"],
  ['seat', "note_roster_change('pilot_id')"],
] as const;

const EVENTS = {
  insert: 'new table as after_rows',
  update: 'old table as before_rows new table as after_rows',
  delete: 'old table as before_rows',
};

export class Migration20261130000000_first_release extends Migration {
  override name = 'Migration20261130000000_first_release';

  override up(): void {
    // ranges of times beside plain columns, in the constraint that keeps a pilot's seats apart
    this.addSql('create extension if not exists btree_gist;');
    for (const tables of [ACCOUNTS, COMMUNITY, AVAILABILITY, MISSIONS, ORDERS, DISCORD, DELIVERY, OPERATIONS]) {
      this.addSql(tables);
    }
    this.addSql(ACCESS);
    this.addSql(ROSTER_CHANGES);
    for (const [table, call] of WATCHED) {
      for (const [event, rows] of Object.entries(EVENTS)) {
        this.addSql(
          `create trigger ${table}_roster_${event} after ${event} on ${table} referencing ${rows} for each statement execute function ${call};`,
        );
      }
    }
  }
}
