/**
 * A burst of answers to frag orders: in the last hour before a mission every seat is offered to many pilots, and all of them
 * accept. The first one to accept a seat has it.
 */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { scheduleMissionBackfill } from '#server/orders/seats/orders.ts';
import { givenCrowd, type CrowdPilot } from './crowd.ts';
import type { Person } from './given.ts';
import { findBreaches } from './invariants.ts';
import { composeRequest, openLane, type Lane } from './lane.ts';
import { givenMissionIn } from './orders.ts';
import { vipers } from './seats.ts';
import { seeded } from './seeded.ts';
import type { Service } from './service.ts';

/** Accounts per statement, few enough for the time limit of statements. */
const CHUNK = 1_000;

/** of the order in which the pilots answer */
const SEED = 64;

interface Offer {
  id: string;
  cookie: string;
}

export interface Burst {
  missionId: string;
  seats: number;
  offers: readonly Offer[];
}

/** Pilots who are looking for a flight right now, each with a shared offer of one of the seats, one after another. */
async function givenOffers(service: Service, missionId: string, count: number): Promise<Offer[]> {
  const rows = (statement: Parameters<typeof query>[1]) => query(service.app.orm.em.fork(), statement);
  const pilots: CrowdPilot[] = [];
  while (pilots.length < count) pilots.push(...(await givenCrowd(service, Math.min(CHUNK, count - pilots.length))));
  const offers = pilots.map(({ id, cookie }) => ({ id: newId(), pilotId: id, cookie }));
  for (let at = 0; at < count; at += CHUNK) {
    const chunk = offers.slice(at, at + CHUNK);
    const ids = chunk.map(({ id }) => id);
    const pilotIds = chunk.map(({ pilotId }) => pilotId);
    await rows(
      sql`insert into pilot_status (user_id, state, minutes, expires_at, updated_at)
          select id, 'now', 480, now() + interval '8 hours', now() from unnest(${pilotIds}::uuid[]) as id`,
    );
    await rows(
      sql`with place as (
            select f.id, seat_index, row_number() over (order by f.sort_order, f.id, seat_index) - 1 as n,
                   count(*) over () as places
            from flight f, generate_series(0, f.size_cap - 1) seat_index where f.mission_id = ${missionId})
          insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, is_shared_offer, reasons,
                                  issued_at, expires_at, created_at)
          select o.id, ${missionId}, p.id, p.seat_index, o.pilot_id, 'issued', 'pending', true, '{}', now(),
                 now() + interval '50 minutes', now()
          from unnest(${ids}::uuid[], ${pilotIds}::uuid[]) with ordinality as o (id, pilot_id, n)
          join place p on p.n = (o.n - 1) % p.places`,
    );
  }
  const { next } = seeded(SEED);
  // the pilots of one seat do not come one after another
  return offers
    .map((offer) => ({ offer, turn: next() }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ offer }) => offer);
}

/** A mission that starts in an hour and has only free seats, and its offers. */
export async function givenBurst(
  service: Service,
  admin: Person,
  { pilots, seats }: { pilots: number; seats: number },
): Promise<Burst> {
  const { mission, issued } = await givenMissionIn(service, admin, 1, { aircraftSlots: vipers(seats) });
  if (issued.orders > 0) throw new Error('The mission has found pilots of its own');
  const offers = await givenOffers(service, mission.id, pilots);
  await transact(service.app.orm.em.fork(), (tx) => scheduleMissionBackfill(tx, mission.id));
  // the planner of a real database knows these tables
  await query(service.app.orm.em.fork(), sql`analyze app_user, session, frag_order, pilot_status`);
  return { missionId: mission.id, seats, offers };
}

export interface BurstAnswer {
  orderId: string;
  status: number;
  /** of a refusal; null for an accepted order */
  code: string | null;
  ms: number;
}

/** A process: its port, and the origin that writes must come from. */
export interface Door {
  port: number;
  origin: string;
}

/**
 * Accept all offers, so many at a time, in turns at each of the servers.
 * @param doors of processes on one database
 * @returns the answers, and the time that all of them took
 */
export async function acceptAll(
  { offers }: Burst,
  { doors, lanes }: { doors: readonly Door[]; lanes: number },
): Promise<{ answers: BurstAnswer[]; ms: number }> {
  const open = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const { port, origin } = doors[lane % doors.length] ?? { port: 0, origin: '' };
      return { origin, ...(await openLane(port)) };
    }),
  );
  const answers: BurstAnswer[] = [];
  let next = 0;
  const run = async ({ ask, origin }: Lane & Pick<Door, 'origin'>): Promise<void> => {
    for (let offer = offers[next++]; offer; offer = offers[next++]) {
      const { id, cookie } = offer;
      const path = `/api/v1/pilot/inbox/${id}/rsvp`;
      const request = composeRequest({ method: 'POST', path, cookie, origin, body: { response: 'accepted' } });
      const began = performance.now();
      const { status, body } = await ask(request);
      const ms = performance.now() - began;
      const { code = null } = JSON.parse(body) as { code?: string };
      answers.push({ orderId: id, status, code, ms });
    }
  };
  const began = performance.now();
  await Promise.all(open.map(run));
  const ms = performance.now() - began;
  for (const lane of open) lane.close();
  return { answers, ms };
}

/**
 * What is wrong after a burst: other answers than a seat or "taken", seats without a winner or with another one, and states
 * that must never occur. @returns [] when all is well
 */
export async function judgeBurst(
  service: Service,
  { missionId, seats, offers }: Burst,
  answers: readonly BurstAnswer[],
): Promise<string[]> {
  const winners = answers.filter(({ status }) => status === 200).map(({ orderId }) => orderId);
  const others = answers.filter(({ status, code }) => status !== 200 && !(status === 409 && code === 'SEAT_TAKEN'));
  const seated = await query<{ orderId: string; rsvp: string }>(
    service.app.orm.em.fork(),
    sql`select s.order_id as "orderId", o.rsvp from seat s join frag_order o on o.id = s.order_id
        where s.mission_id = ${missionId}`,
  );
  const holders = new Set(seated.filter(({ rsvp }) => rsvp === 'accepted').map(({ orderId }) => orderId));
  const faults = [
    ...(answers.length === offers.length ? [] : [`${answers.length} of ${offers.length} pilots have an answer`]),
    ...(winners.length === seats ? [] : [`${winners.length} pilots were told that they have one of ${seats} seats`]),
    ...(seated.length === seats ? [] : [`${seated.length} of ${seats} seats have a holder`]),
    ...winners.filter((id) => !holders.has(id)).map((id) => `${id} was accepted and has no seat`),
    ...others.map(({ orderId, status, code }) => `${orderId} was answered by ${status} ${code}`),
  ];
  return [...faults, ...(await findBreaches(service))];
}
