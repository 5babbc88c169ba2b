/** Database constraints: forbidden states are refused without any application code. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { givenCrowd, type CrowdPilot } from '#tests/harness/crowd.ts';
import { givenAdmin, givenMission, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { startService, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
let pilots: CrowdPilot[];
let db: Client;
/** [0] and [1] overlap in time, [2] is on another day; two seats each */
let missions: { id: string; flightId: string }[];

beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
  pilots = await givenCrowd(service, 3);
  db = new Client({ connectionString: service.databaseUrl });
  await db.connect();
  missions = [];
  for (const start of [30, 31, 60]) {
    const { mission } = await givenMission(service, admin, {
      startLocal: hoursFromNow(start),
      endLocal: hoursFromNow(start + 3),
      aircraftSlots: [{ aircraftId: 2, slotCount: 2, side: 0, notes: 'CAP' }],
    });
    const { rows } = await db.query<{ id: string }>('select id from flight where mission_id = $1', [mission.id]);
    missions.push({ id: mission.id, flightId: rows[0]?.id ?? '' });
  }
});
afterAll(async () => {
  await db.end();
  await service.stop();
});
beforeEach(() => db.query('begin'));
afterEach(() => db.query('rollback'));

async function order(pilot: number, mission: number, { seat = 0, rsvp = 'accepted', status = 'issued' } = {}) {
  const id = randomUUID();
  await db.query(
    `insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, status_reason, rsvp, reasons,
       issued_at, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, '{}', now(), now() + interval '1 hour', now())`,
    [
      id,
      missions[mission]?.id,
      missions[mission]?.flightId,
      seat,
      pilots[pilot]?.id,
      status,
      status === 'cancelled' ? 'superseded' : null,
      rsvp,
    ],
  );
  return id;
}

const seat = (orderId: string) =>
  db.query(
    `insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
     select o.flight_id, o.seat_index, o.pilot_id, o.mission_id, o.id, m.starts_at, m.ends_at
     from frag_order o join mission m on m.id = o.mission_id where o.id = $1`,
    [orderId],
  );

/** The name of the constraint that refuses. */
async function refusedBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return Reflect.get(Object(error), 'constraint');
  }
  return 'nothing';
}

