/** The viewer, its roles, and the refusal of accounts that do not fly. */
import { sql } from 'kysely';
import { ms } from '#server/schema/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import type { Role, TokenScope } from '#shared/vocabulary.ts';

/** The viewer: the account that a request acts for. It is read on every request, so that a removed role counts at once. */
export interface Viewer {
  id: string;
  email: string;
  displayName: string | null;
  timeZone: string;
  roles: Role[];
  createdAt: Date;
  /** when the account will be erased, because its owner has asked for it */
  deletionDueAt?: Date | null | undefined;
}

export const isAdmin = (viewer: Viewer): boolean => viewer.roles.includes('admin');
/** False for a suspended account, which lacks the role `user`: it can sign in, but pilots' calls refuse it. */
export const isPilot = (viewer: Pick<Viewer, 'roles'>): boolean => viewer.roles.includes('user');

/** 403 for an account that does not fly: suspended, or about to be deleted. */
export function requirePilot(viewer: Pick<Viewer, 'roles' | 'deletionDueAt'>): void {
  if (isPilot(viewer)) return;
  if (viewer.deletionDueAt) throw new AppError('ACCOUNT_LEAVING', copy.accountLeaving);
  throw new AppError('SUSPENDED', copy.suspended);
}

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
  ms(sql.ref<Date | null>('u.deletion_due_at')).as('deletionDueMs'),
] as const;

/** The viewer of a row of `VIEWER_COLUMNS`. */
export const toViewer = ({
  createdMs,
  deletionDueMs,
  ...user
}: Omit<Viewer, 'createdAt' | 'deletionDueAt'> & { createdMs: number; deletionDueMs: number | null }): Viewer => ({
  ...user,
  createdAt: new Date(createdMs),
  deletionDueAt: deletionDueMs === null ? null : new Date(deletionDueMs),
});
