import { downloadCsv } from '#client/lib/csv.ts';
import { trpcClient } from '#client/lib/trpc.ts';
import { PAGE_SIZE } from '#shared/limits.ts';
import type { UserDto } from '#shared/schemas/auth.ts';
import { usersFilter, type UsersSearch } from './users-search.ts';

const FIELDS = ['Call sign', 'Email', 'Roles', 'Time zone', 'Joined'] as const;

/**
 * Exports all users that match the filters, in screen order, as `marshal-users-2026-11-21.csv`.
 * @param signal when aborted, nothing is saved
 * @param onProgress called with the number of users loaded and the total
 */
export async function exportUsers(
  search: UsersSearch,
  signal: AbortSignal,
  onProgress: (read: number, total: number) => void,
): Promise<void> {
  // Keyed by id, because a new registration shifts users to later pages.
  const found = new Map<string, UserDto>();
  for (let page = 1, total = 1; (page - 1) * PAGE_SIZE.max < total; page += 1) {
    const answer = await trpcClient.admin.users.query(
      { ...usersFilter(search), page, pageSize: PAGE_SIZE.max },
      { signal },
    );
    for (const user of answer.users) {
      found.set(user.id, user);
    }
    total = answer.total;
    onProgress(found.size, total);
  }
  const rows = [...found.values()].map(({ displayName, email, roles, timeZone, createdAt }) => [
    displayName ?? '',
    email,
    roles.join(' '),
    timeZone,
    createdAt,
  ]);
  signal.throwIfAborted();
  await downloadCsv(`marshal-users-${new Date().toISOString().slice(0, 10)}.csv`, FIELDS, rows);
}
