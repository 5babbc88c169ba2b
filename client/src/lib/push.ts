import { trpcClient } from './trpc.ts';

/** Whether this browser can show notifications that a server sends. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = canPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The address by which this device takes notifications; null when it takes none. */
export async function readPushEndpoint(): Promise<string | null> {
  return (await findSubscription())?.endpoint ?? null;
}

/** Why a device could not be subscribed, in a sentence for its user. */
export class PushRefused extends Error {}

/**
 * Let the server notify the viewer on this device. Asks for permission, so it may only follow a press of a button.
 * @throws PushRefused with a sentence; errors of calls as they are
 */
export async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new PushRefused('Permission was not granted, so notifications stay off.');
  }
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration === undefined) {
    throw new PushRefused("Marshal isn't ready on this device yet. Reload the page and try again.");
  }
  const { publicKey } = await trpcClient.pilot.push.key.query();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch((cause: unknown) => {
      throw new PushRefused('The push service of this browser could not be reached.', { cause });
    });
  const { endpoint, keys } = subscription.toJSON();
  try {
    await trpcClient.pilot.push.subscribe.mutate({
      endpoint: endpoint ?? '',
      keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    });
  } catch (error) {
    // What the server does not know is off, here as well.
    await subscription.unsubscribe();
    throw error;
  }
}

/**
 * Take no more notifications on this device, whoever was signed in. Does nothing where there were none.
 * @param isLeaving this browser stops even if the server cannot be told: the push service tells it at the next message
 */
export async function stopPush(isLeaving = false): Promise<void> {
  const subscription = await findSubscription();
  if (subscription === null) {
    return;
  }
  try {
    await trpcClient.pilot.push.unsubscribe.mutate({ endpoint: subscription.endpoint });
  } catch (error) {
    if (isLeaving) {
      await subscription.unsubscribe();
    }
    throw error;
  }
  await subscription.unsubscribe();
}
