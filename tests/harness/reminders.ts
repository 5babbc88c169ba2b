/** Reminders in tests: time that passes for missions and orders, and what has been handed over. */
import { query, sql } from '#server/schema/query.ts';
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
  const em = app.orm.em.fork();
  const span = `${minutes} minutes`;
  await query(
    em,
    sql`update mission set starts_at = starts_at - ${span}::interval, ends_at = ends_at - ${span}::interval`,
  );
  await query(
    em,
    sql`update seat set starts_at = starts_at - ${span}::interval, ends_at = ends_at - ${span}::interval`,
  );
  await query(
    em,
    sql`update frag_order set issued_at = issued_at - ${span}::interval, expires_at = expires_at - ${span}::interval,
          accepted_at = accepted_at - ${span}::interval, confirmed_at = confirmed_at - ${span}::interval`,
  );
  await query(
    em,
    sql`update reminder set starts_at = starts_at - ${span}::interval, created_at = created_at - ${span}::interval`,
  );
  await query(em, sql`update app_user set reminders_set_at = reminders_set_at - ${span}::interval`);
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
