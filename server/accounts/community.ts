/** The settings of the community: its name and who may register. */
import { db } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import type { Viewer } from '#server/platform/viewer.ts';
import { emit } from '#server/signals/emit.ts';
import type { CommunityDto, UpdateCommunityInput } from '#shared/schemas/community.ts';

const DEFAULTS: CommunityDto = { name: null, registration: 'open' };

export async function readCommunity(em: Em): Promise<CommunityDto> {
  const row = await db(em).selectFrom('community').select(['name', 'registration']).executeTakeFirst();
  return row ?? DEFAULTS;
}

/** Store the settings. Accounts that already wait for approval keep waiting when registration is opened. */
export async function updateCommunity(em: Em, viewer: Viewer, input: UpdateCommunityInput): Promise<CommunityDto> {
  return transact(em, async (tx) => {
    const before = await readCommunity(tx);
    const after = { name: input.name, registration: input.registration };
    const fields = ['name', 'registration'] as const;
    const changes = fields
      .filter((field) => before[field] !== after[field])
      .map((field) => ({ field, from: before[field], to: after[field] }));
    if (changes.length === 0) return before;
    await db(tx)
      .insertInto('community')
      .values(({ fn }) => ({ id: 1, ...after, updated_at: fn('now') }))
      .onConflict((conflict) => conflict.column('id').doUpdateSet(({ fn }) => ({ ...after, updated_at: fn('now') })))
      .execute();
    emit(tx, { type: 'community.changed', by: viewer, changes });
    return after;
  });
}
