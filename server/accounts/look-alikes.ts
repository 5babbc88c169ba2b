/** Look-alike call signs: pointed out but not refused, since two people may well have similar names. */
import { db, isOneOf, ms, rowsText, type RowsText, tableOf } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { lookOf } from '#server/accounts/rules/look-alike.ts';
import { LOOK_ALIKES_SHOWN } from '#shared/limits.ts';

interface Named {
  id: string;
  displayName: string | null;
}

/** New call signs that are read at a time. */
const CHUNK = 1_000;

/** Accounts with a call sign whose look is not stored yet, the oldest first. */
const listNew = named('looks_new', (source, { limit }: { limit: number }) =>
  source
    .selectFrom('app_user as u')
    .select(({ ref }) => [
      'u.id',
      'u.display_name as displayName',
      ms(ref('u.created_at')).as('createdMs'),
      isActivePilot('u').as('isActive'),
    ])
    .where('u.look', 'is', null)
    .where('u.display_name', 'is not', null)
    .where('u.erased_at', 'is', null)
    .orderBy('u.created_at')
    .limit(limit),
);

/**
 * Store the looks of call signs that are new or have changed: a trigger clears the look of a changed one, so that nothing else
 * writes this column. Names may change meanwhile: only the look of the name that was read is stored. Safe on any replica.
 */
export async function storeNewLooks(em: Em): Promise<void> {
  for (;;) {
    const found = await listNew(em, { limit: CHUNK });
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
          .select(({ ref }) => ['u.id', 'u.display_name as displayName', ms(ref('u.created_at')).as('createdMs')])
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
    .select(['asked.look', 'alike.id', 'alike.displayName', 'alike.createdMs']),
);

/**
 * Only reads, so that a replica can answer. Call signs whose looks are not stored yet are compared by what they are now.
 * @returns for each account, by id, the call signs of other active pilots that look like its own, the oldest first
 */
export async function findLookAlikes(em: Em, accounts: readonly Named[]): Promise<Map<string, string[]>> {
  const asked = accounts
    .map(({ id, displayName }) => ({ id, look: lookOf(displayName ?? '') }))
    .filter(({ look }) => look !== '');
  if (asked.length === 0) return new Map(accounts.map(({ id }) => [id, []]));
  const [stored, unread] = await Promise.all([
    listAlike(em, { asked: rowsText(asked) }),
    listNew(em, { limit: CHUNK }),
  ]);
  const fresh = unread
    .filter(({ isActive }) => isActive)
    .map((pilot) => ({ ...pilot, look: lookOf(pilot.displayName ?? '') }));
  const pilotsOf = Map.groupBy([...stored, ...fresh], ({ look }) => look);
  const lookById = new Map(asked.map(({ id, look }) => [id, look]));
  return new Map(
    accounts.map(({ id }) => {
      const alike = (pilotsOf.get(lookById.get(id) ?? '') ?? [])
        .filter((pilot) => pilot.id !== id)
        .sort((one, other) => one.createdMs - other.createdMs);
      const names = new Map(alike.map((pilot) => [pilot.id, pilot.displayName ?? '']));
      return [id, [...names.values()].slice(0, LOOK_ALIKES_SHOWN)];
    }),
  );
}
