/** Offline cache of the app's own files. Answers of the API are never cached. */
import { worker, type FetchEvent } from './scope.ts';

/** Both are defined by the build (client/service-worker.ts). */
declare const __SHELL_FILES__: readonly string[];
declare const __SHELL_VERSION__: string;

const FILES: readonly string[] = __SHELL_FILES__;
const CACHE_PREFIX = 'marshal-shell-';
const CACHE = CACHE_PREFIX + __SHELL_VERSION__;
/**
 * The page served offline for every address. (The front page has prerendered contents.) It is cached with its headers, so
 * that its nonce matches its content security policy.
 */
const PAGE = '/home';
/** Folder of files with hashed names, whose contents never change. */
const HASHED = '/assets/';
/** Paths that are never answered from the cache. */
const SERVER_PATH = /^\/(api|trpc|healthz|readyz|metrics)(\/|$)/;

/** Caches all files of this release; fails if one cannot be fetched. Unchanged files are copied from an older release's cache. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    [PAGE, ...FILES].map(async (path) => {
      const kept = path.startsWith(HASHED) ? await caches.match(path, { ignoreVary: true }) : undefined;
      const response = kept ?? (await fetch(path, { cache: 'no-cache' }));
      if (!response.ok) {
        throw new Error(`${path} answered ${response.status}`);
      }
      await cache.put(path, response);
    }),
  );
}

/** Deletes the caches of older releases. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** Serves pages from the network, or else from the cache, and the app's files from the cache. */
export function answerFetch(event: FetchEvent): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) {
    return;
  }
  if (request.mode === 'navigate') {
    event.respondWith(SERVER_PATH.test(pathname) ? openOnce(event) : openPage(event));
  } else if (pathname.startsWith(HASHED) || FILES.includes(pathname)) {
    event.respondWith(openFile(request));
  }
}

/**
 * Uses the response of navigation preload. Without this, the browser would request the page a second time, and a one-time
 * address, such as the return from Discord, would already be used up.
 */
async function openOnce({ request, preloadResponse }: FetchEvent): Promise<Response> {
  return (await preloadResponse) ?? fetch(request);
}

async function openPage(event: FetchEvent): Promise<Response> {
  try {
    return await openOnce(event);
  } catch (error) {
    const shell = await caches.match(PAGE, { cacheName: CACHE });
    if (shell === undefined) {
      throw error;
    }
    return shell;
  }
}

/** Serves a file from the cache; one of a newer release is fetched and cached. */
async function openFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { cacheName: CACHE, ignoreVary: true });
  if (kept !== undefined) {
    return kept;
  }
  const response = await fetch(request);
  if (response.ok && response.status === 200) {
    const cache = await caches.open(CACHE);
    await cache.put(request, response.clone());
  }
  return response;
}
