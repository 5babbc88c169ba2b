/** Ownership caps: every call that creates something stops with a sentence, also under parallel calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#server/schema/base.ts';
import { sql } from '#server/schema/query.ts';
import { appRouter } from '#server/http/routers/app.ts';
import { publicProcedure, router } from '#server/http/trpc.ts';
import { givenWorld, OPERATIONS, type World } from '#tests/api/http/operations.ts';
import { givenAdmin, givenPerson, PASSWORD } from '#tests/harness/given.ts';
import { givenSeated } from '#tests/harness/mission-edits.ts';
import { givenMissionIn, givenPilot, orderOf, respond, retirePilots } from '#tests/harness/orders.ts';
import { joinStandby, leaveStandby, propose, seatIn, take } from '#tests/harness/seats.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';
import { ask, TRANSPORTS } from '#tests/harness/transports.ts';
import { findFaults, findGrowth, type Cap } from './growth.ts';
import {
  BOUNDED,
  countIn,
  dayOf,
  givenOwner,
  missionInput,
  rowsIn,
  STOPPED_OTHERWISE,
  subscriptionInput,
} from './owned.ts';

let service: Service;
let world: World;
/** A second service without other pilots, for tests whose seats no other pilot may take. */
let quiet: Service;
beforeAll(async () => {
  quiet = await startService();
  service = await startService();
  world = await givenWorld(service);
});
afterAll(async () => {
  await service.stop();
  await quiet.stop();
});

const replyOf = ({ status, body }: Answer) => ({ status, message: status < 300 ? null : String(body.message) });
/** One call by REST, the next by tRPC. */
const askOf =
  (procedure: string, cookie: string, input: (index: number) => Record<string, unknown>) => (index: number) =>
    ask(service, TRANSPORTS[index % 2] ?? 'rest', procedure, input(index), cookie);

/** Runs attempts one after another, where the row of each has to be removed before the next. */
const oneByOne = (attempt: Cap['attempt']): Cap['attempt'] => {
  let last: Promise<unknown> = Promise.resolve();
  return (index) => {
    const turn = last.then(() => attempt(index));
    last = turn.catch(() => undefined);
    return turn;
  };
};

const missionsOf = (id: string) => countIn(service, sql`mission where created_by_id = ${id}`);

