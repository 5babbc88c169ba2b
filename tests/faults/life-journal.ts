/** Journal of every seat, order, mission, flight, account, listed aircraft and leave, by database triggers and not by the product. */
import type { Pool } from 'pg';
import type { OrderStatus, OrderStatusReason, Rsvp, Side, StoredMissionStatus } from '#shared/vocabulary.ts';

export interface OrderRow {
  id: string;
  missionId: string;
  pilotId: string;
  flightId: string;
  seatIndex: number;
  status: OrderStatus;
  statusReason: OrderStatusReason | null;
  rsvp: Rsvp;
  isSharedOffer: boolean;
  isLate: boolean;
  issuedMs: number;
  expiresMs: number;
}

export interface SeatRow {
  flightId: string;
  seatIndex: number;
  pilotId: string;
  missionId: string;
  orderId: string;
  startMs: number;
  endMs: number;
}

export interface MissionRow {
  id: string;
  name: string;
  status: StoredMissionStatus;
  startMs: number;
  endMs: number;
}

export interface FlightRow {
  id: string;
  missionId: string;
  aircraftId: number;
  side: Side;
  role: string;
  sizeCap: number;
  radioFreq: string | null;
}

export interface PilotRow {
  id: string;
  /** has the role `user` */
  isActive: boolean;
}

/** An aircraft on a pilot's list. */
export interface ListedRow {
  pilotId: string;
  aircraftId: number;
}

/** A leave of absence. The pilots' calendars are in UTC. */
export interface LeaveRow {
  pilotId: string;
  startMs: number;
  endMs: number;
}

export interface Rows {
  order: OrderRow;
  seat: SeatRow;
  mission: MissionRow;
  flight: FlightRow;
  pilot: PilotRow;
  listed: ListedRow;
  leave: LeaveRow;
}
export type Table = keyof Rows;

/** A row before and after a statement; null before it was inserted and after it was deleted. */
export type Change = {
  [Name in Table]: { table: Name; before: Rows[Name] | null; after: Rows[Name] | null };
}[Table];

/** A transaction that was committed. Times are those of the test's clock. */
export interface Tx {
  id: string;
  beganMs: number;
  /** of its last change: it was not committed before */
  lastMs: number;
  /** another transaction saw it committed at this time; Infinity when none did */
  committedByMs: number;
  changes: Change[];
}

/** All changes in order; those of one row are in the order of their commits, because rows are locked. */
export interface Journal {
  txs: Tx[];
  steps: { tx: Tx; change: Change; isLast: boolean }[];
}

const TABLES: Record<Table, { name: string; events: string }> = {
  order: { name: 'frag_order', events: 'insert or update or delete' },
  seat: { name: 'seat', events: 'insert or update or delete' },
  mission: { name: 'mission', events: 'insert or update or delete' },
  flight: { name: 'flight', events: 'insert or update or delete' },
  pilot: { name: 'app_user', events: 'insert or update of roles' },
  listed: { name: 'proficiency', events: 'insert or delete' },
  leave: { name: 'leave', events: 'insert or update or delete' },
};

/** Record every change from now on, with the transactions that were running at that time. */
export async function installJournal(pool: Pool): Promise<void> {
  await pool.query(`
    create table life_journal (
      n bigint generated always as identity primary key,
      tx text not null default pg_current_xact_id()::text,
      snapshot text not null default pg_current_snapshot()::text,
      began timestamptz not null default transaction_timestamp(),
      at timestamptz not null default clock_timestamp(),
      name text not null, before jsonb, after jsonb);
    create function life_note() returns trigger language plpgsql as $$
    begin
      insert into life_journal (name, before, after) values (tg_table_name,
        case when tg_op <> 'INSERT' then to_jsonb(old) end, case when tg_op <> 'DELETE' then to_jsonb(new) end);
      return null;
    end $$;`);
  for (const { name, events } of Object.values(TABLES)) {
    await pool.query(`create trigger life_note after ${events} on ${name} for each row execute function life_note()`);
  }
}

/** Write a last entry, which proves that every transaction before it was committed. */
export async function tickJournal(pool: Pool): Promise<void> {
  await pool.query(`insert into life_journal (name) values ('tick')`);
}

// rows as to_jsonb writes them
// oxlint-disable-next-line typescript/no-explicit-any -- the columns of seven tables
type Raw = any;
const ms = (text: string): number => Date.parse(text);

const READERS: { [Name in Table]: (raw: Raw) => Rows[Name] } = {
  order: (raw) => ({
    id: raw.id,
    missionId: raw.mission_id,
    pilotId: raw.pilot_id,
    flightId: raw.flight_id,
    seatIndex: raw.seat_index,
    status: raw.status,
    statusReason: raw.status_reason,
    rsvp: raw.rsvp,
    isSharedOffer: raw.is_shared_offer,
    isLate: raw.is_late,
    issuedMs: ms(raw.issued_at),
    expiresMs: ms(raw.expires_at),
  }),
  seat: (raw) => ({
    flightId: raw.flight_id,
    seatIndex: raw.seat_index,
    pilotId: raw.pilot_id,
    missionId: raw.mission_id,
    orderId: raw.order_id,
    startMs: ms(raw.starts_at),
    endMs: ms(raw.ends_at),
  }),
  mission: (raw) => ({
    id: raw.id,
    name: raw.name,
    status: raw.status,
    startMs: ms(raw.starts_at),
    endMs: ms(raw.ends_at),
  }),
  flight: (raw) => ({
    id: raw.id,
    missionId: raw.mission_id,
    aircraftId: raw.aircraft_id,
    side: raw.side,
    role: raw.role,
    sizeCap: raw.size_cap,
    radioFreq: raw.radio_freq,
  }),
  pilot: (raw) => ({ id: raw.id, isActive: raw.roles.includes('user') }),
  listed: (raw) => ({ pilotId: raw.user_id, aircraftId: raw.aircraft_id }),
  leave: (raw) => ({ pilotId: raw.user_id, startMs: ms(raw.first_date), endMs: ms(raw.last_date) + 86_400_000 }),
};

