/** Call signs that can be taken for each other: they are pointed out, not refused, since two people may well be called alike. */
import type { Em } from '#server/schema/orm.ts';
import { query, sql } from '#server/schema/query.ts';
import { lookOf } from '#server/accounts/rules/look-alike.ts';
import { LOOK_ALIKES_SHOWN } from '#shared/limits.ts';

interface Named {
  id: string;
  displayName: string | null;
}

/** More pilots than a community has; beyond, the newest are not compared. */
const COMPARED_MAX = 20_000;

/** @returns for each of these accounts the call signs of other active pilots that look like its own */
export async function findLookAlikes(em: Em, accounts: readonly Named[]): Promise<Map<string, string[]>> {
  const looks = new Map(accounts.map(({ id, displayName }) => [id, displayName === null ? '' : lookOf(displayName)]));
  const wanted = new Set(looks.values());
  wanted.delete('');
  if (wanted.size === 0) return new Map(accounts.map(({ id }) => [id, []]));
  const pilots = await query<{ id: string; displayName: string }>(
    em,
    sql`select id, display_name as "displayName" from app_user
        where 'user' = any(roles) and display_name is not null order by created_at limit ${sql.lit(COMPARED_MAX)}`,
  );
  const alike = Map.groupBy(pilots, ({ displayName }) => lookOf(displayName));
  return new Map(
    accounts.map(({ id }) => {
      const others = (alike.get(looks.get(id) ?? '') ?? []).filter((pilot) => pilot.id !== id);
      return [id, others.slice(0, LOOK_ALIKES_SHOWN).map(({ displayName }) => displayName)];
    }),
  );
}
