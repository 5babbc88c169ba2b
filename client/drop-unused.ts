/** Vite plugins that remove unused parts of tRPC and TanStack Query from the bundle. */
import type { Plugin } from 'vite';

/** This static assignment keeps the whole WebSocket link in the bundle; marked as pure, it is removed with its class. */
const ASSIGNMENT = '_defineProperty(WsConnection, "connectCount", 0);';

/**
 * Modules of TanStack Query that tRPC imports but Marshal does not use, with their exports: infinite queries, multiple
 * queries in one hook, suspense and prefetching hooks. To use one, remove its line.
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
            this.warn('tRPC has changed: check if the entry chunk contains its WebSocket link.');
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
