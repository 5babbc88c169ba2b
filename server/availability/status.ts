/** A pilot's live status: one row, read with one indexed query, since every open home page asks every 10 s. */
import type { z } from 'zod';
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { AppError } from '#server/platform/errors.ts';
import { copy } from '#shared/copy.ts';
import { chosenStatus, presentStatus } from '#shared/pilot-status.ts';
import type { setStatusInput, StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { publishLive } from '#server/signals/live-signals.ts';
import { enqueuePilotBackfill } from '#server/signals/backfill-jobs.ts';

type StatusRow = { state: StatusState | null; minutes: number | null; expires_ms: number | null };

function present(row: StatusRow, now: Date): StatusDto {
  const stored = { state: row.state ?? 'available', minutes: row.minutes, expiresAtMs: row.expires_ms };
  return presentStatus(stored, now.getTime());
}

/** A pilot who never set one is available. Unknown id: 404. */
export async function getStatus(em: Em, userId: string, now: Date): Promise<StatusDto> {
  const [row] = await query<StatusRow>(
    em,
    sql`select s.state, s.minutes, ${msOf('s.expires_at')} as expires_ms
        from app_user u left join pilot_status s on s.user_id = u.id where u.id = ${userId}`,
  );
  if (!row) throw new AppError(404, copy.userNotFound);
  return present(row, now);
}

/** Sets a pilot's status. Unknown id: 404. */
export async function setStatus(em: Em, input: z.infer<typeof setStatusInput>, now: Date): Promise<StatusDto> {
  const { minutes, expiresAtMs } = chosenStatus(input.state, input.minutes ?? null, now.getTime());
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const row = await transact(em, async (tx) => {
    const [saved] = await query<StatusRow>(
      tx,
      sql`insert into pilot_status as s (user_id, state, minutes, expires_at, updated_at)
          select id, ${input.state}, ${minutes}, ${expiresAt}, ${now} from app_user where id = ${input.id}
          on conflict (user_id) do update set
            state = excluded.state, minutes = excluded.minutes,
            expires_at = excluded.expires_at, updated_at = excluded.updated_at
          returning s.state, s.minutes, ${msOf('s.expires_at')} as expires_ms`,
    );
    if (saved) {
      await publishLive(tx, ['status', [input.id]], 'missions');
      await enqueuePilotBackfill(tx, input.id);
    }
    return saved;
  });
  if (!row) throw new AppError(404, copy.userNotFound);
  return present(row, now);
}
