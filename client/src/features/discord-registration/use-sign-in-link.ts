import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorMessage } from '#client/lib/errors.ts';
import { rereadViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { discordCopy } from './discord-text.ts';

/**
 * Sign in by a one-time link, on a person's click only: programs that open links to preview or scan them must not use
 * them up.
 */
export function useSignInLink(): { redeem: (token: string) => void; isPending: boolean; error: string | null } {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<string | null>(null);
  const redeem = trpc.auth.redeemSignInLink.useMutation({
    onSuccess: async ({ needsCredentials }) => {
      await rereadViewer(client);
      await navigate({ to: needsCredentials ? '/credentials' : '/home', replace: true });
    },
    onError: (cause) => setError(errorMessage(cause, discordCopy.signInFailed)),
  });
  return {
    redeem: (token) => {
      setError(null);
      redeem.mutate({ token });
    },
    isPending: redeem.isPending || redeem.isSuccess,
    error,
  };
}

/** The secret at the end of the server's link. */
export function tokenOfLink(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
