/**
 * Frag orders as direct messages. An order's message is edited until the order is over; news that the pilot did not cause
 * is a new message that replies to the one before, whose buttons go. Everything is derived from the current state of the
 * orders, so that syncing again is always safe.
 */
import { expressionBuilder, type NotNull } from 'kysely';
import { db, isOneOf, ms, type Database } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { isActivePilot, isAwaitingAnswer } from '#server/schema/predicates.ts';
import { transact } from '#server/schema/transaction.ts';
import { nextCardChangeMs, orderCard, replacedCard } from '#server/discord/rules/order-card.ts';
import { quietUntil } from '#server/availability/rules/do-not-disturb.ts';
import { DAY_MS } from '#server/time/time.ts';
import { ringOf } from '#server/discord/rules/order-ring.ts';
import { type OrderRow, presentOrder, presentPackaged, selectOrders } from '#server/orders/order-view.ts';
import { momentsOf } from '#shared/order-state.ts';
import type { DeliveryState } from '#server/schema/delivery.ts';
import type { PostKind } from '#server/schema/discord-post.ts';
import { CHANGED, type Post, publicUrlOf, queueAgain, queuePost, stateOf } from './posts.ts';
import { copy } from '#shared/copy.ts';
import { type Texts, textsFor } from '#shared/discord-texts/catalogue.ts';
import type { DiscordMessage } from '#shared/schemas/bot.ts';
import { syncReminders } from './reminder-messages.ts';
import { isReachable } from '#server/schema/reachability.ts';
import { hashShown } from './content-hash.ts';
import { enqueuePilotSyncAt } from '#server/signals/discord-jobs.ts';

async function loadCard(em: Em, row: OrderRow, publicUrl: string, now: Date, texts: Texts): Promise<DiscordMessage> {
  const [order] = await presentPackaged(em, [row], now);
  if (!order) throw new Error('An order has no card');
  return orderCard(order, publicUrl, now.getTime(), texts);
}

/**
 * The current card of an order. The caller has checked that it may be shown.
 * @returns null for an order that does not exist or was never issued
 */
export async function loadOrderCard(
  em: Em,
  orderId: string,
  publicUrl: string,
  now: Date,
  texts: Texts,
): Promise<DiscordMessage | null> {
  const row = await selectOrders(em).where('o.id', '=', orderId).where('o.status', '<>', 'draft').executeTakeFirst();
  return row ? loadCard(em, row, publicUrl, now, texts) : null;
}

