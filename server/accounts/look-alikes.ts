/** Look-alike call signs: pointed out but not refused, since two people may well have similar names. */
import type { NotNull } from 'kysely';
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { lookOf } from '#server/accounts/rules/look-alike.ts';
import { LOOK_ALIKES_SHOWN } from '#shared/limits.ts';

interface Named {
  id: string;
  displayName: string | null;
}

/** More pilots than any community has; beyond this, the newest are not compared. */
const COMPARED_MAX = 20_000;

/** @returns for each account, by id, the call signs of other active pilots that look like its own */
export async function findLookAlikes(em: Em, accounts: readonly Named[]): Promise<Map<string, string[]>> {
  const looks = new Map(accounts.map(({ id, displayName }) => [id, displayName === null ? '' : lookOf(displayName)]));
  const wanted = new Set(looks.values());
  wanted.delete('');
  if (wanted.size === 0) return new Map(accounts.map(({ id }) => [id, []]));
  const pilots = await db(em)
    .selectFrom('app_user as u')
    .select(['u.id', 'u.display_name as displayName'])
    .where(isActivePilot('u'))
    .where('u.display_name', 'is not', null)
    .$narrowType<{ displayName: NotNull }>()
    .orderBy('u.created_at')
    .limit(COMPARED_MAX)
    .execute();
  const alike = Map.groupBy(pilots, ({ displayName }) => lookOf(displayName));
  return new Map(
    accounts.map(({ id }) => {
      const others = (alike.get(looks.get(id) ?? '') ?? []).filter((pilot) => pilot.id !== id);
      return [id, others.slice(0, LOOK_ALIKES_SHOWN).map(({ displayName }) => displayName)];
    }),
  );
}
