/** What sw.js posts when a notification was pressed. */
function readPath(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'type') !== 'open') {
    return null;
  }
  const url: unknown = Reflect.get(message, 'url');
  return typeof url === 'string' && /^\/(?!\/)/.test(url) ? url : null;
}

/**
 * Keep the app on this device for times without a network. Browsers that cannot do it miss nothing else.
 * @param openPath goes to a page of this app, when a notification asks for it
 */
export function startServiceWorker(openPath: (path: string) => void): void {
  if (!('serviceWorker' in navigator)) {
    return;
  }
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    const path = readPath(data);
    if (path !== null) {
      openPath(path);
    }
  });
  navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    console.warn('Marshal is not kept on this device', error);
  });
}
