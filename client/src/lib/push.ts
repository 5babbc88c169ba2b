import { trpcClient } from './trpc.ts';

/** True when this browser supports web push. */
export function canPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = canPush() ? await navigator.serviceWorker.getRegistration() : undefined;
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Push endpoint of this device; null when notifications are off. */
export async function readPushEndpoint(): Promise<string | null> {
  return (await findSubscription())?.endpoint ?? null;
}

/** Failure to subscribe a device, with a sentence for the user. */
export class PushRefused extends Error {}

/**
 * Subscribes this device to notifications. It asks for permission, so it must run in the handler of a click.
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
    // Without the server's record the subscription must not stay on.
    await subscription.unsubscribe();
    throw error;
  }
}

/**
 * Ends notifications on this device for any account. Does nothing where there were none.
 * @param isLeaving unsubscribe even if the call fails; the server learns of it with the next message it sends
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
