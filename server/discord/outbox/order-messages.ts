/**
 * Frag orders as direct messages: one message per order, which is edited until the order is over. Everything follows from
 * how the orders stand, whatever has happened and however often it is looked at.
 */
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot } from '#server/schema/predicates.ts';
import { msOf, query, sql } from '#server/schema/query.ts';
import { transact } from '#server/schema/transaction.ts';
import { nextCardChangeMs, orderCard, type OrderFacts } from '#server/discord/rules/order-card.ts';
import { effectiveStatus } from '#shared/pilot-status.ts';
import { DAY_MS } from '#server/time/time.ts';
import { loadOrders, type OrderRow } from '#server/orders/order-view.ts';
import { type OutboxRow, publicUrlOf, queueMessage } from './outbox.ts';
import { copy } from '#shared/copy.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { OutboxState } from '#server/schema/operations.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { isReachable } from './reachability.ts';
import { hashShown } from './content-hash.ts';
import { enqueuePilotSyncAt } from '#server/signals/discord-jobs.ts';

function toFacts(row: OrderRow): OrderFacts {
  return {
    id: row.id,
    seq: row.seq,
    status: row.status,
    statusReason: row.status_reason,
    rsvp: row.rsvp,
    missionName: row.mission_name,
    flightCallsign: row.flight_callsign,
    aircraftName: row.aircraft_name,
    seatIndex: row.seat_index,
    role: row.role,
    side: row.side,
    startMs: row.starts_ms,
    endMs: row.ends_ms,
    launchMs: row.launch_ms,
    expiresMs: row.expires_ms,
    reasons: row.reasons,
    changes: row.changes ?? [],
    changedMs: row.changed_ms,
  };
}

/**
 * The card of an order as it stands now, whoever asks: whether they may is for the caller to know.
 * @returns null for an order that does not exist or never went out
 */
