/** The gateway's limit of what a connection sends. */
/** "Apps can send 120 gateway events per connection every 60 seconds", https://docs.discord.com/developers/events/gateway#rate-limiting */
export const MOST_SENDS = 120;
const WINDOW_MS = 60_000;

/** Counts what a connection sends. */
export function createSendCount() {
  let recentMs: number[] = [];
  return {
    /** @returns false for a payload that comes too soon */
    take(): boolean {
      const now = Date.now();
      recentMs = recentMs.filter((ms) => ms > now - WINDOW_MS);
      recentMs.push(now);
      return recentMs.length <= MOST_SENDS;
    },
  };
}
