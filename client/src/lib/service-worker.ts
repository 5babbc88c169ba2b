import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The page that a press on a notification asks for, as sw.js posts it; null for anything else. */
function readPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'type') !== 'open') {
    return null;
  }
  const url: unknown = Reflect.get(message, 'url');
  return typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : null;
}

function register(): void {
  navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    console.warn('Marshal is not kept on this device', error);
  });
}

/**
 * Keep the app on this device for times without a network, once the page has all it needs itself, and go where
 * notifications lead. Browsers that cannot do it miss nothing else; `npm run dev` does not.
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
