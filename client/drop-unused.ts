/** The build leaves out what tRPC's hooks bring along, Marshal does not use, and every page would load. */
import type { Plugin } from 'vite';

/** One assignment to a static field keeps the whole WebSocket link in the bundle; as "pure" it goes with its class. */
const ASSIGNMENT = '_defineProperty(WsConnection, "connectCount", 0);';

/**
 * Modules of TanStack Query that tRPC reaches for by name, with what they export: pages of endless lists, several
 * queries in one hook, suspense and prefetching hooks. Whoever wants one of them takes its line out.
 */
const UNUSED: Record<string, readonly string[]> = {
  useQueries: ['useQueries'],
  useInfiniteQuery: ['useInfiniteQuery'],
  useSuspenseQuery: ['useSuspenseQuery'],
  useSuspenseInfiniteQuery: ['useSuspenseInfiniteQuery'],
  useSuspenseQueries: ['useSuspenseQueries'],
  usePrefetchQuery: ['usePrefetchQuery'],
  usePrefetchInfiniteQuery: ['usePrefetchInfiniteQuery'],
  infiniteQueryBehavior: ['infiniteQueryBehavior', 'hasNextPage', 'hasPreviousPage'],
};

export function dropUnused(): Plugin[] {
  return [
    {
      name: 'marshal:drop-web-socket-link',
      apply: 'build',
      transform: {
        filter: { id: /@trpc[\\/]client[\\/]dist[\\/]wsLink-/ },
        handler(code) {
          if (!code.includes(ASSIGNMENT)) {
            this.warn('tRPC changed: look at what of its WebSocket link the entry holds now.');
          }
          return { code: code.replace(ASSIGNMENT, `/* @__PURE__ */ ${ASSIGNMENT}`), map: null };
        },
      },
    },
    {
      name: 'marshal:drop-unused-queries',
      apply: 'build',
      load: {
        filter: { id: /@tanstack[\\/](?:react-query|query-core)[\\/]build[\\/]modern[\\/]\w+\.js$/ },
        handler(id) {
          const names = UNUSED[/(\w+)\.js$/.exec(id)?.[1] ?? ''];
          return names
            ?.map((name) => `export const ${name} = () => { throw new Error('${name}: see client/drop-unused.ts'); };`)
            .join('\n');
        },
      },
    },
  ];
}
