/**
 * Frag orders as direct messages: one message per order, which is edited until the order is over. Everything is derived from
 * the current state of the orders, so that syncing again is always safe.
 */
import { expressionBuilder, type NotNull } from 'kysely';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isAwaitingAnswer } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { nextCardChangeMs, orderCard } from '#server/discord/rules/order-card.ts';
import { quietUntil } from '#server/availability/rules/free-time.ts';
import { DAY_MS } from '#server/time/time.ts';
import { presentOrder, selectOrders } from '#server/orders/order-view.ts';
import { type OutboxRow, publicUrlOf, queueMessage } from './outbox.ts';
import { copy } from '#shared/copy.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import type { OutboxState } from '#server/schema/operations.ts';
import { syncReminders } from './reminder-messages.ts';
import { isReachable } from './reachability.ts';
import { hashShown } from './content-hash.ts';
import { enqueuePilotSyncAt } from '#server/signals/discord-jobs.ts';

/**
 * The current card of an order. The caller has checked that it may be shown.
 * @returns null for an order that does not exist or was never issued
 */
export async function loadOrderCard(
  em: Em,
  orderId: string,
  publicUrl: string,
  now: Date,
): Promise<DiscordMessage | null> {
  const row = await selectOrders(em).where('o.id', '=', orderId).where('o.status', '<>', 'draft').executeTakeFirst();
  return row ? orderCard(presentOrder(row, now), publicUrl, now.getTime()) : null;
}

interface LinkedPilot {
  pilotId: string;
  discordUserId: string;
  linkedMs: number;
  /** Discord refused the last direct message */
  isClosed: boolean;
  /** new messages may be sent: the pilot wants them, is active, and shares a server with the bot */
  takesNew: boolean;
  /** epoch ms: Do Not Disturb holds back messages about missions that start until then */
  quietUntilMs: number;
}

async function findLinkedPilot(em: Em, pilotId: string, now: Date): Promise<LinkedPilot | null> {
  const row = await db(em)
    .selectFrom('discord_account as d')
    .innerJoin('app_user as u', 'u.id', 'd.user_id')
    .leftJoin('pilot_status as t', 't.user_id', 'u.id')
    .select(({ eb, and, ref }) => [
      'd.user_id as pilotId',
      'd.discord_user_id as discordUserId',
      ms(ref('d.linked_at')).as('linkedMs'),
      eb('d.dm_closed_at', 'is not', null).$castTo<boolean>().as('isClosed'),
      and([eb('d.wants_orders', '=', true), isActivePilot('u'), isReachable])
        .$castTo<boolean>()
        .as('isListening'),
      't.state',
      't.minutes',
      ms(ref('t.expires_at')).as('expiresAtMs'),
    ])
    .where('d.user_id', '=', pilotId)
    .executeTakeFirst();
  if (!row) return null;
  const { isListening, state, minutes, expiresAtMs, ...pilot } = row;
  const status = { state: state ?? 'available', minutes, expiresAtMs };
  return { ...pilot, takesNew: isListening, quietUntilMs: quietUntil(status, now.getTime()) };
}

/** The aliases of the tables in the conditions below. */
type Aliases = { o: Database['frag_order']; m: Database['mission'] };
const eb = expressionBuilder<Database & Aliases, keyof Aliases>();
const { and, or, val, fn } = eb;

/** True for an issued order `o` of a scheduled mission `m`. */
const isIssued = and([eb('o.status', '=', 'issued'), eb('m.status', '=', 'scheduled')]);

/** True if an order `o` of a mission `m` still waits for its pilot's answer. */
const isOpen = (now: Date) =>
  and([isAwaitingAnswer('o', now), eb('m.status', '=', 'scheduled'), eb('m.starts_at', '>', now)]);

/**
 * True if an order `o` of a mission `m`, which is no practice and no sooner than the pilot wants to hear of, needs a message:
 * it is pending, it got a seat without being asked, or an admin changed it after the pilot was linked.
 */
const isNews = (now: Date, { linkedMs, quietUntilMs }: LinkedPilot) =>
  and([
    eb('m.is_practice', '=', false),
    ...(quietUntilMs > now.getTime() ? [eb('m.starts_at', '>', new Date(quietUntilMs))] : []),
    or([
      isOpen(now),
      and([
        isIssued,
        eb('o.rsvp', '=', 'accepted'),
        eb('m.starts_at', '>', now),
        eb('o.read_at', 'is', null),
        eb(val<string>(copy.wasOnStandby), '=', fn.any('o.reasons')),
        eb('o.accepted_at', '>=', new Date(linkedMs)),
      ]),
      and([
        isIssued,
        eb('o.rsvp', 'in', ['accepted', 'standby']),
        eb('m.ends_at', '>', now),
        eb(fn<number>('jsonb_array_length', ['o.changes']), '>', 0),
        eb('o.changed_at', '>=', new Date(linkedMs)),
      ]),
    ]),
  ]);

/** Orders with their missions; the caller says which orders. */
const selectOrderIds = (em: Em) =>
  db(em).selectFrom('frag_order as o').innerJoin('mission as m', 'm.id', 'o.mission_id').select('o.id');

