/** Discord's ids: milliseconds since 2015 in the upper bits, so that they sort by time and tell it. */
import type { Snowflake } from './types.ts';

const DISCORD_EPOCH_MS = 1_420_070_400_000n;
const TIME_SHIFT = 22n;

let latest = 0n;

/** A new id of now, above every id made before. */
export function nextId(): Snowflake {
  const now = (BigInt(Date.now()) - DISCORD_EPOCH_MS) << TIME_SHIFT;
  latest = now > latest ? now : latest + 1n;
  return latest.toString();
}

/** The creation time of an id, in Unix milliseconds. */
export function timeOf(id: Snowflake): number {
  return Number((BigInt(id) >> TIME_SHIFT) + DISCORD_EPOCH_MS);
}

/** Negative when `a` is older than `b`. */
export function compareIds(a: Snowflake, b: Snowflake): number {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** As Discord writes instants: microseconds and an offset. */
export function discordInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/(\.\d{3})Z$/, '$1000+00:00');
}

/** The shard that gets a guild's events. */
export function shardOf(guildId: Snowflake | null, shardCount: number): number {
  return guildId === null ? 0 : Number((BigInt(guildId) >> TIME_SHIFT) % BigInt(shardCount));
}