export async function loadOrderCard(
  em: Em,
  orderId: string,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage | null> {
  const [row] = await loadOrders(em, sql`o.id = ${orderId} and o.status <> 'draft'`);
  return row ? orderCard(toFacts(row), publicUrl, now.getTime()) : null;
}

interface LinkedPilot {
  pilotId: string;
  discordUserId: string;
  linkedMs: number;
  /** Discord refused the last direct message */
  isClosed: boolean;
  /** whether messages may begin now: wanted, active, not Do Not Disturb, in a server of the bot's */
  takesNew: boolean;
}

type PilotRow = {
  pilot_id: string;
  discord_user_id: string;
  linked_ms: number;
  is_closed: boolean;
  wants_orders: boolean;
  is_active: boolean;
  is_reachable: boolean;
  state: StatusState | null;
  minutes: number | null;
  status_expires_ms: number | null;
};

async function findLinkedPilot(em: Em, pilotId: string, now: Date): Promise<LinkedPilot | null> {
  const [row] = await query<PilotRow>(
    em,
    sql`select d.user_id as pilot_id, d.discord_user_id, ${msOf('d.linked_at')} as linked_ms,
               d.dm_closed_at is not null as is_closed, d.wants_orders,
               ${isActivePilot('u')} as is_active, ${isReachable} as is_reachable, t.state, t.minutes, ${msOf('t.expires_at')} as status_expires_ms
        from discord_account d join app_user u on u.id = d.user_id left join pilot_status t on t.user_id = u.id
        where d.user_id = ${pilotId}`,
  );
  if (!row) return null;
  const status = { state: row.state ?? 'available', minutes: row.minutes, expiresAtMs: row.status_expires_ms };
  const isDisturbable = effectiveStatus(status, now.getTime()).effectiveState !== 'dnd';
  return {
    pilotId: row.pilot_id,
    discordUserId: row.discord_user_id,
    linkedMs: row.linked_ms,
    isClosed: row.is_closed,
    takesNew: row.wants_orders && row.is_active && row.is_reachable && isDisturbable,
  };
}

/** Whether an order `o` of a mission `m` still waits for its pilot's answer. */
const isOpen = (now: Date) => sql`(o.status = 'issued' and o.rsvp = 'pending' and o.expires_at > ${now}
  and m.status = 'scheduled' and m.starts_at > ${now})`;

/**
 * Whether an order `o` of a mission `m` is worth a message of its own: it asks, it became a seat without asking, or an admin
 * changed it since the pilot can be told here.
 */
const isNews = (now: Date, linkedMs: number) => sql`(${isOpen(now)}
  or (o.status = 'issued' and m.status = 'scheduled' and o.rsvp = 'accepted' and m.starts_at > ${now}
      and o.read_at is null and ${copy.wasOnStandby}::text = any(o.reasons)
      and o.accepted_at >= ${new Date(linkedMs)})
  or (o.status = 'issued' and m.status = 'scheduled' and o.rsvp in ('accepted', 'standby') and m.ends_at > ${now}
      and jsonb_array_length(coalesce(o.changes, '[]')) > 0 and o.changed_at >= ${new Date(linkedMs)}))`;

/** The message of an order, as far as there is one. */
interface Standing {
  orderId: string;
  state: OutboxState;
  discordUserId: string | null;
  messageId: string | null;
  shown: string | null;
}

/** How long after the end of a mission its cards are still looked at. */
const LOOK_BACK_MS = DAY_MS;

async function findStanding(tx: Em, pilotId: string, now: Date): Promise<Map<string, Standing>> {
  const rows = await query<Standing>(
    tx,
    sql`select subject_id as "orderId", state, discord_user_id as "discordUserId", message_id as "messageId", shown
        from outbox_message
        where kind = 'order' and subject_id in (
          select o.id::text from frag_order o join mission m on m.id = o.mission_id
          where o.pilot_id = ${pilotId} and m.ends_at > ${new Date(now.getTime() - LOOK_BACK_MS)})`,
  );
  return new Map(rows.map((row) => [row.orderId, row]));
}

/**
 * Whether the sender has to look at an order's message (again). One that waits needs no second word: what is sent is worded
 * then. One that is being sent may have been worded before the change.
 */
function needsSending(standing: Standing | undefined, hash: string, mayBegin: boolean, isClosed: boolean): boolean {
  if (!standing) return mayBegin;
  if (standing.state === 'sending') return true;
  if (standing.messageId !== null) return standing.shown !== hash;
  // what was refused while messages were closed is sent once they are open
  return mayBegin && (standing.state === 'cancelled' || (standing.state === 'failed' && !isClosed));
}

async function syncInside(tx: Em, pilotId: string, publicUrl: string, now: Date): Promise<void> {
  // the jobs of one pilot queue here, so that none of them works with what another has made old
  await query(tx, sql`select 1 from discord_account where user_id = ${pilotId} for no key update`);
  const pilot = await findLinkedPilot(tx, pilotId, now);
  if (!pilot) return;
  const standing = await findStanding(tx, pilotId, now);
  const news = await query<{ id: string }>(
    tx,
    sql`select o.id from frag_order o join mission m on m.id = o.mission_id
        where o.pilot_id = ${pilotId} and ${isNews(now, pilot.linkedMs)}`,
  );
  const isWorthOne = new Set(news.map(({ id }) => id));
  const orders = await loadOrders(tx, sql`o.id = any(${[...standing.keys(), ...isWorthOne]}::uuid[])`);
  const moments: number[] = [];
  // the oldest first, as they are read
  for (const row of orders.toReversed()) {
    const order = toFacts(row);
    const known = standing.get(row.id);
    // of another account of theirs: that one is not touched any more
    const own = known?.discordUserId === pilot.discordUserId ? known : undefined;
    const mayBegin = pilot.takesNew && isWorthOne.has(row.id);
    if (!own && !mayBegin) continue;
    const hash = hashShown(orderCard(order, publicUrl, now.getTime()));
    if (needsSending(own, hash, mayBegin, pilot.isClosed)) {
      const message = { guildId: null, channelId: null, discordUserId: pilot.discordUserId, subjectId: row.id };
      await queueMessage(tx, { kind: 'order', dedupeKey: `frag:${row.id}`, ...message, payload: { publicUrl } }, now);
    }
    const next = nextCardChangeMs(order, now.getTime());
    if (next !== null) moments.push(next);
  }
  if (moments.length > 0) await enqueuePilotSyncAt(tx, pilotId, new Date(Math.min(...moments)));
}

/**
 * Bring a pilot's messages to what their orders are: new ones, and edits of those that stand. Only notes what is to be sent.
 * Safe to run twice, late, at the same time elsewhere, and for a pilot who is not linked (any more).
 * @param publicUrl origin of the site, where the messages lead
 */
export async function syncPilotOrders(em: Em, pilotId: string, publicUrl: string, now: Date): Promise<void> {
  await transact(em, (tx) => syncInside(tx, pilotId, publicUrl, now));
}

/** The pilot of an order's message, while the account that it went to is theirs. */
async function findPilotOf(em: Em, row: OutboxRow, now: Date): Promise<LinkedPilot | null> {
  const [owner] = await query<{ pilot_id: string }>(
    em,
    sql`select pilot_id from frag_order where id = ${row.subjectId}`,
  );
  const pilot = owner ? await findLinkedPilot(em, owner.pilot_id, now) : null;
  return pilot?.discordUserId === row.discordUserId ? pilot : null;
}

/** What the message of an order says now; null when it is not to begin, or is nobody's any more. */
export async function composeOrder(em: Em, row: OutboxRow, now: Date): Promise<DiscordMessage | null> {
  const pilot = row.subjectId === null ? null : await findPilotOf(em, row, now);
  if (!pilot || row.subjectId === null) return null;
  // one that was tried may stand there all the same, with buttons, and is then to say what is true
  if (row.messageId === null && row.firstTriedMs === null) {
    if (!pilot.takesNew) return null;
    const [worthOne] = await query(
      em,
      sql`select 1 as one from frag_order o join mission m on m.id = o.mission_id
          where o.id = ${row.subjectId} and ${isNews(now, pilot.linkedMs)}`,
    );
    if (!worthOne) return null;
  }
  return loadOrderCard(em, row.subjectId, publicUrlOf(row), now);
}

/** Whether the order still waits for an answer: a message that somebody deleted is then posted anew. */
export async function isOrderOpen(em: Em, row: OutboxRow, now: Date): Promise<boolean> {
  const open = await query(
    em,
    sql`select 1 as one from frag_order o join mission m on m.id = o.mission_id
        where o.id = ${row.subjectId} and ${isOpen(now)}`,
  );
  return open.length > 0;
}
