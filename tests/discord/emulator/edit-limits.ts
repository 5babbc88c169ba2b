/** Limits of edits that depend on the message, beside the bucket of the call. */
import { refusals } from './errors.ts';
import { timeOf } from './ids.ts';
import { isPublished } from './messages.ts';
import type { Channel, Message, World } from './state.ts';
import type { Rate } from './types.ts';

const HOUR_MS = 3_600_000;
/**
 * Discord publishes the code, and not the rate: "Messages older than 1 hour may only be edited 3 times per 6-second window per
 * channel", https://github.com/discord-userdoccers/discord-userdoccers/pull/551. It comes as a 429:
 * https://github.com/aikaterna/aikaterna-cogs/issues/302
 */
const OLD: Rate = { count: 3, perMs: 6000 };
/** "Bots can only update published messages 3 times per hour", https://github.com/discord/discord-api-docs/issues/2258 */
const PUBLISHED: Rate = { count: 3, perMs: HOUR_MS };

/** Times of the edits of each channel's old messages, and of each published message. */
const times = new WeakMap<Channel | Message, number[]>();

/** Counts an edit. @returns how long to wait; 0 if it is in time */
function take(of: Channel | Message, { count, perMs }: Rate): number {
  const now = Date.now();
  const recent = (times.get(of) ?? []).filter((ms) => ms > now - perMs);
  const waitMs = recent.length < count ? 0 : (recent.at(-count) ?? now) + perMs - now;
  times.set(of, waitMs > 0 ? recent : [...recent, now]);
  return waitMs;
}

/** @throws DiscordError 20022, 30046 */
export function checkMayEditAgain(world: World, channel: Channel, message: Message): void {
  if (isPublished(message)) {
    const waitMs = take(message, world.rates.get('published edits') ?? PUBLISHED);
    if (waitMs > 0) throw refusals.announcementEditedTooOften(waitMs);
  }
  if (Date.now() - timeOf(message.id) < HOUR_MS) return;
  const waitMs = take(channel, world.rates.get('old edits') ?? OLD);
  if (waitMs > 0) throw refusals.oldMessagesEditedTooOften(waitMs);
}
