/** Service worker: caches the app for offline use and shows push notifications. */
import { handlePress, showPush } from './notifications.ts';
import { worker } from './scope.ts';
import { answerFetch, dropOldShells, keepShell } from './shell.ts';

// A new release takes over at once. Open pages of the old one fetch missing files or reload (lib/reload-after-release.ts).
worker.addEventListener('install', (event) => event.waitUntil(keepShell().then(() => worker.skipWaiting())));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('fetch', answerFetch);
worker.addEventListener('push', showPush);
worker.addEventListener('notificationclick', handlePress);

async function takeOver(): Promise<void> {
  await dropOldShells();
  // Page requests then do not wait for the worker to start.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}
