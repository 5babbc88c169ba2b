/** Look-alike call signs: pointed out but not refused, since two people may well have similar names. */
import { db, isOneOf, rowsText, type RowsText, tableOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { lookOf } from '#server/accounts/rules/look-alike.ts';
import { LOOK_ALIKES_SHOWN } from '#shared/limits.ts';

interface Named {
  id: string;
  displayName: string | null;
}

/** New call signs whose looks are stored at a time. */
const CHUNK = 1_000;

const listNew = named('looks_new', (source, { limit }: { limit: number }) =>
  source
    .selectFrom('app_user as u')
    .select(['u.id', 'u.display_name as displayName'])
    .where('u.look', 'is', null)
    .where('u.display_name', 'is not', null)
    .where('u.erased_at', 'is', null)
    .orderBy('u.created_at')
    .limit(limit),
);

/**
 * Store the looks of call signs that are new since the last comparison. A trigger clears the look of a changed call sign, so
 * that nothing else writes this column. Names may change meanwhile: only the look of the name that was read is stored.
 */
async function storeNewLooks(em: Em): Promise<void> {
  for (;;) {
    const found = await listNew(em, { limit: CHUNK });
    if (found.length === 0) return;
    const looks = found.map(({ id, displayName }) => ({ id, displayName, look: lookOf(displayName ?? '') }));
    const ids = found.map(({ id }) => id);
    await db(em)
      .updateTable('app_user as u')
      .from(tableOf('new', looks, { id: 'uuid', displayName: 'text', look: 'text' }))
      .set(({ ref }) => ({ look: ref('new.look') }))
      .whereRef('u.id', '=', 'new.id')
      .whereRef('u.display_name', '=', 'new.displayName')
      // two of these at a time never wait for each other
      .where('u.id', 'in', (eb) =>
        eb
          .selectFrom('app_user as free')
          .select('free.id')
          .where(isOneOf('free.id', ids))
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .execute();
    if (found.length < CHUNK) return;
  }
}

const listAlike = named('looks_alike', (source, { asked }: { asked: RowsText<{ id: string; look: string }> }) =>
  source
    .selectFrom(tableOf('asked', asked, { id: 'uuid', look: 'text' }))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('app_user as u')
          .select(['u.display_name as displayName', 'u.created_at'])
          .whereRef('u.look', '=', 'asked.look')
          .whereRef('u.id', '<>', 'asked.id')
          .where('u.display_name', 'is not', null)
          .where('u.erased_at', 'is', null)
          .where(isActivePilot('u'))
          .orderBy('u.created_at')
          .limit(LOOK_ALIKES_SHOWN)
          .as('alike'),
      (join) => join.onTrue(),
    )
    .select(['asked.id', 'alike.displayName'])
    .orderBy('alike.created_at'),
);

/** @returns for each account, by id, the call signs of other active pilots that look like its own, the oldest first */
export async function findLookAlikes(em: Em, accounts: readonly Named[]): Promise<Map<string, string[]>> {
  const asked = accounts
    .map(({ id, displayName }) => ({ id, look: lookOf(displayName ?? '') }))
    .filter(({ look }) => look !== '');
  const alike = new Map(accounts.map(({ id }) => [id, [] as string[]]));
  if (asked.length === 0) return alike;
  await storeNewLooks(em);
  for (const { id, displayName } of await listAlike(em, { asked: rowsText(asked) })) {
    if (displayName !== null) alike.get(id)?.push(displayName);
  }
  return alike;
}
