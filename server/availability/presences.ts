/** Pilots with everything that says when they can fly, loaded in four statements however many there are. */
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import {
  createExpansion,
  statusPresence,
  withOverrides,
  type Override,
  type Presence,
  type WeeklySlot,
} from '#server/availability/rules/availability.ts';
import type { Interval } from '#server/time/intervals.ts';
import { effectiveStatus, type EffectiveStatus } from '#shared/pilot-status.ts';
import { addDays, localDate } from '#server/time/time.ts';
import type { StatusState } from '#shared/vocabulary.ts';

export interface PilotPresences {
  id: string;
  timeZone: string;
  isActive: boolean;
  status: EffectiveStatus;
  /** clipped to the asked range; of every source, not merged */
  presences: Presence[];
}

type PilotRow = {
  id: string;
  time_zone: string;
  is_active: boolean;
  state: StatusState | null;
  minutes: number | null;
  expires_ms: number | null;
};
type SlotRow = { user_id: string } & WeeklySlot;
type OverrideRow = { user_id: string } & Override;

/** A wall date lies at most this many days from the UTC date of the same moment, and a slot may start a day before. */
const DATE_MARGIN_DAYS = 2;

/**
 * @param pilotIds whose presences; undefined for every active pilot
 * @param range half-open, epoch milliseconds
 */
export async function loadPresences(
  em: Em,
  pilotIds: readonly string[] | undefined,
  range: Interval,
  now: Date,
): Promise<PilotPresences[]> {
  const ids = pilotIds === undefined ? null : [...pilotIds];
  const ofPilots = ids === null ? sql`${isActivePilot('u')}` : sql`u.id = any(${ids}::uuid[])`;
  const pilots = await query<PilotRow>(
    em,
    sql`select u.id, u.time_zone, ${isActivePilot('u')} as is_active, s.state, s.minutes, ${msOf('s.expires_at')} as expires_ms
        from app_user u left join pilot_status s on s.user_id = u.id where ${ofPilots} order by u.id`,
  );
  const slots = await query<SlotRow>(
    em,
    sql`select t.user_id, s.weekday, s.start_local as "startLocal", s.end_local as "endLocal",
               s.aircraft_id as "aircraftId", s.notes
        from availability_slot s join availability_template t on t.id = s.template_id
        join app_user u on u.id = t.user_id where t.is_active and ${ofPilots}`,
  );
  const overrides = await query<OverrideRow>(
    em,
    sql`select o.user_id, o.date_local::text as "dateLocal", o.kind, o.start_local as "startLocal",
               o.end_local as "endLocal", o.aircraft_id as "aircraftId", o.notes
        from availability_override o join app_user u on u.id = o.user_id
        where ${ofPilots}
          and o.date_local >= ${addDays(localDate(range.startMs, 'UTC'), -DATE_MARGIN_DAYS)}::date
          and o.date_local <= ${addDays(localDate(range.endMs, 'UTC'), DATE_MARGIN_DAYS)}::date`,
  );
  const slotsOf = Map.groupBy(slots, ({ user_id }) => user_id);
  const overridesOf = Map.groupBy(overrides, ({ user_id }) => user_id);
  const nowMs = now.getTime();
  const expand = createExpansion(range.startMs, range.endMs);
  return pilots.map((row) => {
    const stored = { state: row.state ?? 'available', minutes: row.minutes, expiresAtMs: row.expires_ms } as const;
    const weekly = expand(slotsOf.get(row.id) ?? [], row.time_zone);
    return {
      id: row.id,
      timeZone: row.time_zone,
      isActive: row.is_active,
      status: effectiveStatus(stored, nowMs),
      presences: [
        ...withOverrides(weekly, overridesOf.get(row.id) ?? [], row.time_zone),
        ...statusPresence(stored, nowMs),
      ],
    };
  });
}
