/** Refreshes the board at intervals, beside live updates. */

/** Templates of pilots are not announced to admins, and time alone changes who is expected. */
export const BOARD_REFRESH_MS = 30_000;

/** The old answer stays in sight while the next one is on its way. */
export function keepPrevious<Data>(previous: Data | undefined): Data | undefined {
  return previous;
}
