import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { readUsersSearch, writeUsersSearch, type RawUsersSearch, type UsersSearch } from './users-search.ts';

export interface UsersAddress {
  search: UsersSearch;
  /** changes the search and returns to page 1, unless `part` sets a page; `replace` adds no history entry */
  change: (part: Partial<UsersSearch>, options?: { replace?: boolean }) => void;
  hrefOf: (page: number) => string;
}

/** Search state of the user list, kept in the address. */
export function useUsersSearch(): UsersAddress {
  const search = readUsersSearch(useSearch({ from: '/_signed-in/admin/users/' }));
  const navigate = useNavigate();
  const router = useRouter();
  // Merged into the current address, because the debounced text may arrive after another change.
  const address = (part: Partial<UsersSearch>) =>
    ({
      to: '/admin/users',
      search: (old: RawUsersSearch) => writeUsersSearch({ ...readUsersSearch(old), page: 1, ...part }),
    }) as const;
  return {
    search,
    change: (part, { replace = false } = {}) => void navigate({ ...address(part), replace, resetScroll: false }),
    hrefOf: (page) => router.buildLocation(address({ page })).href,
  };
}
