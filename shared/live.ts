/** Live update events (SSE): they name the topic that changed and carry no data, so open pages refetch it. */

/** Endpoint of the server-sent event stream. */
export const LIVE_PATH = '/api/v1/pilot/events';

/**
 * Topics: `orders` (inbox, accepted missions, one order), `availability` (templates, dated windows), `status` (the
 * stoplight), `stats` (the public counters), `missions` (the admins' boards), `profile` (name, zone, roles,
 * proficiencies), `guilds` (Discord servers, for admins), `aircraft` (the types that are offered),
 * `thread` (comments on missions), `community` (settings, invites and waiting accounts, for admins), `all` (events may have been missed, so pages refetch everything).
 */
export const LIVE_TOPICS = [
  'orders',
  'availability',
  'status',
  'stats',
  'missions',
  'profile',
  'guilds',
  'aircraft',
  'thread',
  'community',
  'all',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface LiveEvent {
  topic: LiveTopic;
  /** identifies the change: events of one topic with the same version are duplicates. Versions are not ordered. */
  version: number;
}

/** @param data of a server-sent event @returns null for an unknown topic or malformed data */
export function readLiveEvent(data: string): LiveEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const topic = LIVE_TOPICS.find((known) => known === Reflect.get(value, 'topic'));
  const version: unknown = Reflect.get(value, 'version');
  return topic !== undefined && typeof version === 'number' ? { topic, version } : null;
}
