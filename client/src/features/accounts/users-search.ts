import { z } from '#shared/zod.ts';
import { ADMIN_PAGE_SIZE } from '#shared/limits.ts';
import { ROLES, USER_SORTS } from '#shared/vocabulary.ts';

/** Maximum length of a search text, as on the server. */
export const QUERY_MAX_LENGTH = 200;
const PAGE_MAX = 1_000_000;

/** The router parses digits in the address as a number; turn them back into text. */
const text = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String)])
  .pipe(z.string().trim().max(QUERY_MAX_LENGTH));

const usersSearch = z.object({
  /** the list of bans has no route of its own, which every visitor would load */
  list: z.enum(['users', 'bans']).catch('users'),
  page: z.int().min(1).max(PAGE_MAX).catch(1),
  query: text.catch(''),
  role: z.enum(['all', ...ROLES]).catch('all'),
  aircraft: z.enum(['all', 'none']).catch('all'),
  sort: z.enum(USER_SORTS).catch('displayName'),
  direction: z.enum(['asc', 'desc']).catch('asc'),
});

/** Unparsed search parameters. */
export type RawUsersSearch = { [Key in keyof UsersSearch]?: unknown };

/** Search state of the user list. */
export type UsersSearch = z.infer<typeof usersSearch>;

/** Parses search parameters; invalid ones fall back to their defaults. */
export function readUsersSearch(raw: RawUsersSearch): UsersSearch {
  return usersSearch.parse(raw);
}

/** Search parameters for the address, without defaults. */
export function writeUsersSearch(search: UsersSearch): RawUsersSearch {
  const initial = new Map<string, unknown>(Object.entries(usersSearch.parse({})));
  return Object.fromEntries(Object.entries(search).filter(([key, value]) => value !== initial.get(key)));
}

/** Input of the server call, without the page. */
export function usersFilter({ query, role, aircraft, sort, direction }: UsersSearch) {
  return {
    sort,
    direction,
    ...(query === '' ? {} : { query }),
    ...(role === 'all' ? {} : { role: [role] }),
    ...(aircraft === 'all' ? {} : { noAircraft: true }),
  };
}

/** Input of the server call for one page. */
export function usersInput(search: UsersSearch) {
  return { ...usersFilter(search), page: search.page, pageSize: ADMIN_PAGE_SIZE };
}
