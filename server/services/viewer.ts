import type { Role } from '#shared/vocabulary.ts';

/** Who asks, read from the database with every request, so that a role taken away is gone at once. */
export interface Viewer {
  id: string;
  email: string;
  displayName: string | null;
  timeZone: string;
  roles: Role[];
  createdAt: Date;
}

export const isAdmin = (viewer: Viewer): boolean => viewer.roles.includes('admin');
/** Without the role `user` an account is suspended: signed in, but neither matched nor served. */
export const isPilot = (viewer: Viewer): boolean => viewer.roles.includes('user');