/** Every call that creates rows an account owns: how far it gets. */
const CREATES: Record<string, Record<string, () => Promise<Cap>>> = {
  'availability.createTemplate': {
    templates: async () => {
      const { id, client } = await givenPerson(service);
      const slots = [{ weekday: 2, startLocal: '18:00', endLocal: '22:00', aircraftCodeId: 0, notes: null }];
      return {
        max: 20,
        calls: 50,
        attempt: askOf('availability.createTemplate', client.cookie(), (index) => ({
          id,
          name: `Week ${index}`,
          slots,
        })),
        owned: countIn(service, sql`availability_template where user_id = ${id}`),
        sentence: 'An account can have at most 20 availability templates. Please change one of them instead.',
      };
    },
  },
  'availability.addOverride': {
    'dates ahead': async () => {
      const { id, client } = await givenPerson(service);
      const away = { kind: 'unavailable', startLocal: '00:00', endLocal: '00:00' };
      return {
        max: 400,
        calls: 25,
        each: 20,
        attempt: askOf('availability.addOverride', client.cookie(), (index) => ({
          ...away,
          id,
          dateLocal: dayOf(20 * index),
          untilLocal: dayOf(20 * index + 19),
        })),
        owned: countIn(service, sql`availability_override where user_id = ${id}`),
        sentence: 'An account can have at most 400 dated exceptions. Please remove some first.',
      };
    },
  },
  'pilot.push.subscribe': {
    devices: async () => {
      const { id, client } = await givenPerson(service);
      return {
        max: 20,
        calls: 50,
        attempt: askOf('pilot.push.subscribe', client.cookie(), subscriptionInput),
        owned: countIn(service, sql`push_subscription where user_id = ${id}`),
        sentence: 'An account can be notified on at most 20 devices. Please remove one first.',
      };
    },
  },
  'auth.tokens.create': {
    tokens: async () => {
      const { id, client } = await givenPerson(service);
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      return {
        max: 10,
        calls: 30,
        attempt: askOf('auth.tokens.create', client.cookie(), (index) => ({
          id,
          name: `Script ${index}`,
          scopes: ['read'],
          expiresAt,
        })),
        owned: countIn(service, sql`personal_access_token where user_id = ${id}`),
        sentence: 'An account can have at most 10 access tokens. Please revoke one first.',
      };
    },
  },
  'admin.createMission': {
    drafts: async () => {
      const { id, client } = await givenOwner(service, 194, 'draft');
      return {
        max: 200,
        calls: 12,
        attempt: askOf('admin.createMission', client.cookie(), (index) => missionInput(index, false)),
        owned: missionsOf(id),
        sentence: 'An admin can have at most 200 upcoming drafts. Please publish or cancel some first.',
      };
    },
    'missions ahead': async () => {
      const { id, client } = await givenOwner(service, 994, 'scheduled');
      return {
        max: 1_000,
        calls: 12,
        attempt: askOf('admin.createMission', client.cookie(), (index) => missionInput(index, true)),
        owned: missionsOf(id),
        sentence: 'An admin can have at most 1000 upcoming missions. Please cancel some first.',
      };
    },
    'idempotency keys': async () => {
      const { id, client } = await givenAdmin(service);
      await rowsIn(
        service,
        sql`insert into idempotency_key (user_id, key, request_hash, answer, created_at)
            select ${id}, 'old-' || n, '', 'null', now() from generate_series(1, 994) as n`,
      );
      return {
        max: 1_000,
        calls: 12,
        attempt: async (index) => {
          const headers = { 'idempotency-key': `new-${index}` };
          return replyOf(await client.call('POST', '/admin/missions', missionInput(index, false), headers));
        },
        owned: countIn(service, sql`idempotency_key where user_id = ${id}`),
        sentence: 'At most 1000 Idempotency-Keys can be used within 24 hours. Please send the request without one.',
      };
    },
  },
  'admin.mission.assignPilot': {
    'orders of one pilot': async () => {
      const admin = await givenAdmin(service);
      const pilot = await givenPilot(service, 30);
      const { mission } = await givenMissionIn(service, admin, 900);
      const seat = await seatIn(admin, mission.id);
      await rowsIn(
        service,
        sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, status_reason, rsvp,
                                    is_shared_offer, reasons, issued_at, expires_at, created_at)
            select gen_random_uuid(), ${mission.id}, ${seat.flightId}, 0, ${pilot.id}, 'cancelled', 'superseded', 'pending',
                   false, '{}', now(), now() + interval '1 hour', now() from generate_series(1, 48)`,
      );
      const path = `/admin/missions/${mission.id}/seats/${seat.flightId}/0`;
      return {
        max: 50,
        calls: 4,
        attempt: oneByOne(async () => {
          const answer = await admin.client.call('PUT', path, { userId: pilot.id, replace: true });
          if (answer.status < 300) await admin.client.call('DELETE', path);
          return replyOf(answer);
        }),
        owned: countIn(service, sql`frag_order where mission_id = ${mission.id} and pilot_id = ${pilot.id}`),
        sentence: 'A pilot can have at most 50 frag orders for one mission. Please assign another pilot.',
      };
    },
  },
  'pilot.swaps.propose': {
    'proposals for one order': async () => {
      const { seats } = await givenSeated(quiet, await givenAdmin(quiet), 2, {}, 700);
      for (const { pilot, order } of seats) await respond(pilot, order, 'accepted');
      const [own, other] = seats;
      if (!own || !other) throw new Error('two seats were expected');
      return {
        max: 20,
        calls: 22,
        attempt: oneByOne(async () => {
          const answer = await propose(own.pilot, own.order.id, other.order.id);
          if (answer.status < 300) await own.pilot.client.call('DELETE', `/pilot/swaps/${answer.body.id}`);
          return replyOf(answer);
        }),
        owned: countIn(quiet, sql`seat_swap where order_id = ${own.order.id}`),
        sentence: 'The seat of one order can be offered for a swap at most 20 times. Please ask an admin to move you.',
      };
    },
  },
  'auth.login': {
    sessions: async () => {
      const { id, email } = await givenPerson(service);
      return {
        max: 20,
        calls: 30,
        attempt: askOf('auth.login', '', () => ({ email, password: PASSWORD })),
        owned: countIn(service, sql`session where user_id = ${id}`),
        sentence: null,
      };
    },
  },
  'pilot.calendar.renew': {
    links: async () => {
      const { id, client } = await givenPerson(service);
      return {
        max: 2,
        calls: 10,
        attempt: askOf('pilot.calendar.renew', client.cookie(), () => ({})),
        owned: countIn(service, sql`calendar_feed where user_id = ${id}`),
        sentence: null,
      };
    },
  },
};

/** A call by the subject with valid input; a refused call creates nothing either. */
const repeated = (name: string) => async () => {
  const cookie = name.startsWith('admin.') || name.startsWith('discord.') ? world.admin : world.self;
  return ask(service, 'rest', name, OPERATIONS[name]?.input(world.subject), cookie.client.cookie());
};

/** Calls that change existing rows or keep one row of a kind, with a way to repeat them where `world` has none. */
const CREATES_NOTHING: Record<
  string,
  { why: string; warmUp?: number; isQuiet?: true; given?: () => Promise<() => Promise<unknown>> }
> = {
  'auth.passwordLink': { why: 'reads' },
  'pilot.mail.verify': { why: 'one column of the account' },
  'pilot.mail.setSubscription': { why: 'one column of the account, or one row for each signed address' },
  'auth.setCredentials': { why: 'the columns of the account' },
  'auth.logout': { why: 'ends a session', given: async () => () => ask(service, 'rest', 'auth.logout', {}) },
  'auth.changePassword': { why: 'one column of the account' },
  'auth.requestDeletion': { why: 'columns of the account' },
  'auth.undoDeletion': { why: 'columns of the account' },
  'auth.confirmSession': { why: 'one column of a session' },
  'auth.endSession': { why: 'ends a session' },
  'auth.endOtherSessions': { why: 'ends sessions' },
  'auth.tokens.revoke': { why: 'removes' },
  'pilot.updateProfile': { why: 'columns of the account' },
  'pilot.setStatus': { why: 'one row a pilot' },
  'pilot.setProficiency': { why: 'one row for each aircraft of the catalogue', warmUp: 21 },
  'pilot.removeProficiency': { why: 'removes' },
  'pilot.setNotifications': { why: 'columns of the account' },
  'pilot.setDiscord': { why: 'columns of the link' },
  'pilot.unlinkDiscord': { why: 'removes' },
  'pilot.rsvp': {
    why: 'the state of an order',
    isQuiet: true,
    given: async () => {
      await retirePilots(quiet);
      const pilot = await givenPilot(quiet, 31);
      const aircraftSlots = [{ aircraftId: 31, slotCount: 1, side: 0 as const, notes: 'CAP' as const }];
      await givenMissionIn(quiet, await givenAdmin(quiet), 800, { aircraftSlots });
      const order = await orderOf(pilot);
      return async () => {
        await respond(pilot, order, 'Accepted');
        await respond(pilot, order, 'Declined');
      };
    },
  },
  'pilot.seats.take': {
    why: 'one order a mission and pilot, which is taken up again',
    isQuiet: true,
    given: async () => {
      await retirePilots(quiet);
      const admin = await givenAdmin(quiet);
      const { mission } = await givenMissionIn(quiet, admin, 820, {
        aircraftSlots: [{ aircraftId: 32, slotCount: 1, side: 0, notes: 'CAP' }],
      });
      const pilot = await givenPilot(quiet, 32);
      const seat = await seatIn(admin, mission.id);
      return async () => {
        const { status, body } = await take(pilot, seat);
        expect(status, JSON.stringify(body)).toBe(201);
        await respond(pilot, body, 'Declined');
      };
    },
  },
  'pilot.seats.joinStandby': {
    why: 'one order a mission and pilot, which is taken up again',
    isQuiet: true,
    given: async () => {
      await retirePilots(quiet);
      const holder = await givenPilot(quiet, 33);
      const { mission } = await givenMissionIn(quiet, await givenAdmin(quiet), 840, {
        aircraftSlots: [{ aircraftId: 33, slotCount: 1, side: 0, notes: 'CAP' }],
      });
      await respond(holder, await orderOf(holder), 'Accepted');
      const pilot = await givenPilot(quiet, 33);
      return async () => {
        const { status, body } = await joinStandby(pilot, mission.id);
        expect(status, JSON.stringify(body)).toBe(200);
        await leaveStandby(pilot, mission.id);
      };
    },
  },
  ...BOUNDED,
};

function mutationsOf(procedures: object): string[] {
  return Object.entries(procedures)
    .filter(([, procedure]) => Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'type') === 'mutation')
    .map(([name]) => name)
    .sort();
}

const LISTED = [...Object.keys(CREATES), ...Object.keys(STOPPED_OTHERWISE), ...Object.keys(CREATES_NOTHING)].sort();

describe('the list of calls that change something', () => {
  test('covers the whole router', () => expect(LISTED).toEqual(mutationsOf(appRouter._def.procedures)));

  test('would miss a new one', () => {
    const planted = router({ read: publicProcedure.query(() => 1), collect: publicProcedure.mutation(() => 1) });
    expect(mutationsOf(planted._def.procedures)).toEqual(['collect']);
    expect(LISTED).not.toContain('collect');
  });
});

describe('parallel calls never pass the cap, and are refused with a sentence', () => {
  const cases = Object.entries(CREATES).flatMap(([name, caps]) =>
    Object.entries(caps).map(([what, given]) => [name, what, given] as const),
  );
  test.each(cases)('%s: %s', async (_name, _what, given) => expect(await findFaults(await given())).toEqual([]));

  test('a create without a cap is found', async () => {
    const { id } = await givenPerson(service);
    const planted: Cap = {
      max: 20,
      calls: 50,
      attempt: async () => {
        await rowsIn(
          service,
          sql`insert into availability_template (id, user_id, name, is_active, created_at, updated_at)
              values (${newId()}, ${id}, 'Week', false, now(), now())`,
        );
        return { status: 201, message: null };
      },
      owned: countIn(service, sql`availability_template where user_id = ${id}`),
      sentence: 'An account can have at most 20 availability templates. Please change one of them instead.',
    };
    expect(await findFaults(planted)).toEqual([
      '50 rows, 20 are the most',
      'nothing was refused',
      '50 were accepted from 0 on',
    ]);
  });
});

describe('repeated calls add no rows', () => {
  test.each(Object.entries(CREATES_NOTHING))('%s', async (name, { given, warmUp, isQuiet }) => {
    expect(await findGrowth(isQuiet ? quiet : service, given ? await given() : repeated(name), warmUp)).toEqual([]);
  });

  test('growing tables are found', async () => {
    const { id, client } = await givenPerson(service);
    const call = askOf('availability.createTemplate', client.cookie(), () => ({ id, name: 'Week', slots: [] }));
    expect(await findGrowth(service, () => call(0))).toEqual(['availability_template']);
  });
});
