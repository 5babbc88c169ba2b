import { addDays } from '#client/lib/wall-time.ts';

/** Asks for the missions that can be under way or start within 24 hours: one may have begun yesterday. */
export const eveningInput = (today: string, tz: string) => ({ from: addDays(today, -1), to: addDays(today, 1), tz });
