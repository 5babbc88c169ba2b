import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetRecentCommands } from './palette.ts';
import { count, nounOf } from '#shared/plural.ts';
import { forgetViewer } from './session.ts';
import { showToast } from './toast.ts';
import { finishSignOut, setSignOutPending } from './sign-out.ts';

/**
 * Signs out: ends this device's notifications and the server's session, then clears the cache. If the server cannot be
 * reached, the page is left all the same, and `SignOutNotice` keeps trying.
 */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      // The next user of this device must not see this user's notifications.
      if (globalThis.Notification?.permission === 'granted') {
        await import('./push.ts').then(({ stopPush }) => stopPush(true));
      }
    } catch (error) {
      console.error('Notifications stay on', error);
    }
    if (!(await finishSignOut())) {
      setSignOutPending(true);
    }
    forgetRecentCommands();
    await navigate({ to: '/login', replace: true });
    const lost = forgetViewer(client);
    if (lost > 0) {
      showToast(`${count(lost, 'change')} that waited for the network ${nounOf(lost, 'was', 'were')} not sent.`, {
        signal: 'yellow',
      });
    }
  };
}
