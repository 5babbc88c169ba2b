/** Reminders in tests: time that passes for missions and orders, and what has been handed over. */
import { query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import type { ReminderChannel } from '#shared/vocabulary.ts';
import { givenMissionIn, givenPilot, orderOf, respond } from './orders.ts';
import type { MissionRequest, Person } from './given.ts';
import type { Service } from './service.ts';

export const MINUTE_MS = 60_000;
const F16 = 2;

/** The only pilot who can fly a new mission, with an accepted seat in it. */
export async function givenSeat(service: Service, admin: Person, hours: number, request: MissionRequest = {}) {
  const pilot = await givenPilot(service, F16);
  const { mission } = await givenMissionIn(service, admin, hours, {
    aircraftSlots: [{ aircraftId: F16, slotCount: 1, side: 0, notes: 'CAP' }],
    ...request,
  });
  const order = await orderOf(pilot);
  const { status } = await respond(pilot, order, 'accepted');
  if (status !== 200) throw new Error(`The seat was not accepted: ${status}`);
  return { pilot, mission, order, startMs: Date.parse(`${mission.startLocal}Z`) };
}

/** As if this time had passed for everything that has to do with missions. */
export async function passTime({ app }: Service, minutes: number): Promise<void> {
  const span = sql`${`${minutes} minutes`}::interval`;
  await transact(app.orm.em.fork(), async (tx) => {
    // the rows that every change of seats and every reminder locks first
    await query(
      tx,
      sql`update mission set starts_at = starts_at - ${span}, ends_at = ends_at - ${span}, start_set_at = start_set_at - ${span}`,
    );
    // all are gone before the first is back: shifted one by one, two seats of a pilot would overlap
    await query(
      tx,
      sql`with old as (delete from seat returning *)
          insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
          select flight_id, seat_index, pilot_id, mission_id, order_id, starts_at - ${span}, ends_at - ${span}
          from old order by starts_at`,
    );
    await query(
      tx,
      sql`update frag_order set issued_at = issued_at - ${span}, expires_at = expires_at - ${span},
            accepted_at = accepted_at - ${span}, confirmed_at = confirmed_at - ${span}`,
    );
    await query(tx, sql`update reminder set starts_at = starts_at - ${span}, created_at = created_at - ${span}`);
    await query(tx, sql`update turnout_warning set starts_at = starts_at - ${span}`);
    await query(tx, sql`update app_user set reminders_set_at = reminders_set_at - ${span}`);
  });
}

export interface SentReminder {
  lead: number;
  asks: boolean;
  channels: ReminderChannel[] | null;
  startMs: number;
}

/** The reminders of a pilot, the first first; `channels` is null for one that a shorter lead time replaced. */
export const remindersOf = ({ app }: Service, { id }: Person): Promise<SentReminder[]> =>
  query<SentReminder>(
    app.orm.em.fork(),
    sql`select lead_minutes as lead, asks, channels, (extract(epoch from starts_at) * 1000)::float8 as "startMs"
        from reminder where pilot_id = ${id} order by created_at, lead_minutes desc`,
  );

/** Choices of a pilot; what is not named stays. */
export const choose = (pilot: Person, choices: object) =>
  pilot.client.call('PUT', `/users/${pilot.id}/notifications`, {
    notifyOrders: true,
    notifyChanges: true,
    wantsGlobalEvents: false,
    ...choices,
  });
