/** Turnout alerts: upcoming missions that are unlikely to have enough pilots, for the admins' board. */
import { db, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isLiveHold } from '#server/schema/predicates.ts';
import { DAY_MS, toIso } from '#server/time/time.ts';
import { expectTurnout, turnoutStage } from '#server/board/rules/turnout-forecast.ts';
import { LISTED_MAX, TURNOUT } from '#shared/limits.ts';
import type { TurnoutAlertDto } from '#shared/schemas/dashboard.ts';
import { loadRecords, reliabilityIn } from '#server/accounts/pilots/fairness.ts';

/** The turnout of the missions of the next seven days, or of one of them, by start and from the current seats. */
export async function loadTurnouts(
  em: Em,
  now: Date,
  onlyId?: string,
): Promise<(TurnoutAlertDto & { isShort: boolean })[]> {
  const nowMs = now.getTime();
  const until = new Date(nowMs + TURNOUT.days * DAY_MS);
  const ahead = db(em)
    .selectFrom('mission as m')
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.starts_at', '>', now)
    .where('m.starts_at', '<=', until)
    .$if(onlyId !== undefined, (select) => select.where('m.id', '=', onlyId ?? ''));
  const missions = await ahead
    .select(({ ref, selectFrom }) => [
      'm.id',
      'm.name',
      ms(ref('m.starts_at')).as('startMs'),
      ms(ref('m.ends_at')).as('endMs'),
      selectFrom('flight')
        .select(({ fn, cast, lit }) => cast<number>(fn.coalesce(fn.sum('size_cap'), lit(0)), 'integer').as('seats'))
        .whereRef('mission_id', '=', 'm.id')
        .$asScalar()
        .$notNull()
        .as('seats'),
    ])
    .orderBy('m.starts_at')
    .orderBy('m.id')
    .limit(LISTED_MAX.missions)
    .execute();
  const holders = await ahead
    .innerJoin('seat as s', 's.mission_id', 'm.id')
    .innerJoin('frag_order as o', 'o.id', 's.order_id')
    .select(['s.mission_id as missionId', 's.pilot_id as pilotId', 'o.rsvp'])
    .where(isLiveHold('o', now))
    .orderBy('s.mission_id')
    .orderBy('s.pilot_id')
    .execute();
  const records = await loadRecords(em, now, [...new Set(holders.map(({ pilotId }) => pilotId))]);
  const holdersOf = Map.groupBy(holders, ({ missionId }) => missionId);
  return missions.map(({ id, name, startMs, endMs, seats }) => {
    const reliabilities = (isAccepted: boolean) =>
      (holdersOf.get(id) ?? [])
        .filter(({ rsvp }) => (rsvp === 'accepted') === isAccepted)
        .map(({ pilotId }) => reliabilityIn(records, pilotId));
    const [accepted, pending] = [reliabilities(true), reliabilities(false)];
    return {
      missionId: id,
      missionName: name,
      startUtc: toIso(startMs),
      endUtc: toIso(endMs),
      stage: turnoutStage(startMs - nowMs),
      seats,
      accepted: accepted.length,
      pending: pending.length,
      ...expectTurnout({ seats, accepted, pending }),
    };
  });
}

/** The alerts, derived on every read: no job can be late with one, and none stays when it is no longer true. */
export async function listTurnoutAlerts(em: Em, now: Date): Promise<TurnoutAlertDto[]> {
  return (await loadTurnouts(em, now)).flatMap(({ isShort, ...turnout }) => (isShort ? [turnout] : []));
}
