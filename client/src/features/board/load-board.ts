import { queryUtils, start } from '#client/lib/query-utils.ts';

/**
 * The loader of the board. Ahead of a visit it loads all that the board shows first. With the visit it only asks for the guided
 * start, in a call of its own before those of the panels, because the board waits for it.
 */
export function loadBoard({ cause }: { cause: 'preload' | 'enter' | 'stay' }): void {
  if (cause === 'preload') start(import('./preload-board.ts').then(({ preloadBoard }) => preloadBoard()));
  else start(queryUtils.admin.community.start.prefetch());
}
