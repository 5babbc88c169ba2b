/** Audience of live updates, by topic: the pilots named with a change, all admins, or all open pages. */
import type { LiveTopic } from '#shared/live.ts';

/** A notification holds less than 8,000 bytes, and an id takes 40 of them. */
export const IDS_PER_SIGNAL = 150;

/** `session` is not sent to pages: each process checks that the sessions of these users are still live. */
export type SignalTopic = Exclude<LiveTopic, 'all'> | 'session';

const AUDIENCE_OF = {
  orders: 'pilots',
  availability: 'pilots',
  status: 'pilots',
  profile: 'pilots',
  session: 'pilots',
  missions: 'admins',
  guilds: 'admins',
  community: 'admins',
  stats: 'everybody',
  aircraft: 'everybody',
  // it says only that somebody has written somewhere
  thread: 'everybody',
} as const satisfies Record<SignalTopic, 'pilots' | 'admins' | 'everybody'>;

type TopicFor<Hearers> = {
  [Topic in SignalTopic]: (typeof AUDIENCE_OF)[Topic] extends Hearers ? Topic : never;
}[SignalTopic];
export type PilotTopic = TopicFor<'pilots'>;
/** A topic, with account ids if it concerns pilots. */
export type Change = TopicFor<'admins' | 'everybody'> | readonly [PilotTopic, readonly string[]];
export type Audience = readonly string[] | 'admins' | 'everybody';

function splitIds(pilotIds: readonly string[]): string[][] {
  const ids = [...new Set(pilotIds)].sort();
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_SIGNAL) }, (_, chunk) =>
    ids.slice(chunk * IDS_PER_SIGNAL, (chunk + 1) * IDS_PER_SIGNAL),
  );
}

/** One signal for each audience of a change; a long list of pilots is split to fit into notifications. */
export function addressChange(change: Change): { topic: SignalTopic; to: Audience }[] {
  if (typeof change === 'string') return [{ topic: change, to: AUDIENCE_OF[change] }];
  const [topic, pilotIds] = change;
  return splitIds(pilotIds).map((to) => ({ topic, to }));
}
