/** Random histories: acts of admins, pilots and the clock on two replicas that get killed, with a journal of every call. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import type { Pool } from 'pg';
import { RSVP_RESPONSES } from '#shared/vocabulary.ts';
import type { Random } from '#tests/harness/seeded.ts';
import { type Act, type ActKind, type Call, isOf, type Wish } from './life-calls.ts';
import type { Community, LifePilot } from './life-community.ts';

/** Hours ahead: around the limits of the rules (2 h and 24 h before the start), and far from both; 0 is this minute. */
const HOURS = [0, 1.2, 1.8, 3, 8, 12, 23, 26, 26, 27, 30, 30, 40, 41, 60];
const LENGTH_HOURS = 2;
const AIRCRAFT = [2, 3] as const;
/** Missions in use at a time: few enough for pilots and seats to be scarce. */
const MISSIONS_AT_ONCE = { min: 6, max: 10 };
/** Age of the known rows in acts, so that some acts come too late. */
const ACTS_PER_LOOK = 12;

/** Much longer than the service ever waits for its database. */
const PATIENCE_MS = 60_000;

/** The relative frequency of each act. */
const WEIGHTS: Record<ActKind | 'clock', number> = {
  answer: 50,
  join: 14,
  quit: 3,
  inbox: 8,
  clock: 8,
  edit: 9,
  assign: 7,
  remove: 4,
  create: 4,
  publish: 2,
  cancel: 1,
  availability: 3,
  status: 3,
  leave: 3,
  back: 3,
  level: 1,
  suspend: 1,
  restore: 2,
};

interface Known {
  missions: { id: string; status: string }[];
  flights: { id: string; mission_id: string; size_cap: number; radio_freq: string | null }[];
  orders: { id: string; mission_id: string; pilot_id: string; status: string; rsvp: string }[];
}

const minuteAfter = (hours: number): number => Math.floor((Date.now() + hours * 3_600_000) / 60_000) * 60_000;
const wallTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16);
const dateIn = (days: number): string => wallTime(Date.now() + days * 86_400_000).slice(0, 10);
const timesFrom = (startMs: number) => ({
  timeZone: 'UTC',
  startLocal: wallTime(startMs),
  endLocal: wallTime(startMs + LENGTH_HOURS * 3_600_000),
});

/** The request of an act: method, path, body. */
function requestOf(act: Act): [method: string, path: string, body?: object] {
  switch (act.kind) {
    case 'create': {
      const { name, publish, startMs, slots } = act;
      return [
        'POST',
        '/admin/missions',
        { name, theater: 'Syria', publish, aircraftSlots: slots, ...timesFrom(startMs) },
      ];
    }
    case 'publish':
    case 'cancel':
      return ['POST', `/admin/missions/${act.missionId}/${act.kind}`];
    case 'edit':
      return ['PUT', `/admin/missions/${act.missionId}`, editOf(act.wish)];
    case 'assign':
    case 'remove': {
      const path = `/admin/missions/${act.missionId}/seats/${act.flightId}/${act.seatIndex}`;
      return act.kind === 'remove' ? ['DELETE', path] : ['PUT', path, { userId: act.pilotId, replace: act.replace }];
    }
    case 'answer':
      return ['POST', `/pilot/inbox/${act.orderId}/rsvp`, { response: act.response }];
    case 'join':
      return ['PUT', `/pilot/missions/${act.missionId}/standby`];
    case 'quit':
      return ['DELETE', `/pilot/missions/${act.missionId}/standby`];
    case 'inbox':
      return ['GET', '/pilot/inbox'];
    case 'suspend':
      return ['DELETE', `/admin/users/${act.pilotId}/roles/user`];
    case 'restore':
      return ['POST', `/admin/users/${act.pilotId}/roles`, { role: 'user' }];
    case 'availability':
      return ['POST', `/users/${act.pilotId}/availability/templates`, { slots: act.isFree ? ALL_WEEK : [] }];
    case 'status':
      return [
        'PUT',
        `/users/${act.pilotId}/status`,
        { state: act.state, minutes: act.state === 'now' ? 480 : undefined },
      ];
    case 'leave':
      return ['PUT', `/users/${act.pilotId}/leave`, { firstDate: act.firstDate, lastDate: act.lastDate }];
    case 'back':
      return ['DELETE', `/users/${act.pilotId}/leave`];
    case 'level':
      return ['PUT', `/users/${act.pilotId}/proficiencies/${act.aircraftId}`, { level: act.level }];
  }
}

/** All day, every day, in any aircraft. */
const ALL_WEEK = [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
  { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId: 0 },
  { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId: 0 },
]);

