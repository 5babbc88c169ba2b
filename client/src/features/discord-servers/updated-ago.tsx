import { formatDuration } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/** Age of the data: `updated 12 s ago`. @param at epoch milliseconds */
export function UpdatedAgo({ at }: { at: number }) {
  const age = Math.max(0, useNow(SECOND_MS).getTime() - at);
  return <>updated {age < MINUTE_MS ? `${Math.floor(age / SECOND_MS)} s` : formatDuration(age)} ago</>;
}
