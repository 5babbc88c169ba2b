/** The community on the join page of an invite: its number of pilots and its next mission. */
import { countRows, db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isLiveHold } from '#server/schema/predicates.ts';
import { toIso } from '#server/time/time.ts';
import type { RegistrationDto } from '#shared/schemas/community.ts';

/** Public facts only: no names of pilots, no flights. */
export async function previewCommunity(em: Em, now: Date): Promise<NonNullable<RegistrationDto['preview']>> {
  const { pilots } = await db(em)
    .selectFrom('app_user as u')
    .select(countRows().as('pilots'))
    .where(isActivePilot('u'))
    .executeTakeFirstOrThrow();
  const next = await db(em)
    .selectFrom('mission as m')
    .select(({ ref, selectFrom }) => [
      'm.name',
      'm.theater',
      ms(ref('m.starts_at')).as('startMs'),
      selectFrom('flight as f')
        .select(({ fn }) => fn.sum<string>('f.size_cap').as('seats'))
        .whereRef('f.mission_id', '=', 'm.id')
        .as('seats'),
      selectFrom('seat as s')
        .innerJoin('frag_order as o', 'o.id', 's.order_id')
        .select(countRows().as('held'))
        .whereRef('s.mission_id', '=', 'm.id')
        .where(isLiveHold('o', now))
        .as('held'),
    ])
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', now)
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .limit(1)
    .executeTakeFirst();
  return {
    pilots,
    next: next
      ? {
          name: next.name,
          theater: next.theater,
          startUtc: toIso(next.startMs),
          openSeats: Number(next.seats) - (next.held ?? 0),
        }
      : null,
  };
}
