/** Frag orders as direct messages: whose they are, when one is due, and what stands in it. */
import type { Em } from '#server/db/orm.ts';
import { sql } from '#server/db/query.ts';
import { orderCard, type OrderFacts } from '#server/domain/discord/order-card.ts';
import { loadOrders, type OrderRow } from '#server/services/order-view.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';

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
