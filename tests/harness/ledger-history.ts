/** Random missions, willing pilots and orders, stored as rows and returned as facts for an oracle. */
import { newId } from '#server/schema/base.ts';
import { query, sql } from '#server/schema/query.ts';
import type { Attendance, OrderStatus, OrderStatusReason, Rsvp, StoredMissionStatus } from '#shared/vocabulary.ts';
import type { Random } from './seeded.ts';
import type { Service } from './service.ts';
import type { LedgerOrder, Outcome } from './track-record-oracle.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The columns of an order, with its effect on the ledger and the track record. */
type Fate = {
  status: OrderStatus;
  reason: OrderStatusReason | null;
  rsvp: Rsvp;
  isSharedOffer: boolean;
  isLate: boolean;
  /** has not run out by now, while it waits */
  stands: boolean;
  holdsSeat: boolean;
};

const ISSUED = { status: 'issued', reason: null, isSharedOffer: false, isLate: false, stands: true } as const;
const OVER = { status: 'cancelled', isSharedOffer: false, isLate: false, stands: false, holdsSeat: false } as const;
const FATES: readonly [Fate, ...Fate[]] = [
  { ...ISSUED, rsvp: 'accepted', holdsSeat: true },
  { ...ISSUED, rsvp: 'accepted', holdsSeat: true, stands: false },
  { ...ISSUED, rsvp: 'accepted', holdsSeat: true, isSharedOffer: true },
  { ...ISSUED, rsvp: 'pending', holdsSeat: true },
  { ...ISSUED, rsvp: 'pending', holdsSeat: true, stands: false },
  { ...ISSUED, rsvp: 'pending', holdsSeat: false, isSharedOffer: true },
  { ...ISSUED, rsvp: 'pending', holdsSeat: false, isSharedOffer: true, stands: false },
  { ...ISSUED, rsvp: 'declined', holdsSeat: false },
  { ...ISSUED, rsvp: 'declined', holdsSeat: false, isLate: true, stands: false },
  { ...ISSUED, rsvp: 'standby', holdsSeat: false, stands: false },
  { ...OVER, reason: 'expired', rsvp: 'pending' },
  { ...OVER, reason: 'expired', rsvp: 'pending' },
  { ...OVER, reason: 'expired', rsvp: 'pending', isSharedOffer: true },
  { ...OVER, reason: 'superseded', rsvp: 'accepted' },
  { ...OVER, reason: 'superseded', rsvp: 'pending', isSharedOffer: true },
];

export type MissionFacts = {
  status: StoredMissionStatus;
  startMs: number;
  willing: string[];
  orders: { pilotId: string; facts: LedgerOrder; outcome: Outcome | 'excused' | null; isLate: boolean }[];
};

type OrderRow = Omit<Fate, 'stands'> & {
  id: string;
  mission: string;
  flight: string;
  pilot: string;
  issuedAt: string;
  changedAt: string | null;
  expiresAt: string;
  attendance: Attendance | null;
};

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Thirty missions, five days apart: the third is exactly 90 days ago, and ten are in the future.
 * @param ageDays a mission's age in calendar days, by the test's own count
 */
export async function givenHistory(
  { app }: Service,
  random: Random,
  pilotIds: readonly string[],
  now: Date,
  ageDays: (startMs: number) => number,
): Promise<MissionFacts[]> {
  const nowMs = now.getTime();
  const missions: (MissionFacts & { id: string; flight: string })[] = [];
  const rows: OrderRow[] = [];
  for (let index = 0; index < 30; index++) {
    const startMs = nowMs + (index - 20) * 5 * DAY_MS;
    const mission = {
      id: newId(),
      flight: newId(),
      status: random.pick<StoredMissionStatus>(['scheduled', 'scheduled', 'scheduled', 'draft', 'cancelled']),
      startMs,
      willing: pilotIds.filter(() => random.chance(0.6)),
      orders: [] as MissionFacts['orders'],
    };
    missions.push(mission);
    for (const pilotId of mission.willing) {
      // two orders of one pilot: an expired one, then one from an admin
      const fates = random.chance(0.1) ? [FATES[10], FATES[0]] : random.chance(0.7) ? [random.pick(FATES)] : [];
      for (const fate of fates) {
        if (!fate) continue;
        const issuedMs = startMs - random.pick([72, 30, 24, 23, 12, 1]) * HOUR_MS;
        const changedMs = random.chance(0.2) ? startMs - random.pick([48, 24, 20, 2]) * HOUR_MS : null;
        const attendance =
          fate.rsvp === 'accepted' && fate.holdsSeat && startMs < nowMs && random.chance(0.8)
            ? random.pick<Attendance>(['attended', 'attended', 'no_show', 'excused'])
            : null;
        rows.push({
          ...fate,
          id: newId(),
          mission: mission.id,
          flight: mission.flight,
          pilot: pilotId,
          issuedAt: iso(issuedMs),
          changedAt: changedMs === null ? null : iso(changedMs),
          expiresAt: iso(nowMs + (fate.stands ? 1 : 0)),
          attendance,
        });
        const age = ageDays(startMs);
        mission.orders.push({
          pilotId,
          isLate: fate.isLate,
          facts: {
            holdsSeat: fate.holdsSeat,
            isLate: fate.isLate,
            ranOut: fate.reason === 'expired' || (fate.status === 'issued' && fate.rsvp === 'pending' && !fate.stands),
            isSharedOffer: fate.isSharedOffer,
            askedMs: changedMs === null ? issuedMs : Math.max(issuedMs, changedMs),
          },
          outcome:
            attendance === 'excused'
              ? 'excused'
              : attendance !== null || fate.isLate
                ? { flown: attendance === 'attended', ageDays: age }
                : null,
        });
      }
    }
  }
  await write({ app }, missions, rows);
  return missions;
}

