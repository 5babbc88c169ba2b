import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorCode } from '#client/lib/errors.ts';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { rereadViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { discordCopy } from './discord-text.ts';

/**
 * Signs in with a one-time link, only on a click: link previews and scanners must not use the link up.
 */
export function useSignInLink(): { redeem: (token: string) => void; isPending: boolean; error: Told } {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<Told>(null);
  const redeem = trpc.auth.redeemSignInLink.useMutation({
    onSuccess: async ({ needsCredentials }) => {
      await rereadViewer(client);
      await navigate({ to: needsCredentials ? '/credentials' : '/home', replace: true });
    },
    onError: (cause) => {
      if (errorCode(cause) === 'SECOND_FACTOR_REQUIRED')
        void navigate({ to: '/login', replace: true, state: { secondStep: true } });
      else setError(failureOf(cause, discordCopy.signInFailed));
    },
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

/** The token at the end of a sign-in link. */
export function tokenOfLink(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
