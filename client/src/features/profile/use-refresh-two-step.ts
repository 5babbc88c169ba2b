import { useQueryClient } from '@tanstack/react-query';
import { viewerQuery } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';

/** Rereads the second factor, the sign-in history and what the pages know of the viewer, after a change. */
export function useRefreshTwoStep(): () => Promise<void> {
  const client = useQueryClient();
  const utils = trpc.useUtils();
  return async () => {
    await Promise.all([
      utils.auth.secondFactor.invalidate(),
      client.invalidateQueries({ queryKey: viewerQuery.queryKey }),
    ]);
  };
}
