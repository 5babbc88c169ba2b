/** Live updates: what changed elsewhere is told to open pages by name only; they read the change where they always do. */

/** Where a page listens, as server-sent events. */
export const LIVE_PATH = '/api/v1/pilot/events';

/**
 * What can change: `orders` (inbox, accepted missions, one order), `availability` (templates, dated windows), `status`
 * (the stoplight), `stats` (the public counters), `missions` (the admins' boards), `profile` (name, zone, roles,
 * proficiencies), `guilds` (Discord servers, for admins). `all`: something may have been missed, so everything that is open is read again.
 */
export const LIVE_TOPICS = [
  'orders',
  'availability',
  'status',
  'stats',
  'missions',
  'profile',
  'guilds',
  'all',
] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

export interface LiveEvent {
  topic: LiveTopic;
  /** names the change: two events of one topic with the same version are one change. Larger is not always later. */
  version: number;
}

/** @param data of a server-sent event @returns null for anything that this page does not understand */
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