async function write(
  { app }: Pick<Service, 'app'>,
  missions: readonly (MissionFacts & { id: string; flight: string })[],
  rows: readonly OrderRow[],
): Promise<void> {
  const em = app.orm.em.fork();
  const plans = missions.map(({ id, flight, status, startMs, willing }) => ({
    id,
    flight,
    package: newId(),
    status,
    start: iso(startMs),
    end: iso(startMs + 2 * HOUR_MS),
    willing,
  }));
  const plan = sql`jsonb_to_recordset(${JSON.stringify(plans)}::jsonb)
    as p (id uuid, flight uuid, package uuid, status text, start timestamptz, "end" timestamptz, willing jsonb)`;
  const order = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as o (id uuid, mission uuid, flight uuid, pilot uuid, status text, reason text, rsvp text, "isSharedOffer" boolean,
          "isLate" boolean, "holdsSeat" boolean, "issuedAt" timestamptz, "changedAt" timestamptz,
          "expiresAt" timestamptz, attendance text)`;
  await query(
    em,
    sql`insert into mission (id, name, theater, status, starts_at, ends_at, time_zone, created_by_id, created_at, updated_at)
        select p.id, 'Op ' || p.start, 'Syria', p.status, p.start, p."end", 'UTC', u.id, now(), now()
        from ${plan}, (select id from app_user where 'admin' = any(roles) limit 1) as u`,
  );
  await query(
    em,
    sql`insert into package (id, mission_id, callsign, objective, side, sort_order)
        select p.package, p.id, 'ALPHA', 'CAP, Syria', 0, 0 from ${plan}`,
  );
  await query(
    em,
    sql`insert into flight (id, mission_id, package_id, slot_index, callsign, aircraft_id, role, side, size_cap, sort_order)
        select p.flight, p.id, p.package, 0, 'VIPER 1', 2, 'CAP', 0, 4, 0 from ${plan}`,
  );
  await query(
    em,
    sql`insert into willing_pilot (mission_id, pilot_id)
        select p.id, w.pilot::uuid from ${plan}, jsonb_array_elements_text(p.willing) as w (pilot)`,
  );
  await query(
    em,
    sql`insert into frag_order (id, mission_id, flight_id, seat_index, pilot_id, status, status_reason, rsvp, is_shared_offer,
                                is_late, reasons, issued_at, changed_at, expires_at, attendance, created_at)
        select o.id, o.mission, o.flight, 0, o.pilot, o.status, o.reason, o.rsvp, o."isSharedOffer", o."isLate", '{}',
               o."issuedAt", o."changedAt", o."expiresAt", o.attendance, now()
        from ${order}`,
  );
  // more pilots than a flight has seats, so each seat has its own flight
  const flights = rows.filter(({ holdsSeat }) => holdsSeat).map(({ id }) => ({ order: id, flight: newId() }));
  await query(
    em,
    sql`with place as (select * from jsonb_to_recordset(${JSON.stringify(flights)}::jsonb) as x ("order" uuid, flight uuid)),
        made as (
          insert into flight (id, mission_id, package_id, slot_index, callsign, aircraft_id, role, side, size_cap, sort_order)
          select x.flight, o.mission, p.package, 0, x.flight::text, 2, 'CAP', 0, 1, 1
          from place x join ${order} on o.id = x."order" join ${plan} on p.id = o.mission)
        insert into seat (flight_id, seat_index, pilot_id, mission_id, order_id, starts_at, ends_at)
        select x.flight, 0, o.pilot, o.mission, o.id, p.start, p."end"
        from place x join ${order} on o.id = x."order" join ${plan} on p.id = o.mission`,
  );
}
