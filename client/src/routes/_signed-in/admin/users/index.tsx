import { createFileRoute } from '@tanstack/react-router';
import { UsersPage } from '#client/features/accounts/users-page.tsx';
import type { RawUsersSearch } from '#client/features/accounts/users-search.ts';

export const Route = createFileRoute('/_signed-in/admin/users/')({
  component: UsersPage,
  // As it comes: the page reads it, and the entry chunk need not.
  validateSearch: (search: RawUsersSearch) => search,
});
