/** Missions that admins work on: read, edit, and their pilots. */
import { givenMissionIn, givenPilot, orderOf } from './orders.ts';
import type { MissionRequest, Person } from './given.ts';
import type { Answer, Service } from './service.ts';

export const loadMission = async ({ client }: Person, id: string) =>
  (await client.call('GET', `/admin/missions/${id}`)).body;

export const editMission = ({ client }: Person, id: string, changes: object): Promise<Answer> =>
  client.call('PUT', `/admin/missions/${id}`, changes);

// oxlint-disable-next-line typescript/no-explicit-any -- a test names what it expects
export const flightsOf = (mission: any): any[] =>
  mission.packages.flatMap((one: { flights: unknown[] }) => one.flights);

/** A mission 60 h ahead with its pilots, each of whom has an order for it. */
export async function givenSeated(
  service: Service,
  admin: Person,
  count: number,
  request: MissionRequest = {},
  hours = 60,
) {
  const pilots: Person[] = [];
  for (let index = 0; index < count; index += 1) pilots.push(await givenPilot(service));
  const { mission } = await givenMissionIn(service, admin, hours, {
    aircraftSlots: [{ aircraftId: 2, slotCount: count, side: 0, notes: 'CAP' }],
    ...request,
  });
  const orders = await Promise.all(pilots.map(orderOf));
  const seats = pilots.map((pilot, index) => ({ pilot, order: orders[index] ?? { id: '' } }));
  return { id: mission.id, seats, mission: await loadMission(admin, mission.id) };
}
