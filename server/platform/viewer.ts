/** The viewer, its roles, and the refusal of accounts that do not fly. */
import { sql } from 'kysely';
import { ms } from '#server/schema/database.ts';
import type { User } from '#server/schema/user.ts';
import type { ApprovalState, Role, TokenScope } from '#shared/vocabulary.ts';
import { AppError } from './errors.ts';

/** The viewer: the account that a request acts for. It is read on every request, so that a removed role counts at once. */
export interface Viewer {
  id: string;
  email: string;
  displayName: string | null;
  timeZone: string;
  roles: Role[];
  /** of an account that is not a pilot yet */
  approval: ApprovalState | null;
  createdAt: Date;
  /** since when the account has a second factor */
  secondFactorAt: Date | null;
  /** when the account will be erased, because its owner has asked for it */
  deletionDueAt: Date | null;
}

/** The viewer of an entity. */
export const viewerOf = (user: User): Viewer => ({
  id: user.id,
  email: user.email,
  displayName: user.displayName ?? null,
  timeZone: user.timeZone,
  roles: user.roles,
  approval: user.approval ?? null,
  createdAt: user.createdAt,
  secondFactorAt: user.secondFactorAt ?? null,
  deletionDueAt: user.deletionDueAt ?? null,
});

export const isAdmin = (viewer: Viewer): boolean => viewer.roles.includes('admin');
/** False for a suspended account, which lacks the role `user`: it can sign in, but pilots' calls refuse it. */
export const isPilot = (viewer: Pick<Viewer, 'roles'>): boolean => viewer.roles.includes('user');

/** True for an account that waits for approval: it can already fill in its profile and its week, unless it is being deleted. */
export const isWaiting = (viewer: Pick<Viewer, 'approval' | 'deletionDueAt'>): boolean =>
  viewer.approval === 'waiting' && !viewer.deletionDueAt;

/** 403 unless the viewer is a pilot; the sentence tells accounts that leave, wait or were declined from suspended ones. */
export function requirePilot(viewer: Pick<Viewer, 'roles' | 'approval' | 'deletionDueAt'>): void {
  if (isPilot(viewer)) return;
  if (viewer.deletionDueAt) throw new AppError('ACCOUNT_LEAVING');
  if (isWaiting(viewer)) throw new AppError('AWAITING_APPROVAL');
  if (viewer.approval === 'declined') throw new AppError('NOT_APPROVED');
  throw new AppError('SUSPENDED');
}

/**
 * True for an admin who has to set up a second factor first, where the installation asks for one. Until then the account acts
 * as a pilot.
 */
export const lacksSecondFactor = (viewer: Viewer, isRequired: boolean): boolean =>
  isRequired && isAdmin(viewer) && !viewer.secondFactorAt;

/** 403 unless the viewer is an admin, with a second factor where the installation asks for one. */
export function requireAdmin(viewer: Viewer, isFactorRequired: boolean): void {
  if (!isAdmin(viewer)) throw new AppError('ADMINS_ONLY');
  if (lacksSecondFactor(viewer, isFactorRequired)) {
    throw new AppError('ADMIN_SECOND_FACTOR_REQUIRED');
  }
}

/** The viewer without the role admin. */
export const asPilotOnly = (viewer: Viewer): Viewer => ({
  ...viewer,
  roles: viewer.roles.filter((role) => role !== 'admin'),
});

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
  'u.approval',
  ms(sql.ref<Date>('u.created_at')).as('createdMs'),
  ms(sql.ref<Date | null>('u.second_factor_at')).as('secondFactorMs'),
  ms(sql.ref<Date | null>('u.deletion_due_at')).as('deletionDueMs'),
] as const;

/** The viewer of a row of `VIEWER_COLUMNS`. */
export const toViewer = ({
  createdMs,
  secondFactorMs,
  deletionDueMs,
  ...user
}: Omit<Viewer, 'createdAt' | 'secondFactorAt' | 'deletionDueAt'> & {
  createdMs: number;
  secondFactorMs: number | null;
  deletionDueMs: number | null;
}): Viewer => ({
  ...user,
  createdAt: new Date(createdMs),
  secondFactorAt: secondFactorMs === null ? null : new Date(secondFactorMs),
  deletionDueAt: deletionDueMs === null ? null : new Date(deletionDueMs),
});
