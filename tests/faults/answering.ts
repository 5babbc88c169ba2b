/** Pilots who answer orders at random over HTTP, with the history of their answers. */
import { randomInt } from 'node:crypto';
import { expect, vi } from 'vitest';
import { RSVP_RESPONSES, type Rsvp } from '#shared/vocabulary.ts';
import { hoursFromNow } from '#tests/harness/given.ts';
import { createClient, type Answer, type Client } from '#tests/harness/service.ts';
import type { Attempt } from './history.ts';
import { ADMIN, type Marshal } from './process.ts';

export const PILOTS = 6;
/** Days and seats of the missions; there are fewer seats than pilots, so that seats change hands. */
export const MISSIONS = [2, 3, 4, 5];
const SEATS = 3;

export interface Order {
  id: string;
  rsvp: Rsvp;
  missionId: string;
}

export interface Pilot {
  id: string;
  client: Client;
  history: Attempt[];
}

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
 * @param unexpected gets a line for every other response
 */
export async function answerUntil(pilot: Pilot, isOver: () => boolean, unexpected: string[]): Promise<void> {
  while (!isOver()) {
    const inbox = await send(pilot.client.call('GET', '/pilot/inbox?includeCompleted=true'));
    const order: Order | undefined = pick(inbox?.body ?? []);
    const response = pick(RSVP_RESPONSES);
    if (!order || !response || isOver()) continue;
    const answer = await send(pilot.client.call('POST', `/pilot/inbox/${order.id}/rsvp`, { response }));
    const outcome = answer === null ? 'unknown' : answer.status === 200 ? 'ok' : 'refused';
    pilot.history.push({ orderId: order.id, response, outcome });
    if (answer && ![200, 409].includes(answer.status)) unexpected.push(`${answer.status} ${answer.body.message}`);
  }
}

/** An admin, pilots who can always fly, and missions that have issued them orders. */
export async function givenAnswering(marshal: Marshal): Promise<{ admin: Client; pilots: Pilot[] }> {
  const admin = createClient(marshal);
  const pilots: Pilot[] = [];
  expect((await admin.call('POST', '/auth/login', ADMIN)).status).toBe(200);
  for (let index = 0; index < PILOTS; index += 1) {
    const client = createClient(marshal);
    const account = { email: `pilot-${index}@example.org`, password: ADMIN.password, confirmPassword: ADMIN.password };
    const { body } = await client.call('POST', '/auth/register', account);
    const slots = Array.from({ length: 7 }, (_, weekday) => [
      { weekday, startLocal: '00:00', endLocal: '12:00', aircraftCodeId: 0 },
      { weekday, startLocal: '12:00', endLocal: '00:00', aircraftCodeId: 0 },
    ]).flat();
    expect((await client.call('POST', `/users/${body.id}/availability/templates`, { slots })).status).toBe(201);
    pilots.push({ id: body.id, client, history: [] });
  }
  for (const day of MISSIONS) {
    const created = await admin.call('POST', '/admin/missions', {
      name: `Op ${day}`,
      theater: 'Syria',
      timeZone: 'UTC',
      startLocal: hoursFromNow(day * 24),
      endLocal: hoursFromNow(day * 24 + 3),
      aircraftSlots: [{ aircraftId: 2, slotCount: SEATS, side: 0, notes: 'CAP' }],
    });
    expect([created.status, created.body.issued]).toEqual([201, { orders: SEATS, openSeats: 0 }]);
  }
  return { admin, pilots };
}
