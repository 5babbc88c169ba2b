/** Frag orders as pilots see them through the API, and the rows behind them. */
import { query, sql } from '#server/schema/query.ts';
import type { CreatedMissionDto } from '#shared/schemas/missions.ts';
import { givenAlwaysFree, givenMission, givenPerson, hoursFromNow, type MissionRequest, type Person } from './given.ts';
import type { Answer, Service } from './service.ts';

interface Order {
  id: string;
}

/** A pilot who can fly at any time, in any aircraft or the one named. */
export async function givenPilot(service: Service, aircraftId = 0): Promise<Person> {
  const pilot = await givenPerson(service);
  await givenAlwaysFree(service, pilot.id, aircraftId);
  return pilot;
}

/** The only pilot who can fly the aircraft of a new mission, with the order in the inbox. */
export async function givenOrder(
  service: Service,
  admin: Person,
  name: string,
  request: MissionRequest = {},
  person: Parameters<typeof givenPerson>[1] = {},
): Promise<Person> {
  const pilot = await givenPerson(service, person);
  await givenAlwaysFree(service, pilot.id);
  const { issued } = await givenMission(service, admin, { name, ...request });
  if (issued.orders !== 1) throw new Error(`${name} issued ${issued.orders} orders, not one`);
  return pilot;
}

/** A mission of 3 h that starts a number of hours from now. */
export const givenMissionIn = (
  service: Service,
  admin: Person,
  hours: number,
  request: MissionRequest = {},
): Promise<CreatedMissionDto> =>
  givenMission(service, admin, {
    startLocal: hoursFromNow(hours),
    endLocal: hoursFromNow(hours + 3),
    ...request,
  });

/** The pending orders of a pilot, or all of them. */
export const inbox = async ({ client }: Person, includeCompleted = false) =>
  (await client.call('GET', `/pilot/inbox?includeCompleted=${includeCompleted}`)).body;

/** The first pending order of a pilot. */
export async function orderOf(pilot: Person): Promise<{ id: string; missionId: string }> {
  const [order] = await inbox(pilot);
  return order;
}

/** @param seen `changedAt` of the order as it was read; without it the current order is answered */
export const respond = ({ client }: Person, { id }: Order, response: string, seen?: string | null): Promise<Answer> =>
  client.call('POST', `/pilot/inbox/${id}/rsvp`, { response, seen });

export const read = async ({ client }: Person, { id }: Order) => (await client.call('GET', `/pilot/inbox/${id}`)).body;

/** True if the order holds a seat. */
export async function holds({ app }: Service, { id }: Order): Promise<boolean> {
  return (await query(app.orm.em.fork(), sql`select 1 from seat where order_id = ${id}`)).length === 1;
}

/** The pilots of one test are not matched in the next. */
export async function retirePilots({ app }: Service): Promise<void> {
  await query(app.orm.em.fork(), sql`update app_user set roles = '{}' where not 'admin' = any(roles)`);
}

/** The missions of one test are not filled in the next, where jobs run. */
export async function callOffMissions({ app }: Service): Promise<void> {
  const em = app.orm.em.fork();
  await query(em, sql`delete from seat`);
  await query(
    em,
    sql`update frag_order set status = 'cancelled', status_reason = 'mission cancelled' where status = 'issued'`,
  );
  await query(em, sql`update mission set status = 'cancelled'`);
}
