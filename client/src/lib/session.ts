import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserDto } from '#shared/schemas/auth.ts';
import { finishSignOut, isSignOutPending, setSignOutPending } from './sign-out.ts';
import { trpcClient } from './trpc.ts';

/** The signed-in user as the server presents it. */
export type Viewer = UserDto;

/** The one place that knows who is signed in; null is "nobody". */
export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async (): Promise<Viewer | null> =>
    // After Logout nobody is signed in here, although the cookie still works.
    isSignOutPending() && !(await finishSignOut()) ? null : trpcClient.auth.viewer.query(),
  staleTime: Infinity,
  gcTime: Infinity,
});

/**
 * For guards: the viewer, asked for once; "nobody" is asked again, since another tab may have signed in meanwhile.
 * A failure counts as signed out, silently.
 */
export async function ensureViewer(client: QueryClient): Promise<Viewer | null> {
  // another tab may have been left by Logout meanwhile
  const known = isSignOutPending() ? null : client.getQueryData(viewerQuery.queryKey);
  try {
    return known ?? (await client.fetchQuery({ ...viewerQuery, staleTime: 0 }));
  } catch {
    return null;
  }
}

/** The viewer in a component, or null. Listens to what the shell asked for, and asks for nothing itself. */
export function useViewer(): Viewer | null {
  return useQuery({ ...viewerQuery, enabled: false }).data ?? null;
}

/**
 * For the shell, which stands around every page: find out who is here.
 * @param isAsking false on a page that makes no calls; whoever is known already stays known
 */
export function useAskedViewer(isAsking: boolean): Viewer | null {
  return useQuery({ ...viewerQuery, enabled: isAsking }).data ?? null;
}

/** The viewer inside a guarded page. Stays the last known one while the page is being left after a sign-out. */
export function useSignedInViewer(): Viewer {
  const viewer = useViewer();
  const [last, setLast] = useState(viewer);
  if (viewer !== null && viewer !== last) {
    setLast(viewer);
  }
  const shown = viewer ?? last;
  if (shown === null) {
    throw new Error('This component may only stand under a signed-in route.');
  }
  return shown;
}

/** After login or registration: forget what another viewer saw and ask who we are now. */
export async function rereadViewer(client: QueryClient): Promise<Viewer | null> {
  // The sign-in has ended the session that was here before.
  setSignOutPending(false);
  forgetOthersData(client);
  return client.fetchQuery({ ...viewerQuery, staleTime: 0 });
}

/** Drop all answers but the viewer's own query, to which the header is subscribed: `clear()` would leave it deaf. */
function forgetOthersData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== viewerQuery.queryKey[0] });
}

/** After a sign-out: nobody is here, and nothing of theirs stays. */
export function forgetViewer(client: QueryClient): void {
  forgetOthersData(client);
  client.setQueryData(viewerQuery.queryKey, null);
}

/** The profile answer of the server becomes the current user. */
export function useMergeViewer(): (user: Viewer) => void {
  const client = useQueryClient();
  return (user) => {
    client.setQueryData(viewerQuery.queryKey, (current) =>
      current && current.id === user.id ? { ...current, ...user } : current,
    );
  };
}

/** What screens call a person: the call sign, else the email. */
export function viewerName(viewer: Pick<Viewer, 'displayName' | 'email'>): string {
  return viewer.displayName ?? viewer.email;
}

export function isAdmin(viewer: Viewer | null): boolean {
  return viewer?.roles.includes('admin') ?? false;
}

/** Without the role `user` an account is suspended: signed in, but neither matched nor served. */
export function isPilot(viewer: Viewer | null): boolean {
  return viewer?.roles.includes('user') ?? false;
}
