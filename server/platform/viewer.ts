/** The viewer and its roles. */

import type { Role } from '#shared/vocabulary.ts';

/** The viewer: the account that a request acts for. It is read on every request, so that a removed role counts at once. */
export interface Viewer {
  id: string;
  email: string;
  displayName: string | null;
  timeZone: string;
  roles: Role[];
  createdAt: Date;
}

export const isAdmin = (viewer: Viewer): boolean => viewer.roles.includes('admin');
/** False for a suspended account, which lacks the role `user`: it can sign in, but pilots' calls refuse it. */
export const isPilot = (viewer: Pick<Viewer, 'roles'>): boolean => viewer.roles.includes('user');

/** The columns that a query for a viewer selects; `created_ms` is `ms(ref('u.created_at'))`. */
type ViewerRow = {
  id: string;
  email: string;
  display_name: string | null;
  time_zone: string;
  roles: Role[];
  created_ms: number;
};

export const toViewer = ({ id, email, display_name, time_zone, roles, created_ms }: ViewerRow): Viewer => ({
  id,
  email,
  displayName: display_name,
  timeZone: time_zone,
  roles,
  createdAt: new Date(created_ms),
});
