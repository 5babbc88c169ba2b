/** The guided start of a new community: steps that follow from what it has, so that nothing has to be ticked off. */
import type { Viewer } from '#server/platform/viewer.ts';
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isAcceptedGuild, isActivePilot } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { emit } from '#server/signals/emit.ts';
import { toIso } from '#server/time/time.ts';
import type { GuidedStartDto } from '#shared/schemas/community.ts';

/** The steps, and how many pilots there are. Discord is optional: the start is complete without it. */
export async function readGuidedStart(em: Em, viewer: Viewer): Promise<GuidedStartDto> {
  const found = await db(em)
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('community').where('name', 'is not', null))
        .$castTo<boolean>()
        .as('hasName'),
      exists(selectFrom('community').where('start_dismissed_at', 'is not', null))
        .$castTo<boolean>()
        .as('isDismissed'),
      exists(selectFrom('invite')).$castTo<boolean>().as('hasInvite'),
      exists(selectFrom('guild as g').where('g.status', '=', 'active').where(isAcceptedGuild))
        .$castTo<boolean>()
        .as('hasServer'),
      exists(selectFrom('mission').where('status', '<>', 'draft').where('is_practice', '=', false))
        .$castTo<boolean>()
        .as('hasMission'),
      selectFrom('app_user as u')
        .select(countRows().as('count'))
        .where(isActivePilot('u'))
        .$asScalar()
        .$notNull()
        .as('pilots'),
      selectFrom('app_user as u')
        .select(countRows().as('count'))
        .where(isActivePilot('u'))
        .where(({ exists: isThere, or, selectFrom: select }) =>
          or([
            isThere(
              select('availability_template as t')
                .innerJoin('availability_slot as s', 's.template_id', 't.id')
                .whereRef('t.user_id', '=', 'u.id')
                .where('t.is_active', '=', true),
            ),
            isThere(
              select('availability_override as x').whereRef('x.user_id', '=', 'u.id').where('x.kind', '=', 'available'),
            ),
          ]),
        )
        .$asScalar()
        .$notNull()
        .as('withTimes'),
    ])
    .executeTakeFirstOrThrow();
  const practice = await db(em)
    .selectFrom('mission')
    .select(({ ref }) => ['id', ms(ref('starts_at')).as('startMs')])
    .where('is_practice', '=', true)
    .where('created_by_id', '=', viewer.id)
    .executeTakeFirst();
  const { isDismissed, hasInvite, ...rest } = found;
  const others = rest.pilots - (viewer.roles.includes('user') ? 1 : 0);
  const steps = {
    ...rest,
    practice: practice ? { id: practice.id, startUtc: toIso(practice.startMs) } : null,
    hasCallSign: viewer.displayName !== null,
    hasInvited: hasInvite || others > 0,
  };
  const isDone = steps.hasName && steps.hasCallSign && steps.hasInvited && steps.hasMission;
  return { ...steps, isShown: !isDismissed && !isDone };
}

/** Put the guided start away, for all admins. */
export async function dismissGuidedStart(em: Em): Promise<void> {
  await transact(em, async (tx) => {
    await db(tx)
      .insertInto('community')
      .values(({ fn }) => ({ id: 1, start_dismissed_at: fn('now'), updated_at: fn('now') }))
      .onConflict((conflict) => conflict.column('id').doUpdateSet(({ fn }) => ({ start_dismissed_at: fn('now') })))
      .execute();
    emit(tx, { type: 'guide.changed' });
  });
}
