/** History of pilots' answers, and the invariants after any kill. */
import type { Rsvp, RsvpResponse } from '#shared/vocabulary.ts';

/** One answer to a frag order, in the order its pilot sent them. */
export interface Attempt {
  orderId: string;
  response: RsvpResponse;
  /** acknowledged, refused with a sentence, or unknown: the connection or the database was lost */
  outcome: 'ok' | 'refused' | 'unknown';
}

/**
 * All answers that an order may have after these attempts: the last acknowledged one, or a later one with an unknown
 * outcome. A pilot on standby may also have got a seat.
 */
export function possibleAnswers(attempts: readonly Attempt[]): Set<Rsvp> {
  const last = attempts.findLastIndex(({ outcome }) => outcome === 'ok');
  const unknown = attempts.slice(last + 1).filter(({ outcome }) => outcome === 'unknown');
  const possible = new Set<Rsvp>([attempts[last]?.response ?? 'pending', ...unknown.map(({ response }) => response)]);
  if (possible.has('standby')) possible.add('accepted');
  return possible;
}

/** @param found each order's answer as the service shows it now @returns a line for every answer that got lost */
export function findLost(history: readonly Attempt[], found: ReadonlyMap<string, Rsvp>): string[] {
  return [...Map.groupBy(history, ({ orderId }) => orderId)].flatMap(([orderId, attempts]) => {
    const rsvp = found.get(orderId);
    const possible = possibleAnswers(attempts);
    if (rsvp !== undefined && possible.has(rsvp)) return [];
    return [`${orderId} shows ${rsvp ?? 'nothing'} after ${[...possible].join(' or ')}`];
  });
}

export interface Holder {
  missionId: string;
  flightId: string;
  seatIndex: number;
  userId: string;
}

/** @returns a line for every seat with two holders and every pilot with two seats in a mission */
export function findDoubles(holders: readonly Holder[]): string[] {
  const repeated = (what: string, keyOf: (holder: Holder) => string) =>
    [...Map.groupBy(holders, keyOf)].flatMap(([key, all]) => (all.length > 1 ? [`${what} ${key}`] : []));
  return [
    ...repeated('seat', ({ flightId, seatIndex }) => `${flightId}:${seatIndex}`),
    ...repeated('pilot', ({ missionId, userId }) => `${missionId} ${userId}`),
  ];
}
