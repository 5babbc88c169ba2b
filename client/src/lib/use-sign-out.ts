import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetViewer } from './session.ts';
import { finishSignOut, setSignOutPending } from './sign-out.ts';

/**
 * Sign out: this device's notifications, the server's session, then everything this page knows. Where the server cannot
 * be told, the page is left all the same, and `SignOutNotice` says so and goes on trying.
 */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      // The next one here must not read what is meant for this one.
      if (globalThis.Notification?.permission === 'granted') {
        await import('./push.ts').then(({ stopPush }) => stopPush(true));
      }
    } catch (error) {
      console.error('Notifications stay on', error);
    }
    if (!(await finishSignOut())) {
      setSignOutPending(true);
    }
    await navigate({ to: '/login', replace: true });
    forgetViewer(client);
  };
}
