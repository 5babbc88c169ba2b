/** Pilots' calls to take and swap seats, a line each in a test. */
import type { Person } from './given.ts';
import { flightsOf, loadMission } from './mission-edits.ts';
import type { Answer } from './service.ts';

/** A request for seats in the F-16C, aircraft 2. */
export const vipers = (slotCount: number) => [{ aircraftId: 2, slotCount, side: 0 as const, notes: 'CAP' as const }];

export const openingsOf = async ({ client }: Person) => (await client.call('GET', '/pilot/openings')).body;

/** A seat of a mission's first flight, as it is named to take it. */
export async function seatIn(admin: Person, missionId: string, seatIndex = 0) {
  const [flight] = flightsOf(await loadMission(admin, missionId));
  return { missionId, flightId: flight.id as string, seatIndex };
}

export const take = ({ client }: Person, seat: object): Promise<Answer> => client.call('POST', '/pilot/seats', seat);

export const joinStandby = ({ client }: Person, missionId: string): Promise<Answer> =>
  client.call('PUT', `/pilot/missions/${missionId}/standby`);

export const leaveStandby = ({ client }: Person, missionId: string): Promise<Answer> =>
  client.call('DELETE', `/pilot/missions/${missionId}/standby`);

/** Status and sentence of an answer, for a refusal. */
export const refusal = ({ status, body }: Answer): [number, string] => [status, body.message];

export const propose = ({ client }: Person, orderId: string, withOrderId: string): Promise<Answer> =>
  client.call('POST', `/pilot/inbox/${orderId}/swaps`, { withOrderId });

export const answerSwap = ({ client }: Person, swapId: string, response: string): Promise<Answer> =>
  client.call('POST', `/pilot/swaps/${swapId}/answer`, { response });

export const swapsOf = async ({ client }: Person) => (await client.call('GET', '/pilot/swaps')).body;
