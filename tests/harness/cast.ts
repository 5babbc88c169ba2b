/** Test pilots, created by SQL, who act through the services at times that the test chooses. */
import type { Em } from '#server/schema/orm.ts';
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import { answer } from '#server/orders/answer.ts';
import { setStatus } from '#server/availability/status.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import type { RsvpResponse, StatusState } from '#shared/vocabulary.ts';
import { givenCrowd } from './crowd.ts';
import { givenAlwaysFree } from './given.ts';
import type { Service } from './service.ts';

export const HOUR_MS = 3_600_000;
export const emOf = ({ app }: Service): Em => app.orm.em.fork();

/** Pilots who can fly at any time, in any aircraft or the one named. */
export async function givenCast(service: Service, size: number, aircraftId = 0): Promise<Viewer[]> {
  const crowd = await givenCrowd(service, size);
  for (const { id } of crowd) await givenAlwaysFree(service, id, aircraftId);
  return crowd.map(({ id }) => ({
    id,
    email: `${id}@example.org`,
    displayName: id,
    timeZone: 'UTC',
    roles: ['user'],
    approval: null,
    createdAt: new Date(),
    secondFactorAt: null,
    deletionDueAt: null,
  }));
}

/** Makes unavailable pilots free, without enqueuing a job. */
export async function setFree(service: Service, pilots: readonly Viewer[], isFree: boolean): Promise<void> {
  await query(
    emOf(service),
    sql`update availability_template set is_active = ${isFree} where user_id = any(${pilots.map(({ id }) => id)}::uuid[])`,
  );
}

export const say = (service: Service, pilot: Viewer, id: string, response: RsvpResponse, at: Date) =>
  answer(emOf(service), pilot, { id, response }, at);

/** The status code for an answer. */
export async function codeOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    const status: unknown = Reflect.get(Object(error), 'status');
    if (typeof status === 'number') return status;
    throw error;
  }
}

export const putStatus = (service: Service, { id }: Viewer, state: StatusState, at: Date, minutes = 480) =>
  setStatus(emOf(service), { id, state, minutes: state === 'now' ? minutes : undefined }, at);

/** Puts the pilots on standby for the mission, in this order; each gave up the first seat at that time. */
export async function givenQueue(service: Service, missionId: string, pilots: readonly Viewer[], at: Date) {
  for (const [index, { id }] of pilots.entries()) {
    const answered = new Date(at.getTime() + index);
    await query(
      emOf(service),
      sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, rsvp, is_shared_offer, reasons,
                                  issued_at, expires_at, answered_at, created_at)
          select ${newId()}, ${missionId}, id, 0, ${id}, 'issued', 'standby', false, '{}', ${answered}, ${answered},
                 ${answered}, ${answered}
          from flight where mission_id = ${missionId} order by sort_order limit 1`,
    );
  }
}

export interface OrderState {
  id: string;
  pilotId: string;
  /** `seated`: accepted, `ordered`: pending with a seat, `offered`: pending without one; else the answer or the reason */
  state: string;
  expiresAt: Date;
}

/** Every order of a mission from its row, oldest first. */
export async function readOrders(service: Service, missionId: string): Promise<OrderState[]> {
  const rows = await query<Omit<OrderState, 'expiresAt'> & { expires: number }>(
    emOf(service),
    sql`select o.id, o.pilot_id as "pilotId", (extract(epoch from o.expires_at) * 1000)::float8 as expires,
               case when o.status = 'cancelled' then o.status_reason
                    when o.rsvp = 'accepted' then 'seated'
                    when o.rsvp = 'pending' and s.order_id is not null then 'ordered'
                    when o.rsvp = 'pending' then 'offered' else o.rsvp end as state
        from frag_order o left join seat s on s.order_id = o.id where o.mission_id = ${missionId} order by o.seq`,
  );
  return rows.map(({ expires, ...order }) => ({ ...order, expiresAt: new Date(expires) }));
}

/** The latest state of each pilot in a mission, by the names of the cast; pilots never asked are left out. */
export async function readCast(service: Service, missionId: string, cast: Record<string, Viewer>) {
  const orders = await readOrders(service, missionId);
  return Object.fromEntries(
    Object.entries(cast).flatMap(([name, { id }]) => {
      const last = orders.findLast(({ pilotId }) => pilotId === id);
      return last ? [[name, last.state]] : [];
    }),
  );
}

/** Pending orders without a job for their expiry; there must be none. */
export async function findUnscheduled(service: Service): Promise<string[]> {
  const rows = await query<{ id: string }>(
    emOf(service),
    sql`select o.id::text from frag_order o where o.status = 'issued' and o.rsvp = 'pending' and not exists (
          select 1 from graphile_worker.jobs j where j.key = 'backfill_mission_at:' || o.mission_id::text
            and j.run_at <= o.expires_at and j.attempts < j.max_attempts)`,
  );
  return rows.map(({ id }) => id);
}

/** Waiting jobs by key. */
export async function listJobs(service: Service, like: string): Promise<{ key: string; runAt: Date }[]> {
  const rows = await query<{ key: string; at: number }>(
    emOf(service),
    sql`select key, (extract(epoch from run_at) * 1000)::float8 as at from graphile_worker.jobs
        where key like ${like} order by key`,
  );
  return rows.map(({ key, at }) => ({ key, runAt: new Date(at) }));
}
