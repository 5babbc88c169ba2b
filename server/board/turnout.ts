/** Missions ahead that will hardly have enough pilots, for the admins' board. */
import type { Em } from '#server/schema/orm.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { expectTurnout, turnoutStage } from '#server/board/rules/turnout.ts';
import { LISTED_MAX, TURNOUT } from '#shared/limits.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import type { Rsvp } from '#shared/vocabulary.ts';
import { loadRecords, reliabilityIn } from '#server/pilots/fairness.ts';

type MissionRow = { id: string; name: string; startMs: number; endMs: number; seats: number };
type HolderRow = { mission_id: string; pilot_id: string; rsvp: Rsvp };

/**
 * Derived whenever it is read, from the seats as they stand: no job can be late with a warning, and none stays when it
 * is no longer true. By start.
 */
export async function listTurnoutAlerts(em: Em, now: Date): Promise<TurnoutAlertDto[]> {
  const nowMs = now.getTime();
  const until = new Date(nowMs + TURNOUT.days * DAY_MS);
  const isAhead = sql`m.status = 'scheduled' and m.starts_at > ${now} and m.starts_at <= ${until}`;
  const missions = await query<MissionRow>(
    em,
    sql`select m.id, m.name, ${msOf('m.starts_at')} as "startMs", ${msOf('m.ends_at')} as "endMs",
               (select coalesce(sum(size_cap), 0)::int from flight where mission_id = m.id) as seats
        from mission m where ${isAhead} order by m.starts_at, m.id limit ${sql.lit(LISTED_MAX.missions)}`,
  );
  // an offer that has run out holds nothing, whether or not a job has come by
  const holders = await query<HolderRow>(
    em,
    sql`select s.mission_id, s.pilot_id, o.rsvp
        from mission m join seat s on s.mission_id = m.id join frag_order o on o.id = s.order_id
        where ${isAhead} and (o.rsvp = 'accepted' or o.expires_at > ${now}) order by s.mission_id, s.pilot_id`,
  );
  const records = await loadRecords(em, now, [...new Set(holders.map(({ pilot_id }) => pilot_id))]);
  const holdersOf = Map.groupBy(holders, ({ mission_id }) => mission_id);
  return missions.flatMap(({ id, name, startMs, endMs, seats }) => {
    const reliabilities = (isAccepted: boolean) =>
      (holdersOf.get(id) ?? [])
        .filter(({ rsvp }) => (rsvp === 'accepted') === isAccepted)
        .map(({ pilot_id }) => reliabilityIn(records, pilot_id));
    const [accepted, pending] = [reliabilities(true), reliabilities(false)];
    const { isShort, ...turnout } = expectTurnout({ seats, accepted, pending });
    if (!isShort) return [];
    return [
      {
        missionId: id,
        missionName: name,
        startUtc: toIso(startMs),
        endUtc: toIso(endMs),
        stage: turnoutStage(startMs - nowMs),
        seats,
        accepted: accepted.length,
        pending: pending.length,
        ...turnout,
      },
    ];
  });
}
