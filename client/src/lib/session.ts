import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignedInUserDto } from '#shared/schemas/auth.ts';
import { forgetKept } from './kept.ts';
import { finishSignOut, isSignOutPending, setSignOutPending } from './sign-out.ts';
import { trpcClient } from './trpc.ts';

/** The signed-in user as the server presents it. */
export type Viewer = SignedInUserDto;

/** Query for the signed-in user, the only place that holds it; null when signed out. */
export const viewerQuery = queryOptions({
  queryKey: ['viewer'],
  queryFn: async (): Promise<Viewer | null> =>
    // After Logout this device counts as signed out, even while the cookie still works.
    isSignOutPending() && !(await finishSignOut()) ? null : trpcClient.auth.viewer.query(),
  staleTime: Infinity,
  gcTime: Infinity,
});

/**
 * The viewer for route guards: fetched once when signed in, and every time when signed out, since another tab may have
 * signed in. A failure counts as signed out.
 */
export async function ensureViewer(client: QueryClient): Promise<Viewer | null> {
  // Logout may have been pressed in another tab
  const known = isSignOutPending() ? null : client.getQueryData(viewerQuery.queryKey);
  try {
    return known ?? (await client.fetchQuery({ ...viewerQuery, staleTime: 0 }));
  } catch {
    return null;
  }
}

/** The viewer in a component, or null. Reads the shell's query and never fetches itself. */
export function useViewer(): Viewer | null {
  return useQuery({ ...viewerQuery, enabled: false }).data ?? null;
}

/**
 * The viewer for the app shell, which fetches it.
 * @param isAsking false on a page without calls to the server; a cached viewer is still returned
 */
export function useAskedViewer(isAsking: boolean): Viewer | null {
  return useQuery({ ...viewerQuery, enabled: isAsking }).data ?? null;
}

/** The viewer inside a guarded page. After a sign-out it keeps the last viewer until the page is left. */
export function useSignedInViewer(): Viewer {
  const viewer = useViewer();
  const [last, setLast] = useState(viewer);
  if (viewer !== null && viewer !== last) {
    setLast(viewer);
  }
  const shown = viewer ?? last;
  if (shown === null) {
    throw new Error('This component must be below a signed-in route.');
  }
  return shown;
}

/** After login or registration: clears the previous viewer's data and fetches the new viewer. */
export async function rereadViewer(client: QueryClient): Promise<Viewer | null> {
  // The new sign-in replaced the old session.
  setSignOutPending(false);
  forgetOthersData(client);
  return client.fetchQuery({ ...viewerQuery, staleTime: 0 });
}

/** Removes all queries except the viewer's, because `clear()` would detach the header from it. */
function forgetOthersData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== viewerQuery.queryKey[0] });
}

/**
 * After a sign-out: clears the viewer and all their data, also what they keep on this device.
 * @returns how much of that waited to be sent
 */
export function forgetViewer(client: QueryClient): number {
  const viewer = client.getQueryData(viewerQuery.queryKey);
  const lost = viewer ? forgetKept(viewer.id) : 0;
  forgetOthersData(client);
  client.setQueryData(viewerQuery.queryKey, null);
  return lost;
}

/** Merges what is known to have changed, such as the server's answer to a profile update, into the current user. */
export function useMergeViewer(): (user: Partial<Viewer> & Pick<Viewer, 'id'>) => void {
  const client = useQueryClient();
  return (user) => {
    client.setQueryData(viewerQuery.queryKey, (current) =>
      current && current.id === user.id ? { ...current, ...user } : current,
    );
  };
}

/** Display name of a person: the call sign, or else the email. */
export function viewerName(viewer: Pick<Viewer, 'displayName' | 'email'>): string {
  return viewer.displayName ?? viewer.email;
}

export function isAdmin(viewer: Viewer | null): boolean {
  return viewer?.roles.includes('admin') ?? false;
}

/** True for an account that is no pilot yet, because an admin has to approve it or has declined it. */
export function isUnapproved(viewer: Viewer | null): boolean {
  return (viewer?.approval ?? null) !== null;
}

/** False for a suspended account, which lacks the role `user`: it can sign in, but gets no missions. */
export function isPilot(viewer: Viewer | null): boolean {
  return viewer?.roles.includes('user') ?? false;
}
