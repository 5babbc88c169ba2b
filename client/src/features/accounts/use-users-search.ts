import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { readUsersSearch, writeUsersSearch, type RawUsersSearch, type UsersSearch } from './users-search.ts';

export interface UsersAddress {
  search: UsersSearch;
  /** anything but a page goes to the first page; `replace` leaves no step behind for Back */
  change: (part: Partial<UsersSearch>, options?: { replace?: boolean }) => void;
  hrefOf: (page: number) => string;
}

/** The list that the address names, and the way to another one. */
export function useUsersSearch(): UsersAddress {
  const search = readUsersSearch(useSearch({ from: '/_signed-in/admin/users/' }));
  const navigate = useNavigate();
  const router = useRouter();
  // Over what the address says by then: typing is asked for late, when the role or the order may be another one.
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