function editOf({ startMs, notes, flightId, dropsFlight, addsFlight, ...flight }: Wish): object {
  return {
    ...(startMs === undefined ? {} : timesFrom(startMs)),
    ...(notes === undefined ? {} : { notes }),
    ...(flightId === undefined || dropsFlight ? {} : { flights: [{ id: flightId, ...flight }] }),
    ...(dropsFlight ? { removeFlightIds: [flightId] } : {}),
    ...(addsFlight ? { addAircraftSlots: [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAS' }] } : {}),
  };
}

/** Performs an act and records the response. */
async function perform({ clientOf }: Community, calls: Call[], act: Act): Promise<Call> {
  const [method, path, body] = requestOf(act);
  const isAdmins = !('pilotId' in act) || ['assign', 'suspend', 'restore'].includes(act.kind);
  const headers: Record<string, string> =
    act.kind === 'create' && act.key !== null ? { 'idempotency-key': act.key } : {};
  const client = await clientOf(isAdmins ? null : act.pilotId);
  const startedMs = Date.now();
  const answer = await Promise.race([
    client.call(method, path, body, headers).catch(() => null),
    pass(PATIENCE_MS, undefined, { ref: false }),
  ]);
  if (answer === undefined) throw new Error(`${act.kind} was not answered within ${PATIENCE_MS} ms`);
  const status = answer?.status ?? 0;
  const outcome = answer === null || status >= 500 ? 'unknown' : status < 300 ? 'ok' : 'refused';
  const message: string | null = outcome === 'ok' ? null : (answer?.body?.message ?? null);
  const call = { act, startedMs, endedMs: Date.now(), outcome, status, message, body: answer?.body } as Call;
  calls.push(call);
  return call;
}

/** The next act, chosen at random from the known state; null when there is nothing to act on. */
function choose(kind: ActKind, known: Known, pilots: readonly LifePilot[], random: Random): Act | null {
  const pick = <T>(list: readonly T[]): T | undefined => list[random.between(0, Math.max(0, list.length - 1))];
  // ended orders and missions are tried as well, now and then
  const open = random.chance(0.93);
  const mission = pick(open ? known.missions.filter(({ status }) => status !== 'cancelled') : known.missions);
  const flight = mission && pick(known.flights.filter(({ mission_id }) => mission_id === mission.id));
  const pilot = pick(pilots);
  const fickle = pick(pilots.filter(({ isFickle }) => isFickle));
  const place = mission &&
    flight && {
      missionId: mission.id,
      flightId: flight.id,
      seatIndex: random.between(0, flight.size_cap - 1),
    };
  switch (kind) {
    case 'create': {
      const slots = Array.from({ length: random.between(1, 2) }, () => ({
        aircraftId: random.pick(AIRCRAFT),
        slotCount: random.between(1, 3),
        side: 0,
        notes: random.pick(['CAP', 'SEAD', 'CAS']),
      }));
      const key = random.chance(0.4) ? randomUUID() : null;
      const startMs = minuteAfter(pick(HOURS) ?? 0);
      return { kind, name: `Op ${randomUUID()}`, publish: random.chance(0.8), startMs, key, slots };
    }
    case 'publish': {
      const draft = pick(known.missions.filter(({ status }) => status === 'draft')) ?? mission;
      return draft ? { kind, missionId: draft.id } : null;
    }
    case 'cancel':
      return mission ? { kind, missionId: mission.id } : null;
    case 'edit': {
      if (!mission || !flight) return null;
      const flightId = flight.id;
      const wish = random.pick<() => Wish>([
        () => ({ startMs: minuteAfter(pick(HOURS) ?? 1) }),
        () => ({ flightId, sizeCap: random.between(1, 3) }),
        () => ({ flightId, sizeCap: random.between(2, 4) }),
        () => ({ flightId, aircraftId: random.pick(AIRCRAFT) }),
        () => ({ flightId, role: random.pick(['CAP', 'Strike', 'SEAD']) }),
        () => ({ flightId, side: random.pick([0, 1]) }),
        () => ({ flightId, radioFreq: `${random.between(225, 399)}.000` }),
        () => ({ notes: `Notes ${random.between(1, 1_000)}` }),
        () => ({ flightId, dropsFlight: true }),
        () => ({ addsFlight: true }),
      ])();
      return { kind, missionId: mission.id, wish };
    }
    case 'assign':
      return place && pilot ? { kind, ...place, pilotId: pilot.id, replace: random.chance(0.6) } : null;
    case 'remove':
      return place ? { kind, ...place } : null;
    case 'answer': {
      const waiting = known.orders.filter(({ status, rsvp }) => status === 'issued' && rsvp === 'pending');
      const live = known.orders.filter(({ status }) => status === 'issued');
      const order = pick(random.pick([waiting, waiting, live, live, open ? live : known.orders]));
      const response = random.chance(0.3) ? 'accepted' : random.pick(RSVP_RESPONSES);
      return order ? { kind, orderId: order.id, pilotId: order.pilot_id, response } : null;
    }
    case 'join':
      return mission && pilot ? { kind, missionId: mission.id, pilotId: pilot.id } : null;
    case 'quit': {
      const waiting = pick(known.orders.filter(({ status, rsvp }) => status === 'issued' && rsvp === 'standby'));
      return waiting ? { kind, missionId: waiting.mission_id, pilotId: waiting.pilot_id } : null;
    }
    case 'inbox':
      return pilot ? { kind, pilotId: pilot.id } : null;
    case 'suspend':
    case 'restore': {
      const unsteady = pick(pilots.filter(({ isSuspendable }) => isSuspendable));
      return unsteady ? { kind, pilotId: unsteady.id } : null;
    }
    case 'availability':
      return fickle ? { kind, pilotId: fickle.id, isFree: random.chance(0.6) } : null;
    case 'status':
      return fickle ? { kind, pilotId: fickle.id, state: random.pick(['now', 'now', 'dnd', 'available']) } : null;
    case 'leave':
    case 'back': {
      const leaver = pick(pilots.filter(({ takesLeave }) => takesLeave));
      if (!leaver) return null;
      if (kind === 'back') return { kind, pilotId: leaver.id };
      const first = random.between(0, 3);
      return { kind, pilotId: leaver.id, firstDate: dateIn(first), lastDate: dateIn(first + random.between(1, 2)) };
    }
    case 'level':
      return pilot
        ? { kind, pilotId: pilot.id, aircraftId: random.pick(AIRCRAFT), level: random.pick(['learning', 'expert']) }
        : null;
  }
}

async function look(pool: Pool): Promise<Known> {
  const [missions, flights, orders] = await Promise.all([
    pool.query(`select id, status from mission order by id`),
    pool.query(`select f.id, mission_id, size_cap, radio_freq from flight f join mission m on m.id = f.mission_id
                where m.status <> 'cancelled' order by f.id`),
    pool.query(`select o.id, mission_id, pilot_id, o.status, rsvp from frag_order o order by o.id`),
  ]);
  return { missions: missions.rows, flights: flights.rows, orders: orders.rows };
}

/**
 * Let time pass for a mission's pending orders: their time limits, and the jobs for these, become due now or in a moment.
 * @returns the transaction
 */
export async function passTime(pool: Pool, missionId: string, inMs: number): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from mission where id = $1 for update', [missionId]);
    const due = `least(%s, clock_timestamp() + $2 * interval '1 ms')`;
    await client.query(
      `update frag_order set expires_at = ${due.replace('%s', 'expires_at')}
       where mission_id = $1 and status = 'issued' and rsvp = 'pending'`,
      [missionId, inMs],
    );
    await client.query(
      `update graphile_worker._private_jobs set run_at = ${due.replace('%s', 'run_at')}
       where payload ->> 'missionId' = $1 and locked_at is null`,
      [missionId, inMs],
    );
    const { rows } = await client.query('select pg_current_xact_id()::text as tx');
    await client.query('commit');
    return rows[0].tx;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

export interface History {
  calls: Call[];
  /** transactions in which the test moved the clock */
  clockTxs: Set<string>;
}

/**
 * Perform a number of acts, several at a time.
 * @param onAct called after each act with the number so far
 */
export async function liveThrough(
  community: Community,
  { acts, actors, random, onAct }: { acts: number; actors: number; random: Random; onAct?: (done: number) => void },
): Promise<History> {
  const { pool, pilots } = community;
  const history: History = { calls: [], clockTxs: new Set() };
  const kinds = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  let known = await look(pool);
  let begun = 0;
  let done = 0;

  const chooseKind = () => {
    const live = known.missions.filter(({ status }) => status !== 'cancelled').length;
    if (live < MISSIONS_AT_ONCE.min && random.chance(0.4)) return 'create';
    const kind = kinds[random.between(0, kinds.length - 1)] ?? 'answer';
    return kind === 'create' && live >= MISSIONS_AT_ONCE.max ? 'cancel' : kind;
  };
  const actOnce = async () => {
    const kind = chooseKind();
    if (kind === 'clock') {
      const mission = known.missions[random.between(0, known.missions.length - 1)];
      if (mission) history.clockTxs.add(await passTime(pool, mission.id, random.between(-1_000, 400)));
      return;
    }
    const act = choose(kind as ActKind, known, pilots, random);
    if (!act) return;
    const isTwin = act.kind === 'create' && act.key !== null && random.chance(0.5);
    const [call] = await Promise.all(
      (isTwin ? [act, act] : [act]).map((one) => perform(community, history.calls, one)),
    );
    // a request with a key may be repeated until there is a response
    for (let last = call; last && isOf(last, 'create') && last.act.key !== null && last.outcome === 'unknown';) {
      last = await perform(community, history.calls, act);
    }
  };
  const act = async () => {
    while (begun < acts) {
      begun += 1;
      if (begun % ACTS_PER_LOOK === 0) known = await look(pool);
      await actOnce();
      done += 1;
      onAct?.(done);
    }
  };
  await Promise.all(Array.from({ length: actors }, act));
  return history;
}
