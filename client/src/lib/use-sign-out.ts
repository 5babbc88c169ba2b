import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetViewer } from './session.ts';
import { trpc } from './trpc.ts';

/**
 * Sign out: this device's notifications, the server's session, then everything this page knows. A failed call is only
 * logged.
 */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const logout = trpc.auth.logout.useMutation();
  return async () => {
    try {
      // The next one here must not read what is meant for this one.
      if (globalThis.Notification?.permission === 'granted') {
        await import('./push.ts').then(({ stopPush }) => stopPush());
      }
    } catch (error) {
      console.error('Notifications stay on', error);
    }
    try {
      await logout.mutateAsync();
    } catch (error) {
      console.error('Logout failed', error);
    }
    await navigate({ to: '/login', replace: true });
    forgetViewer(client);
  };
}
