/** The viewer and its roles. */
import { sql } from 'kysely';
import { ms } from '#server/schema/database.ts';
import type { Role, TokenScope } from '#shared/vocabulary.ts';

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

/** The roles that an access token leaves its owner: without the scope admin, an admin acts as a pilot. */
export const rolesWithin = (roles: readonly Role[], scopes: readonly TokenScope[]): Role[] =>
  roles.filter((role) => role !== 'admin' || scopes.includes('admin'));

/** The columns of a viewer, of `app_user` under the name `u`. */
export const VIEWER_COLUMNS = [
  'u.id',
  'u.email',
  'u.display_name as displayName',
  'u.time_zone as timeZone',
  'u.roles',
  ms(sql.ref<Date>('u.created_at')).as('createdMs'),
] as const;

/** The viewer of a row of `VIEWER_COLUMNS`. */
export const toViewer = ({ createdMs, ...user }: Omit<Viewer, 'createdAt'> & { createdMs: number }): Viewer => ({
  ...user,
  createdAt: new Date(createdMs),
});