describe('the database refuses', () => {
  test('a second holder of a seat', async () => {
    await seat(await order(0, 0));
    const second = await order(1, 0);
    expect(await refusedBy(() => seat(second))).toBe('seat_pkey');
  });

  test('a second seat for a pilot in one mission', async () => {
    await seat(await order(0, 0, { status: 'cancelled' }));
    const second = await order(0, 0, { seat: 1 });
    expect(await refusedBy(() => seat(second))).toBe('seat_one_per_mission');
  });

  test('a seat in another mission that overlaps', async () => {
    await seat(await order(0, 0));
    await seat(await order(0, 2));
    const overlapping = await order(0, 1);
    expect(await refusedBy(() => seat(overlapping))).toBe('seat_no_overlap');
  });

  test('an order that holds two seats', async () => {
    const one = await order(0, 0);
    await seat(one);
    await db.query('update frag_order set seat_index = 1, pilot_id = $2 where id = $1', [one, pilots[1]?.id]);
    expect(await refusedBy(() => seat(one))).toBe('seat_order_id_unique');
  });

  test('a second live order of a pilot in one mission', async () => {
    await order(0, 0, { rsvp: 'declined' });
    await order(0, 0, { rsvp: 'standby' });
    expect(await refusedBy(() => order(0, 0, { seat: 1, rsvp: 'pending' }))).toBe('frag_order_one_live');
  });

  test('an order that is cancelled without a reason', async () => {
    const one = await order(0, 0);
    expect(await refusedBy(() => db.query(`update frag_order set status = 'cancelled' where id = $1`, [one]))).toBe(
      'frag_order_reason_of_cancelled',
    );
  });

  test('a second active template of a pilot', async () => {
    const template = () =>
      db.query(
        `insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
         values ($1, $2, 'Week', true, now(), now())`,
        [randomUUID(), pilots[0]?.id],
      );
    await template();
    expect(await refusedBy(template)).toBe('availability_template_one_active');
  });

  test('a second account of an address', async () => {
    const account = () =>
      db.query(
        `insert into app_user (id, email, email_key, created_at, updated_at) values ($1, 'a@b.co', 'a@b.co', now(), now())`,
        [randomUUID()],
      );
    await account();
    expect(await refusedBy(account)).toBe('app_user_email_key_unique');
  });

  test('an unknown role', async () => {
    const change = () => db.query(`update app_user set roles = '{owner}' where id = $1`, [pilots[0]?.id]);
    expect(await refusedBy(change)).toBe('app_user_roles_known');
  });

  test.each(['{}', '{read,owner}'])('an access token with the scopes %s', async (scopes) => {
    const token = () =>
      db.query(
        `insert into personal_access_token (id, user_id, name, token_hash, scopes, created_at, expires_at)
         values ($1, $2, 'Roster', '', $3, now(), now())`,
        [randomUUID(), admin.id, scopes],
      );
    expect(await refusedBy(token)).toBe('personal_access_token_scopes_known');
  });

  test.each([
    ['in an unknown state', `'invited', now()`, 'app_user_approval_known'],
    ['since no time', `'waiting', null`, 'app_user_approval_no_pilot'],
    ['that is a pilot already', `'waiting', now()`, 'app_user_approval_no_pilot'],
  ])('an account in approval %s', async (what, state, constraint) => {
    const roles = what === 'that is a pilot already' ? '{user}' : '{}';
    const change = () =>
      db.query(`update app_user set (approval, approval_since, roles) = (${state}, $2::text[]) where id = $1`, [
        pilots[0]?.id,
        roles,
      ]);
    expect(await refusedBy(change)).toBe(constraint);
  });

  test.each([
    [2, 'open', 'community_one_row'],
    [1, 'closed', 'community_registration_known'],
  ])('community %i with the registration %s', async (id, registration, constraint) => {
    const community = () =>
      db.query(
        `insert into community (id, registration, updated_at) values ($1, $2, now())
         on conflict (id) do update set registration = excluded.registration`,
        [id, registration],
      );
    expect(await refusedBy(community)).toBe(constraint);
  });

  test.each([
    ['with an unknown role', 'owner', 0, null, 'invite_role_known'],
    ['used a negative number of times', 'user', -1, null, 'invite_uses_limited'],
    ['used more often than it may be', 'user', 2, 1, 'invite_uses_limited'],
  ])('an invite %s', async (_what, role, uses, maxUses, constraint) => {
    const invite = () =>
      db.query(
        `insert into invite (id, name, role, with_approval, uses, max_uses, aircraft_ids, created_at)
         values ($1, 'Recruits', $2, false, $3, $4, '{}', now())`,
        [randomUUID(), role, uses, maxUses],
      );
    expect(await refusedBy(invite)).toBe(constraint);
  });

  test('a link with an unknown purpose', async () => {
    const link = () =>
      db.query(
        `insert into sign_in_link (token_hash, user_id, purpose, created_at, expires_at)
         values ('hash', $1, 'look_around', now(), now())`,
        [pilots[0]?.id],
      );
    expect(await refusedBy(link)).toBe('sign_in_link_purpose_known');
  });

  test.each([
    ['code', `'hawk', 'Hawk T1'`, 'aircraft_code_key'],
    ['name', `'HAWK-2', 'hawk'`, 'aircraft_name_key'],
  ])('a second aircraft with one %s in other letters', async (_what, values, constraint) => {
    const add = (id: number, words: string) =>
      db.query(`insert into aircraft (id, code, name, seats, roles) values ($1, ${words}, 1, '{}')`, [id]);
    await add(2_001, `'HAWK', 'Hawk'`);
    expect(await refusedBy(() => add(2_002, values))).toBe(constraint);
  });

  test.each([
    ['twice in a mission', 0, 1, 'mission_file_version'],
    ['without a mission', null, 1, 'mission_file_has_version'],
    ['without a version', 0, null, 'mission_file_has_version'],
  ])('a mission file %s', async (_what, mission, version, constraint) => {
    await db.query(
      `insert into mission_file_content (sha256, size_bytes, found, created_at) values ('a', 1, '{}', now())`,
    );
    const add = (of: number | null, number: number | null) =>
      db.query(
        `insert into mission_file (id, content_sha256, name, mission_id, version, created_at)
         values (gen_random_uuid(), 'a', 'op.miz', $1, $2, now())`,
        [of === null ? null : missions[of]?.id, number],
      );
    await add(0, 1);
    expect(await refusedBy(() => add(mission, version))).toBe(constraint);
  });

  test.each([
    ['without length', `starts_at`],
    ['of more than a day', `starts_at + interval '24 hours 1 second'`],
  ])('a mission %s', async (_what, end) => {
    const change = () => db.query(`update mission set ends_at = ${end} where id = $1`, [missions[2]?.id]);
    expect(await refusedBy(change)).toBe('mission_has_length');
  });

  test.each([
    ['without a text, that nobody has removed', `null, null, null`, 'mission_comment_text_or_removed'],
    ['with a text, after its removal', `null, 'Ready', now()`, 'mission_comment_text_or_removed'],
    ['of a third side', `2, 'Ready', null`, 'mission_comment_side_known'],
  ])('a comment %s', async (_what, values, constraint) => {
    const add = () =>
      db.query(
        `insert into mission_comment (id, mission_id, author_id, created_at, side, text, removed_at)
         values (gen_random_uuid(), $1, $2, now(), ${values})`,
        [missions[0]?.id, admin.id],
      );
    expect(await refusedBy(add)).toBe(constraint);
  });
});