const tableOf = (name: string): Table | undefined =>
  (Object.keys(TABLES) as Table[]).find((table) => TABLES[table].name === name);

function toChange(table: Table, before: Raw, after: Raw): Change {
  const read = READERS[table];
  return { table, before: before && read(before), after: after && read(after) };
}

interface Line {
  tx: string;
  snapshot: string;
  began_ms: number;
  at_ms: number;
  name: string;
  before: Raw;
  after: Raw;
}

/** True if a transaction was committed in a snapshot, written `xmin:xmax:xip,…`. */
function createSees(snapshot: string): (tx: string) => boolean {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':');
  const inProgress = new Set(running.split(','));
  return (tx) => Number(tx) < Number(xmin) || (Number(tx) < Number(xmax) && !inProgress.has(tx));
}

/** @param aheadMs how far the database's clock is ahead of the test's */
export async function readJournal(pool: Pool, aheadMs: number): Promise<Journal> {
  const { rows } = await pool.query<Line>(
    `select tx, snapshot, (extract(epoch from began) * 1000)::float8 as began_ms,
            (extract(epoch from at) * 1000)::float8 as at_ms, name, before, after
     from life_journal order by n`,
  );
  const txs = new Map<string, Tx>();
  const steps: Journal['steps'] = [];
  const lastLine = new Map<string, number>();
  for (const [index, line] of rows.entries()) {
    const table = tableOf(line.name);
    if (!table) continue;
    const tx = txs.get(line.tx) ?? {
      id: line.tx,
      beganMs: line.began_ms - aheadMs,
      lastMs: 0,
      committedByMs: Infinity,
      changes: [],
    };
    txs.set(line.tx, tx);
    const change = toChange(table, line.before, line.after);
    tx.lastMs = line.at_ms - aheadMs;
    tx.changes.push(change);
    lastLine.set(line.tx, index);
    steps.push({ tx, change, isLast: false });
  }
  const seers = rows.map(({ snapshot }) => createSees(snapshot));
  for (const [id, tx] of txs) {
    const after = (lastLine.get(id) ?? 0) + 1;
    const witness = rows.find((_, index) => index >= after && seers[index]?.(id));
    if (witness) tx.committedByMs = witness.at_ms - aheadMs;
  }
  const seen = new Set<string>();
  for (const step of steps.toReversed()) {
    step.isLast = !seen.has(step.tx.id);
    seen.add(step.tx.id);
  }
  return { txs: [...txs.values()], steps };
}

/** A row version with two spans, since commits have no exact time: others may have seen it in one and must in the other. */
export interface Version<Row> {
  row: Row;
  fromMs: number;
  untilMs: number;
  sureFromMs: number;
  sureUntilMs: number;
}

/** The versions of a row, one for each transaction that changed it; none while it did not exist. */
export type Timeline<Row> = Version<Row>[];

/** @param keyOf rows of the same key follow each other as one */
export function timelinesOf<Name extends Table>(
  { txs, steps }: Journal,
  table: Name,
  keyOf: (row: Rows[Name]) => string,
): Map<string, Timeline<Rows[Name]>> {
  const last = new Map<Tx, Map<string, Rows[Name] | null>>(txs.map((tx) => [tx, new Map()]));
  const order: { tx: Tx; key: string }[] = [];
  const note = (tx: Tx, key: string, row: Rows[Name] | null) => {
    const ofTx = last.get(tx);
    if (ofTx && !ofTx.has(key)) order.push({ tx, key });
    ofTx?.set(key, row);
  };
  for (const { tx, change } of steps) {
    if (change.table !== table) continue;
    const { before, after } = change as unknown as { before: Rows[Name] | null; after: Rows[Name] | null };
    if (before) note(tx, keyOf(before), null);
    if (after) note(tx, keyOf(after), after);
  }
  const timelines = new Map<string, Timeline<Rows[Name]>>();
  for (const { tx, key } of order) {
    const timeline = timelines.get(key) ?? [];
    timelines.set(key, timeline);
    const current = timeline.at(-1);
    if (current && current.sureUntilMs === Infinity) {
      current.untilMs = tx.committedByMs;
      current.sureUntilMs = tx.lastMs;
    }
    const row = last.get(tx)?.get(key);
    const end = { untilMs: Infinity, sureUntilMs: Infinity };
    if (row) timeline.push({ row, fromMs: tx.lastMs, sureFromMs: tx.committedByMs, ...end });
  }
  return timelines;
}
