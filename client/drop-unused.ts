/** Vite plugins that remove from the bundle what no page uses: parts of tRPC, TanStack Query, zod and Mantine, older formats of fonts, and the schemas' documentation. */
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

/** Hooks that tRPC makes of those, and its subscriptions: Marshal has its own event stream. */
const UNUSED_HOOKS =
  /^\t\t(?:usePrefetchQuery|useSuspenseQuer(?:y|ies)|useQueries|useSubscription|use(?:Prefetch|Suspense)?InfiniteQuery)\b.*\n/gm;
const UNUSED_HOOK_COUNT = 8;

/**
 * Modules of Mantine that the theme replaces, with what stands for them: its default colours, the CSS variables that the
 * style sheet has (theme-css.ts), classes that hide elements by width, and colours computed from others.
 */
const UNUSED_MANTINE: Record<string, string> = {
  'default-colors': 'export const DEFAULT_COLORS = {};',
  'default-variant-colors-resolver': 'export const defaultVariantColorsResolver = () => ({});',
  luminance: 'export const isLightColor = () => false; export const luminance = () => 0;',
  MantineClasses: 'export const MantineClasses = () => null;',
  MantineCssVariables: 'export const MantineCssVariables = () => null;',
};

/** Mantine's toasts only need a class name of this library, which keeps pages from scrolling behind Mantine's modals. */
const REMOVE_SCROLL = "export const RemoveScroll = { classNames: { zeroRight: 'right-scroll-bar-position' } };";

/** The first function of zod's JSON Schema module that only writes schemas; those before it read limits of fields. */
const FIRST_SCHEMA_WRITER = 'export const stringProcessor';
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/** A module with the same exports, which throw when they are called; those of `later` do so when their result is. */
function withoutBodies(code: string, later: RegExp): string {
  const stubs = [...code.matchAll(EXPORTED)].map(([, name = '']) =>
    later.test(name) ? `export const ${name} = () => dropped;` : `export const ${name} = dropped;`,
  );
  return [
    "const dropped = () => { throw new Error('JSON Schema: see client/drop-unused.ts'); };",
    ...stubs,
    'export { dropped as process };',
  ].join('\n');
}

/** The parts `.meta(…)` of a module, from the dot to the closing parenthesis, in order. */
function metaCalls(node: unknown): [start: number, end: number][] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(metaCalls);
  const { type, callee, end } = node as { type?: string; callee?: MemberExpression; end?: number };
  const isMeta = type === 'CallExpression' && callee?.type === 'MemberExpression' && callee.property.name === 'meta';
  return isMeta && end !== undefined ? [[callee.object.end, end], ...below] : below;
}
interface MemberExpression {
  type: string;
  object: { end: number };
  property: { name?: string };
}

/** A module without its `.meta(…)` parts; none of them contains another. */
function withoutMeta(code: string, program: unknown): string {
  const cuts = metaCalls(program).toSorted(([one], [other]) => other - one);
  return cuts.reduce((text, [start, end]) => text.slice(0, start) + text.slice(end), code);
}

export function dropUnused(): Plugin[] {
  return [
    {
      // Names, descriptions and examples are for the OpenAPI document, which the server writes.
      name: 'marshal:drop-schema-docs',
      apply: 'build',
      transform: {
        filter: { id: /shared[\\/]schemas[\\/][\w-]+\.ts$/ },
        handler(code) {
          return { code: withoutMeta(code, this.parse(code)), map: null };
        },
      },
    },
    {
      // The pages validate with the schemas; only the server describes them.
      name: 'marshal:drop-json-schema',
      apply: 'build',
      transform: {
        filter: { id: /zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/ },
        handler(code, id) {
          if (id.endsWith('to-json-schema.js')) return { code: withoutBodies(code, /^create/), map: null };
          const at = code.indexOf(FIRST_SCHEMA_WRITER);
          if (at < 0) this.error('zod has changed: see FIRST_SCHEMA_WRITER in client/drop-unused.ts.');
          const stubs = withoutBodies(code.slice(at), /^$/).replace(/\nexport \{.*$/, '');
          return { code: code.slice(0, at) + stubs, map: null };
        },
      },
    },
    {
      name: 'marshal:drop-remove-scroll',
      apply: 'build',
      load: { filter: { id: /react-remove-scroll[\\/]dist[\\/]es2015[\\/]index\.js$/ }, handler: () => REMOVE_SCROLL },
    },
    {
      // All supported browsers read WOFF2.
      name: 'marshal:drop-woff',
      enforce: 'pre',
      apply: 'build',
      transform: {
        filter: { id: /@fontsource[\\/].*\.css$/ },
        handler: (code) => ({ code: code.replaceAll(/, url\([^)]*\.woff\) format\('woff'\)/g, ''), map: null }),
      },
    },
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
      name: 'marshal:drop-unused-hooks',
      apply: 'build',
      transform: {
        filter: { id: /@trpc[\\/]react-query[\\/]dist[\\/]shared-/ },
        handler(code) {
          const hooks = code.slice(code.lastIndexOf('\treturn {\n\t\tProvider:'));
          if (hooks.match(UNUSED_HOOKS)?.length !== UNUSED_HOOK_COUNT) {
            this.warn('tRPC has changed: check if the vendor chunk contains its unused hooks.');
          }
          return { code: code.replace(hooks, hooks.replace(UNUSED_HOOKS, '')), map: null };
        },
      },
    },
    {
      name: 'marshal:drop-unused-mantine',
      apply: 'build',
      load: {
        filter: { id: /@mantine[\\/]core[\\/]esm[\\/]core[\\/]MantineProvider[\\/].*\.mjs$/ },
        handler: (id) => UNUSED_MANTINE[/([\w-]+)\.mjs$/.exec(id)?.[1] ?? ''],
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
