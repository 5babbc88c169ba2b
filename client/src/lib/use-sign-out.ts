import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetViewer } from './session.ts';
import { trpc } from './trpc.ts';

/** Sign out: the server's session first, then everything this page knows. A failed call is only logged. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const logout = trpc.auth.logout.useMutation();
  return async () => {
    try {
      await logout.mutateAsync();
    } catch (error) {
      console.error('Logout failed', error);
    }
    await navigate({ to: '/login', replace: true });
    forgetViewer(client);
  };
}
