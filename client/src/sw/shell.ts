/** The app's own files, kept on the device. What the server says about people and missions never is. */
import { worker, type FetchEvent } from './scope.ts';

/** Both put in by the build (client/service-worker.ts). */
declare const __SHELL_FILES__: readonly string[];
declare const __SHELL_VERSION__: string;

const FILES: readonly string[] = __SHELL_FILES__;
const CACHE_PREFIX = 'marshal-shell-';
const CACHE = CACHE_PREFIX + __SHELL_VERSION__;
/**
 * The page that stands in for every other; the front page has contents of its own. It is kept as it was served: its nonce
 * and the policy that names it stay together.
 */
const PAGE = '/home';
/** Their names carry a hash: whatever has the name has the contents. */
const HASHED = '/assets/';
/** Answered by the server alone. */
const SERVER_PATH = /^\/(api|trpc|healthz|readyz|metrics)(\/|$)/;

/** Fetch all of the shell, or fail and leave everything as it was; what an older release has kept is taken over. */
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

/** Drop what older releases have kept. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** Pages come from the network, and without one from the shell, which says so. The shell's files come from the device. */
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
 * The browser asks for a page while this worker wakes up, and asks again when the worker leaves the answer to it: what is
 * good once, such as the way back from Discord, would be used up by then.
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

/** A file of a release that is newer than this worker is kept as it comes. */
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