interface LinkedPilot {
  pilotId: string;
  discordUserId: string;
  /** language of the pilot's Discord client; null if unknown */
  locale: string | null;
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
      'd.locale',
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
 * it is pending, it got a seat without being asked, or an admin nudged its pilot or changed it after the pilot was linked.
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
        eb('o.rsvp', '=', 'accepted'),
        eb('m.starts_at', '>', now),
        eb('o.nudged_at', '>=', new Date(linkedMs)),
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

/** The stored state of one of an order's messages. */
interface Standing {
  id: string;
  kind: PostKind;
  dedupeKey: string;
  subjectId: string;
  /** of its latest delivery */
  state: DeliveryState | null;
  discordUserId: string | null;
  messageId: string | null;
  shown: string | null;
  firstTriedMs: number | null;
  payload: Record<string, unknown>;
}

/** The number of an order's message: 0 for the first, then one for each that replied to the one before. */
const turnOf = ({ payload }: Pick<Standing, 'payload'>): number => Number(payload['turn'] ?? 0);

/** The news of which a message has notified, or may have; undefined if it has not been attempted. */
const rungBy = ({ payload }: Pick<Standing, 'payload'>): unknown => payload['ring'];

/** Discord shows the message, or may do so soon. */
const isLive = ({ messageId, state }: Standing): boolean =>
  messageId !== null || state === 'queued' || state === 'sending' || state === 'uncertain';

/** How long after the end of a mission its cards are still synced. */
const LOOK_BACK_MS = DAY_MS;

const selectStanding = (em: Em) =>
  db(em)
    .selectFrom('discord_post as o')
    .select((columns) => [
      ...CHANGED,
      stateOf(columns).as('state'),
      'o.discord_user_id as discordUserId',
      'o.message_id as messageId',
      'o.shown',
      ms(columns.ref('o.first_tried_at')).as('firstTriedMs'),
      'o.payload',
    ])
    .where('o.kind', '=', 'order')
    .$narrowType<{ subjectId: NotNull }>();

async function findStanding(tx: Em, pilotId: string, now: Date): Promise<Map<string, Standing[]>> {
  const rows: Standing[] = await selectStanding(tx)
    .where('o.subject_id', 'in', ({ selectFrom }) =>
      selectFrom('frag_order as f')
        .innerJoin('mission as m', 'm.id', 'f.mission_id')
        .select(({ cast }) => cast<string>('f.id', 'text').as('id'))
        .where('f.pilot_id', '=', pilotId)
        .where('m.ends_at', '>', new Date(now.getTime() - LOOK_BACK_MS)),
    )
    .execute();
  return Map.groupBy(rows, ({ subjectId }) => subjectId);
}

/** The other messages about a row's order to the same account. */
async function findOthers(em: Em, row: Pick<Post, 'id' | 'subjectId' | 'discordUserId'>): Promise<Standing[]> {
  return selectStanding(em)
    .where('o.subject_id', '=', row.subjectId)
    .where('o.discord_user_id', '=', row.discordUserId)
    .where('o.id', '<>', row.id)
    .execute();
}

/** The news of an order now, if its pilot may be told: no practice, not held back by Do Not Disturb, not over. */
function findRing(row: OrderRow, { takesNew, quietUntilMs }: LinkedPilot, now: Date): string | null {
  const nowMs = now.getTime();
  const isQuiet = quietUntilMs > nowMs && row.starts_ms <= quietUntilMs;
  if (!takesNew || row.is_practice || isQuiet || row.ends_ms <= nowMs) return null;
  const moments = momentsOf(presentOrder(row, now));
  const { accepted_ms: acceptedMs, changed_ms: changedMs, nudged_ms: nudgedMs, read_ms: readMs } = row;
  return ringOf({ ...moments, acceptedMs, changedMs, nudgedMs, isRead: readMs !== null }, nowMs);
}

interface Syncing {
  tx: Em;
  pilot: LinkedPilot;
  publicUrl: string;
  now: Date;
}

/** Queue one of an order's messages; a failed or cancelled one of the same number starts over. */
async function queueTurn({ tx, pilot, publicUrl, now }: Syncing, orderId: string, turn: number): Promise<void> {
  const dedupeKey = turn === 0 ? `frag:${orderId}` : `frag:${orderId}:${turn}`;
  const to = { guildId: null, channelId: null, discordUserId: pilot.discordUserId, subjectId: orderId };
  await queuePost(tx, { kind: 'order', dedupeKey, ...to, payload: { publicUrl, turn } }, now);
}

/**
 * Queue what an order's messages need. A waiting one need not be queued again, since it is composed when it is sent; one
 * that is being sent may have been composed before the change.
 * @param own the order's messages to this account
 * @param isWorthOne the order may get its first message now
 */
async function syncOrder(
  syncing: Syncing,
  row: OrderRow,
  own: readonly Standing[],
  isWorthOne: boolean,
): Promise<void> {
  const { tx, pilot, publicUrl, now } = syncing;
  const last = own.filter(isLive).toSorted((a, b) => turnOf(b) - turnOf(a))[0];
  const mayTry = (turn: number) =>
    !own.some((one) => turnOf(one) === turn && one.state === 'failed') || !pilot.isClosed;
  if (!last) {
    // a message that failed while direct messages were closed is sent once they are open
    if (pilot.takesNew && isWorthOne && mayTry(0)) await queueTurn(syncing, row.id, 0);
    return;
  }
  const ring = findRing(row, pilot, now);
  const rung = rungBy(last);
  const wasTried = last.messageId !== null || last.firstTriedMs !== null;
  const next = turnOf(last) + 1;
  if (wasTried && typeof rung === 'string' && ring !== null && ring !== rung && mayTry(next)) {
    await queueTurn(syncing, row.id, next);
    if (last.state === 'sending') await queueAgain(tx, [last]);
    return;
  }
  const isStale =
    last.messageId !== null &&
    last.shown !== hashShown(await loadCard(tx, row, publicUrl, now, textsFor(pilot.locale)));
  if (last.state === 'sending' || isStale) await queueAgain(tx, [last]);
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
  const moments = await syncReminders(tx, pilot, publicUrl, now);
  // oldest first, the order in which they are read in Discord
  for (const row of orders.toReversed()) {
    // messages to another, formerly linked account are left alone
    const own = (standing.get(row.id) ?? []).filter(({ discordUserId }) => discordUserId === pilot.discordUserId);
    await syncOrder({ tx, pilot, publicUrl, now }, row, own, isWorthOne.has(row.id));
    const next = nextCardChangeMs(presentOrder(row, now), now.getTime());
    if (next !== null && (own.length > 0 || isWorthOne.has(row.id))) moments.push(next);
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
async function findPilotOf(em: Em, row: Post, now: Date): Promise<LinkedPilot | null> {
  const owner = await db(em)
    .selectFrom('frag_order')
    .select('pilot_id as id')
    .where('id', '=', row.subjectId)
    .executeTakeFirst();
  const pilot = owner ? await findLinkedPilot(em, owner.id, now) : null;
  return pilot?.discordUserId === row.discordUserId ? pilot : null;
}

/** The content of an order's message, and how it is sent. */
export interface ComposedOrder {
  /** null if it should not be sent, or if the account is no longer linked */
  message: DiscordMessage | null;
  /** the news of which it notifies; '' for none */
  ring: string;
  /** id of the message that it replies to */
  replyTo: string | null;
}

const NOTHING: ComposedOrder = { message: null, ring: '', replyTo: null };

/** The current content of an order's message. */
export async function composeOrder(em: Em, row: Post, now: Date): Promise<ComposedOrder> {
  const pilot = row.subjectId === null ? null : await findPilotOf(em, row, now);
  if (!pilot || row.subjectId === null) return NOTHING;
  const order = await selectOrders(em)
    .where('o.id', '=', row.subjectId)
    .where('o.status', '<>', 'draft')
    .executeTakeFirst();
  if (!order) return NOTHING;
  const others = await findOthers(em, row);
  const isLater = (one: Standing) => turnOf(one) > turnOf(row);
  const publicUrl = publicUrlOf(row);
  const texts = textsFor(row.locale);
  const facts = presentOrder(order, now);
  const isReplaced = others.some((one) => isLater(one) && isLive(one));
  const ring = findRing(order, pilot, now);
  if (row.messageId !== null) {
    if (isReplaced) return { ...NOTHING, message: replacedCard(facts, publicUrl, texts) };
    const rung = rungBy(row);
    // the pilot's sync is about to queue a new message: this one keeps what it says until then
    const isFollowed = typeof rung === 'string' && ring !== null && ring !== rung && !others.some(isLater);
    return isFollowed ? NOTHING : { ...NOTHING, message: await loadCard(em, order, publicUrl, now, texts) };
  }
  if (isReplaced) return NOTHING;
  const before = others
    .filter((one) => !isLater(one) && one.messageId !== null)
    .toSorted((a, b) => turnOf(b) - turnOf(a))[0];
  // one that was attempted may have been posted, and its content and buttons must then be up to date
  if (row.firstTriedMs === null) {
    const worthOne = () =>
      selectOrderIds(em).where('o.id', '=', row.subjectId).where(isNews(now, pilot)).executeTakeFirst();
    const isWorth =
      turnOf(row) === 0
        ? pilot.takesNew && (await worthOne()) !== undefined
        : ring !== null && ring !== before?.payload['ring'];
    if (!isWorth) return NOTHING;
  }
  const message = await loadCard(em, order, publicUrl, now, texts);
  return { message, ring: ring ?? '', replyTo: before?.messageId ?? null };
}

/**
 * Queue edits of the messages before one that was posted, failed or is no longer needed: once it is posted their buttons
 * go, otherwise the last of them shows the order's state.
 */
export async function queueEarlier(tx: Em, row: Post): Promise<void> {
  if (row.kind !== 'order' || turnOf(row) === 0) return;
  const older = (await findOthers(tx, row)).filter((one) => one.messageId !== null && turnOf(one) < turnOf(row));
  await queueAgain(tx, older);
}

/** True if the order still waits for an answer: a message that somebody deleted is then posted again, unless it was replaced. */
export async function isOrderOpen(em: Em, row: Post, now: Date): Promise<boolean> {
  const open = await selectOrderIds(em).where('o.id', '=', row.subjectId).where(isOpen(now)).executeTakeFirst();
  return open !== undefined && !(await findOthers(em, row)).some((one) => turnOf(one) > turnOf(row) && isLive(one));
}
