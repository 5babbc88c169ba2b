import { z } from '#shared/zod.ts';
import { ADMIN_PAGE_SIZE } from '#shared/limits.ts';
import { ROLES, USER_SORTS } from '#shared/vocabulary.ts';

/** The longest text that the server looks for. */
export const QUERY_MAX_LENGTH = 200;
const PAGE_MAX = 1_000_000;

/** A text of digits alone was read as a number on its way out of the address. */
const text = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .pipe(z.string().trim().max(QUERY_MAX_LENGTH));

const usersSearch = z.object({
  page: z.int().min(1).max(PAGE_MAX).catch(1),
  query: text.catch(''),
  role: z.enum(['all', ...ROLES]).catch('all'),
  sort: z.enum(USER_SORTS).catch('displayName'),
  direction: z.enum(['asc', 'desc']).catch('asc'),
});

/** What the address says, unread. */
export type RawUsersSearch = { [Key in keyof UsersSearch]?: unknown };

/** What is shown of the list: every part stands in the address. */
export type UsersSearch = z.infer<typeof usersSearch>;

/** Whatever the address says, as a list that exists: what cannot be read falls back to the beginning. */
export function readUsersSearch(raw: RawUsersSearch): UsersSearch {
  return usersSearch.parse(raw);
}

/** For the address: only what differs from the beginning. */
export function writeUsersSearch(search: UsersSearch): RawUsersSearch {
  const initial = new Map<string, unknown>(Object.entries(usersSearch.parse({})));
  return Object.fromEntries(Object.entries(search).filter(([key, value]) => value !== initial.get(key)));
}

/** The same for the server, without the page. */
export function usersFilter({ query, role, sort, direction }: UsersSearch) {
  return {
    sort,
    direction,
    ...(query === '' ? {} : { query }),
    ...(role === 'all' ? {} : { role: [role] }),
  };
}

/** One page of the list as the screen asks for it. */
export function usersInput(search: UsersSearch) {
  return { ...usersFilter(search), page: search.page, pageSize: ADMIN_PAGE_SIZE };
}
