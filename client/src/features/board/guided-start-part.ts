import { lazyPart } from '#client/lib/lazy-part.ts';

/** The first steps, in a chunk of their own: only new communities have them. */
export const GuidedStart = lazyPart(
  () => import('./guided-start.tsx'),
  (part) => part.GuidedStart,
);
