import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Path from the service worker's message after a click on a notification; null for other messages. */
function readPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'type') !== 'open') {
    return null;
  }
  const url: unknown = Reflect.get(message, 'url');
  return typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : null;
}

function register(): void {
  navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    console.warn('The service worker could not be registered', error);
  });
}

/**
 * Registers the service worker (offline use) after the page has loaded, and opens the pages that notifications link to.
 * Does nothing in `npm run dev` and in browsers without service workers.
 */
export function useServiceWorker(): void {
  const router = useRouter();
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) {
      return;
    }
    const open = ({ data }: MessageEvent): void => {
      const path = readPath(data);
      if (path !== null) {
        router.history.push(path);
      }
    };
    navigator.serviceWorker.addEventListener('message', open);
    if (document.readyState === 'complete') {
      register();
    } else {
      addEventListener('load', register, { once: true });
    }
    return () => {
      navigator.serviceWorker.removeEventListener('message', open);
      removeEventListener('load', register);
    };
  }, [router]);
}
