/** Pilots who answer their orders at random over HTTP while parts of an installation fail, and the record of their answers. */
import { randomInt } from 'node:crypto';
import { expect, vi } from 'vitest';
import { RSVP_RESPONSES, type Rsvp } from '#shared/vocabulary.ts';
import { hoursFromNow } from '#tests/harness/given.ts';
import { createClient, type Answer, type Client } from '#tests/harness/service.ts';
import type { Attempt } from './history.ts';
import { ADMIN } from './process.ts';

export interface Order {
  id: string;
  rsvp: Rsvp;
  missionId: string;
}

export interface Pilot {
  id: string;
  client: Client;
  history: TimedAttempt[];
}

/** When the request was sent and when its answer arrived, ms of the process's clock. */
type TimedAttempt = Attempt & { sentMs: number; heardMs: number };

/** The response, or null when the outcome of the request is unknown. */
async function send(call: Promise<Answer>): Promise<Answer | null> {
  const answer = await call.catch(() => null);
  return answer === null || answer.status >= 500 ? null : answer;
}

/** The same request until it is answered: reads, and writes that may be repeated. */
export const insist = (call: () => Promise<Answer>): Promise<Answer> =>
  vi.waitUntil(() => send(call()), { timeout: 30_000, interval: 50 });

export const listOrders = async ({ client }: Pilot): Promise<Order[]> =>
  (await insist(() => client.call('GET', '/pilot/inbox?includeCompleted=true'))).body;

const pick = <T>(list: readonly T[]): T | undefined => list[list.length === 0 ? 0 : randomInt(list.length)];

/**
 * Answers random orders of a pilot at random, one after the other, and records the responses.
 * @param unexpected gets a line for every answer that is neither a success nor a conflict nor an unavailable service
 */
export async function answerUntil(pilot: Pilot, isOver: () => boolean, unexpected: string[]): Promise<void> {
  while (!isOver()) {
    const inbox = await send(pilot.client.call('GET', '/pilot/inbox?includeCompleted=true'));
    const order: Order | undefined = pick(inbox?.body ?? []);
    const response = pick(RSVP_RESPONSES);
    if (!order || !response || isOver()) continue;
    const sentMs = performance.now();
    const answer = await pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response }).catch(() => null);
    const isKnown = answer !== null && answer.status < 500;
    const outcome = !isKnown ? 'unknown' : answer.status === 200 ? 'ok' : 'refused';
    pilot.history.push({ orderId: order.id, response, outcome, sentMs, heardMs: performance.now() });
    if (answer && ![200, 409, 502, 503, 504].includes(answer.status))
      unexpected.push(`${answer.status} ${answer.body?.message}`);
  }
}

/**
 * An admin, pilots who can always fly, and missions that have issued them orders.
 * @param seats of each mission: fewer than there are pilots, so that seats change hands
 * @param days from now on which there is a mission
 */
export async function givenAnswering(
  { url }: { url: string },
  { count, seats, days }: { count: number; seats: number; days: readonly number[] },
): Promise<{ admin: Client; pilots: Pilot[] }> {
  const admin = createClient({ url });
  expect((await admin.call('POST', '/auth/login', ADMIN)).status).toBe(200);
  const pilots: Pilot[] = [];
  for (let index = 0; index < count; index += 1) {
    const client = createClient({ url });
    const account = { email: `pilot-${index}@example.org`, password: ADMIN.password, confirmPassword: ADMIN.password };
    const { body } = await client.call('POST', '/auth/register', account);
    const slots = Array.from({ length: 7 }, (_, weekday) => [
      { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId: 0 },
      { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId: 0 },
    ]).flat();
    expect((await client.call('POST', `/users/${body.id}/availability/templates`, { slots })).status).toBe(201);
    pilots.push({ id: body.id, client, history: [] });
  }
  for (const day of days) {
    const created = await admin.call('POST', '/admin/missions', {
      name: `Op ${day}`,
      theater: 'Syria',
      timeZone: 'UTC',
      startLocal: hoursFromNow(day * 24),
      endLocal: hoursFromNow(day * 24 + 3),
      aircraftSlots: [{ aircraftId: 2, slotCount: seats, side: 0, notes: 'CAP' }],
    });
    expect([created.status, created.body.issued]).toEqual([201, { orders: seats, openSeats: 0 }]);
  }
  return { admin, pilots };
}