/** The stored state of an order's message. */
interface Standing {
  orderId: string;
  state: OutboxState;
  discordUserId: string | null;
  messageId: string | null;
  shown: string | null;
}

/** How long after the end of a mission its cards are still synced. */
const LOOK_BACK_MS = DAY_MS;

async function findStanding(tx: Em, pilotId: string, now: Date): Promise<Map<string, Standing>> {
  const rows = await db(tx)
    .selectFrom('outbox_message')
    .select(['subject_id as orderId', 'state', 'discord_user_id as discordUserId', 'message_id as messageId', 'shown'])
    .where('kind', '=', 'order')
    .where('subject_id', 'in', ({ selectFrom }) =>
      selectFrom('frag_order as o')
        .innerJoin('mission as m', 'm.id', 'o.mission_id')
        .select(({ cast }) => cast<string>('o.id', 'text').as('id'))
        .where('o.pilot_id', '=', pilotId)
        .where('m.ends_at', '>', new Date(now.getTime() - LOOK_BACK_MS)),
    )
    .$narrowType<{ orderId: NotNull }>()
    .execute();
  return new Map(rows.map((row) => [row.orderId, row]));
}

/**
 * True if an order's message has to be sent (again). A waiting one need not be queued again, since it is composed when it is
 * sent; one that is being sent may have been composed before the change.
 */
function needsSending(standing: Standing | undefined, hash: string, mayBegin: boolean, isClosed: boolean): boolean {
  if (!standing) return mayBegin;
  if (standing.state === 'sending') return true;
  if (standing.messageId !== null) return standing.shown !== hash;
  // a message that failed while direct messages were closed is sent once they are open
  return mayBegin && (standing.state === 'cancelled' || (standing.state === 'failed' && !isClosed));
}

async function syncInside(tx: Em, pilotId: string, publicUrl: string, now: Date): Promise<void> {
  // one job per pilot at a time, so that none of them works with outdated data
  await db(tx)
    .selectFrom('discord_account')
    .select('user_id')
    .where('user_id', '=', pilotId)
    .forNoKeyUpdate()
    .execute();
  const pilot = await findLinkedPilot(tx, pilotId, now);
  if (!pilot) return;
  const standing = await findStanding(tx, pilotId, now);
  const news = await selectOrderIds(tx).where('o.pilot_id', '=', pilotId).where(isNews(now, pilot)).execute();
  const isWorthOne = new Set(news.map(({ id }) => id));
  const orders = await selectOrders(tx)
    .where(isOneOf('o.id', [...standing.keys(), ...isWorthOne]))
    .execute();
  const moments = await syncReminders(tx, pilotId, publicUrl, now);
  // oldest first, the order in which they are read in Discord
  for (const row of orders.toReversed()) {
    const order = presentOrder(row, now);
    const known = standing.get(row.id);
    // a message to another, formerly linked account is left alone
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
 * Sync a pilot's messages with their orders: queue new ones, and edits of sent ones. Writes only outbox rows. Safe to run
 * twice, late, concurrently, and for a pilot who is not (or no longer) linked.
 * @param publicUrl origin of the site, for links
 */
export async function syncPilotOrders(em: Em, pilotId: string, publicUrl: string, now: Date): Promise<void> {
  await transact(em, (tx) => syncInside(tx, pilotId, publicUrl, now));
}

/** The pilot of an order's message, while they are linked to the account that it was sent to. */
async function findPilotOf(em: Em, row: OutboxRow, now: Date): Promise<LinkedPilot | null> {
  const owner = await db(em)
    .selectFrom('frag_order')
    .select('pilot_id as id')
    .where('id', '=', row.subjectId)
    .executeTakeFirst();
  const pilot = owner ? await findLinkedPilot(em, owner.id, now) : null;
  return pilot?.discordUserId === row.discordUserId ? pilot : null;
}

/** The current content of an order's message; null if it should not be sent, or if the account is no longer linked. */
export async function composeOrder(em: Em, row: OutboxRow, now: Date): Promise<DiscordMessage | null> {
  const pilot = row.subjectId === null ? null : await findPilotOf(em, row, now);
  if (!pilot || row.subjectId === null) return null;
  // a message that was attempted may have been posted, and its content and buttons must then be up to date
  if (row.messageId === null && row.firstTriedMs === null) {
    if (!pilot.takesNew) return null;
    const worthOne = await selectOrderIds(em)
      .where('o.id', '=', row.subjectId)
      .where(isNews(now, pilot))
      .executeTakeFirst();
    if (!worthOne) return null;
  }
  return loadOrderCard(em, row.subjectId, publicUrlOf(row), now);
}

/** True if the order still waits for an answer: a message that somebody deleted is then posted again. */
export async function isOrderOpen(em: Em, row: OutboxRow, now: Date): Promise<boolean> {
  const open = await selectOrderIds(em).where('o.id', '=', row.subjectId).where(isOpen(now)).executeTakeFirst();
  return open !== undefined;
}
