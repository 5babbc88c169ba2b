/** Types of the service worker's global scope. TypeScript's own `webworker` types conflict with a page's. */

export interface ExtendableEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}

export interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith: (response: Promise<Response>) => void;
}

export interface PushEvent extends ExtendableEvent {
  data: { json: () => unknown } | null;
}

export interface NotificationEvent extends ExtendableEvent {
  notification: Notification;
  /** '' for a click on the notification itself */
  action: string;
}

interface WindowClient {
  url: string;
  focus: () => Promise<WindowClient>;
  postMessage: (message: unknown) => void;
}

/** Notification options with buttons, which TypeScript's page types lack. */
export interface WorkerNotificationOptions extends NotificationOptions {
  actions?: readonly { action: string; title: string }[];
  renotify?: boolean;
}

interface WorkerEvents {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  fetch: FetchEvent;
  push: PushEvent;
  notificationclick: NotificationEvent;
}

interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    claim: () => Promise<void>;
    matchAll: (options: { type: 'window'; includeUncontrolled: boolean }) => Promise<readonly WindowClient[]>;
    openWindow: (url: string) => Promise<WindowClient | null>;
  };
  skipWaiting: () => Promise<void>;
  addEventListener: <Type extends keyof WorkerEvents>(
    type: Type,
    listener: (event: WorkerEvents[Type]) => void,
  ) => void;
}

export const worker = globalThis as unknown as WorkerScope;
