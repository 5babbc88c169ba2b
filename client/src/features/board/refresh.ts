/** Polling of the board, in addition to live updates. */

/** Polling interval: admins get no live updates about pilots' templates, and expected pilots change with time alone. */
export const BOARD_REFRESH_MS = 30_000;

/** Query option that keeps showing the previous answer while the next one loads. */
export function keepPrevious<Data>(previous: Data | undefined): Data | undefined {
  return previous;
}
