/** A pilot's live status: read with one indexed query, since every open home page asks for it every 10 s. */
import type { z } from 'zod';
import { db, ms } from '#server/schema/database.ts';
import { named } from '#server/schema/named.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { chosenStatus, presentStatus } from '#shared/pilot-status.ts';
import type { setStatusInput, StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { emit } from '#server/signals/emit.ts';
import { refuseOnLeave } from '#server/accounts/leave.ts';

type StatusRow = { state: StatusState | null; minutes: number | null; expiresMs: number | null };

function present(row: StatusRow, now: Date): StatusDto {
  const stored = { state: row.state ?? 'available', minutes: row.minutes, expiresAtMs: row.expiresMs };
  return presentStatus(stored, now.getTime());
}

const findStatus = named('status', (source, { userId }: { userId: string }) =>
  source
    .selectFrom('app_user as u')
    .leftJoin('pilot_status as s', 's.user_id', 'u.id')
    .select(({ ref }) => ['s.state', 's.minutes', ms(ref('s.expires_at')).as('expiresMs')])
    .where('u.id', '=', userId),
);

/** A pilot who has never set a status is available. Unknown id: 404. */
export async function getStatus(em: Em, userId: string, now: Date): Promise<StatusDto> {
  const [row] = await findStatus(em, { userId });
  if (!row) throw new AppError('USER_NOT_FOUND');
  return present(row, now);
}

/** Sets a pilot's status. Unknown id: 404; 409 for Find Flight during a leave. */
export async function setStatus(em: Em, input: z.infer<typeof setStatusInput>, now: Date): Promise<StatusDto> {
  const { minutes, expiresAtMs } = chosenStatus(input.state, input.minutes ?? null, now.getTime());
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const row = await transact(em, async (tx) => {
    if (input.state === 'now') await refuseOnLeave(tx, input.id, now);
    const saved = await db(tx)
      .insertInto('pilot_status')
      .columns(['user_id', 'state', 'minutes', 'expires_at', 'updated_at'])
      .expression(({ selectFrom, val }) =>
        selectFrom('app_user as u')
          .select([
            'u.id',
            val(input.state).as('state'),
            val(minutes).as('minutes'),
            val(expiresAt).as('expires_at'),
            val(now).as('updated_at'),
          ])
          .where('u.id', '=', input.id),
      )
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ ref }) => ({
          state: ref('excluded.state'),
          minutes: ref('excluded.minutes'),
          expires_at: ref('excluded.expires_at'),
          updated_at: ref('excluded.updated_at'),
        })),
      )
      .returning(({ ref }) => ['state', 'minutes', ms(ref('expires_at')).as('expiresMs')])
      .executeTakeFirst();
    if (saved) emit(tx, { type: 'status.changed', userId: input.id });
    return saved;
  });
  if (!row) throw new AppError('USER_NOT_FOUND');
  return present(row, now);
}