/** Without its constraints the database would take these: the checker of the race and kill tests has to find them. */
describe('the checker finds', () => {
  /** Plant in the open, look with the service's own connections, and clean up. */
  async function breachesOf(plant: () => Promise<unknown>): Promise<string[]> {
    await plant();
    await db.query('commit');
    const found = await findBreaches(service);
    await db.query('begin');
    await db.query('delete from seat');
    await db.query('delete from frag_order');
    await db.query(`update mission set status = 'scheduled'`);
    await db.query('commit');
    await db.query('begin');
    return found.map((line) => line.split(':')[0] ?? '').toSorted();
  }

  test('nothing in a sound database', async () => {
    const plant = async () => {
      await seat(await order(0, 0));
      await seat(await order(1, 0, { seat: 1, rsvp: 'pending' }));
      await order(2, 0, { rsvp: 'standby' });
      await seat(await order(0, 2));
    };
    expect(await breachesOf(plant)).toEqual([]);
  });

  test('two holders of a seat', async () => {
    await db.query('alter table seat drop constraint seat_pkey');
    const plant = async () => {
      await seat(await order(0, 0));
      await seat(await order(1, 0));
    };
    expect(await breachesOf(plant)).toEqual(['a seat has two holders']);
    await db.query('alter table seat add constraint seat_pkey primary key (flight_id, seat_index)');
    await db.query('commit');
    await db.query('begin');
  });

  test('a pilot in two missions at once', async () => {
    await db.query('alter table seat drop constraint seat_no_overlap');
    const plant = async () => {
      await seat(await order(0, 0));
      await seat(await order(0, 1));
    };
    expect(await breachesOf(plant)).toEqual(['a pilot is in two missions at once']);
  });

  test.each<[what: string, plant: () => Promise<unknown>, rule: string]>([
    ['an acknowledged seat that is lost', () => order(0, 0), 'an order that holds a seat has none'],
    ['a pending order without its seat', () => order(0, 0, { rsvp: 'pending' }), 'an order that holds a seat has none'],
    [
      'a seat of a pilot who declined',
      async () => seat(await order(0, 0, { rsvp: 'declined' })),
      'a seat is held by an order that holds none',
    ],
    [
      'a seat of a cancelled order',
      async () => seat(await order(0, 0, { status: 'cancelled' })),
      'a seat is held by an order that holds none',
    ],
    [
      'a seat of somebody else than its order',
      async () => {
        await seat(await order(0, 0));
        await db.query('update seat set pilot_id = $1', [pilots[1]?.id]);
      },
      'a seat and its order disagree',
    ],
    ['a seat that the flight has not', async () => seat(await order(0, 0, { seat: 3 })), 'a seat is beyond its flight'],
    [
      'a seat at another time than its mission',
      async () => {
        await seat(await order(0, 0));
        await db.query(`update seat set ends_at = ends_at + interval '1 hour'`);
      },
      'a seat has other times than its mission',
    ],
    [
      'an offer of a seat that is taken',
      async () => {
        await seat(await order(0, 0));
        const offer = await order(1, 0, { rsvp: 'pending' });
        await db.query('update frag_order set is_shared_offer = true where id = $1', [offer]);
      },
      'an offer stands for a seat that is taken',
    ],
    [
      'a live order of a cancelled mission',
      async () => {
        await order(0, 0, { rsvp: 'standby' });
        await db.query(`update mission set status = 'cancelled' where id = $1`, [missions[0]?.id]);
      },
      'a mission that does not fly has live orders',
    ],
  ])('%s', async (_what, plant, rule) => {
    expect(await breachesOf(plant)).toEqual([rule]);
  });
});
