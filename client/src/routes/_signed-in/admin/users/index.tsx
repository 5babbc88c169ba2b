import { createFileRoute } from '@tanstack/react-router';
import { UsersPage } from '#client/features/accounts/users-page.tsx';
import type { RawUsersSearch } from '#client/features/accounts/users-search.ts';

export const Route = createFileRoute('/_signed-in/admin/users/')({
  component: UsersPage,
  // Parsed by the page, to keep the parser out of the entry chunk.
  validateSearch: (search: RawUsersSearch) => search,
});
