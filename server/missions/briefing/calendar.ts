/** Orders as calendar events (iCalendar): one file per order, and a feed behind a secret link for subscriptions. */
import ical, {
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalEventData,
} from 'ical-generator';
import { sql } from 'kysely';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { DAY_MS } from '#server/time/time.ts';
import { emit } from '#server/signals/emit.ts';
import { AppError } from '#server/platform/errors.ts';
import { formatTime, localTimesNote } from '#shared/clock.ts';
import { markdownLines } from '#shared/markdown.ts';
import { linkWords } from '#shared/mission-links.ts';
import { seatLabel, sideName } from '#shared/labels.ts';
import { INBOX_HISTORY_DAYS } from '#shared/limits.ts';
import { FACT_LABELS, NOT_ASSIGNED, notesOf, type ShownOn } from '#shared/order-facts.ts';
import { MISSION_UID_END, type CalendarFeedDto, type NewCalendarFeedDto } from '#shared/schemas/calendar.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { presentMissions, selectOrders, type OrderRow } from '#server/orders/order-view.ts';
import { holdSession } from '#server/accounts/sessions.ts';
import { hashToken, randomToken } from '#server/platform/tokens.ts';
import { isPilot, toViewer, VIEWER_COLUMNS, type Viewer } from '#server/platform/viewer.ts';

/** Suggested refresh interval of the feed, in seconds. Most calendar apps ignore it and refresh every few hours. */
const REFRESH_SECONDS = 3600;

interface Change {
  id: string;
  acceptedMs: number | null;
  /** the last change to the order or its mission */
  changedMs: number;
}

/** An order with its package and the time of its last change. */
interface OrderEvent {
  order: AcceptedMissionDto;
  change: Change;
}

/** Orders of the viewer; the caller says which. */
const selectOwn = (em: Em, viewer: Viewer) =>
  selectOrders(em).where('o.pilot_id', '=', viewer.id).where('o.status', '<>', 'draft');

async function loadEvents(em: Em, viewer: Viewer, rows: readonly OrderRow[], now: Date): Promise<OrderEvent[]> {
  if (rows.length === 0) return [];
  const changes = await db(em)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .select(({ ref }) => [
      'o.id',
      ms(ref('o.accepted_at')).as('acceptedMs'),
      ms(sql<Date>`greatest(o.issued_at, o.answered_at, o.confirmed_at, o.changed_at, m.updated_at)`).as('changedMs'),
    ])
    .where(
      isOneOf(
        'o.id',
        rows.map(({ id }) => id),
      ),
    )
    .execute();
  const changeOf = new Map(changes.map((change) => [change.id, change]));
  const orders = await presentMissions(em, viewer, rows, now);
  return orders
    .flatMap((order) => {
      const change = changeOf.get(order.id);
      return change ? [{ order, change }] : [];
    })
    .toSorted((a, b) => a.order.startUtc.localeCompare(b.order.startUtc) || a.order.seq - b.order.seq);
}

/** Confirmed for an accepted order, cancelled for one given back or cancelled, tentative for one that waits for an answer. */
function eventStatus({ order, change }: OrderEvent): ICalEventStatus {
  if (order.status !== 'issued' || order.rsvp === 'declined') return ICalEventStatus.CANCELLED;
  if (order.rsvp === 'accepted') return ICalEventStatus.CONFIRMED;
  if (order.rsvp === 'pending') return ICalEventStatus.TENTATIVE;
  return change.acceptedMs === null ? ICalEventStatus.TENTATIVE : ICalEventStatus.CANCELLED;
}

type Line = (order: AcceptedMissionDto, timeZone: string) => string[];

const timeLine = (label: string, instant: string | null, timeZone: string) =>
  instant === null ? [] : [`${label} ${formatTime(instant, timeZone)}`];

/** Facts that have their own calendar fields, or are in the first line of the description. */
type HeadFact =
  | 'missionName'
  | 'theater'
  | 'endUtc'
  | 'flightCallsign'
  | 'seatIndex'
  | 'role'
  | 'aircraftName'
  | 'side';

/** The lines of the description below the first, in the order in which they stand. */
const LINES: Record<Exclude<ShownOn<'calendar'>, HeadFact>, Line> = {
  startUtc: ({ startUtc }, timeZone) => timeLine(FACT_LABELS.startUtc, startUtc, timeZone),
  launchUtc: ({ launchUtc }, timeZone) => timeLine(FACT_LABELS.launchUtc, launchUtc, timeZone),
  totUtc: ({ totUtc }, timeZone) => [...timeLine(FACT_LABELS.totUtc, totUtc, timeZone), localTimesNote(timeZone)],
  radioFreq: ({ radioFreq }) => [`${FACT_LABELS.radioFreq} ${radioFreq ?? NOT_ASSIGNED}`],
  // empty for an order of the side that its pilot no longer flies for
  package: ({ package: { callsign, objective, composition } }) =>
    composition.length === 0
      ? []
      : [
          `Package ${callsign}: ${objective}`,
          ...composition.map((flight) => `  ${flight.callsign}: ${flight.seats} × ${flight.aircraftName}`),
        ],
  texts: (order) => {
    const lines = notesOf(order).flatMap((text) => markdownLines(text));
    return lines.length === 0 ? [] : ['', ...lines];
  },
  links: ({ links }) => (links.length === 0 ? [] : ['', ...links.map(linkWords)]),
};

const orderUrl = ({ id }: AcceptedMissionDto, publicUrl: string) => `${publicUrl}/orders/${id}`;

function describe(order: AcceptedMissionDto, timeZone: string, publicUrl: string): string {
  const { flightCallsign, seatIndex, role, aircraftName, side } = order;
  return [
    `${flightCallsign}, ${seatLabel(seatIndex).toLowerCase()}: ${role}, ${aircraftName}, ${sideName(side)}`,
    ...Object.values(LINES).flatMap((line) => line(order, timeZone)),
    '',
    orderUrl(order, publicUrl),
    `Mission plan: ${publicUrl}/missions/${order.missionId}`,
  ].join('\n');
}

function presentEvent(event: OrderEvent, timeZone: string, publicUrl: string): ICalEventData {
  const { order, change } = event;
  const status = eventStatus(event);
  const link = orderUrl(order, publicUrl);
  const isCancelled = status === ICalEventStatus.CANCELLED;
  const changed = new Date(change.changedMs);
  return {
    id: `${order.id}${MISSION_UID_END}`,
    start: new Date(order.startUtc),
    end: new Date(order.endUtc),
    created: new Date(order.issuedAt),
    lastModified: changed,
    stamp: changed,
    // Later versions are higher; within a second the cancelled one is, since calendars ignore a repeated number.
    sequence:
      2 * Math.max(0, Math.floor((change.changedMs - Date.parse(order.issuedAt)) / 1000)) + (isCancelled ? 1 : 0),
    summary: `${order.label} ${order.missionName} (${order.flightCallsign}, ${order.aircraftName})`,
    location: order.theater,
    description: describe(order, timeZone, publicUrl),
    url: link,
    status,
    transparency:
      status === ICalEventStatus.CONFIRMED ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
    class: ICalEventClass.PRIVATE,
  };
}

const PRODUCT = { company: 'Marshal', product: 'Frag orders', language: 'EN' };

/**
 * One order of the viewer as a calendar file, times in UTC.
 * @returns the file's text, and the order's label for its name
 * @throws AppError 404 for an order that is not the viewer's
 */
export async function exportOrder(
  em: Em,
  viewer: Viewer,
  id: string,
  publicUrl: string,
  now: Date,
): Promise<{ label: string; text: string }> {
  const rows = await selectOwn(em, viewer).where('o.id', '=', id).execute();
  const [event] = await loadEvents(em, viewer, rows, now);
  if (!event) throw new AppError('ORDER_NOT_FOUND');
  const calendar = ical({
    prodId: PRODUCT,
    method: ICalCalendarMethod.PUBLISH,
    events: [presentEvent(event, viewer.timeZone, publicUrl)],
  });
  return { label: event.order.label, text: calendar.toString() };
}

/** The pilot who owns the link; 404 for an unknown link or a suspended pilot. */
async function findOwner(em: Em, token: string): Promise<Viewer> {
  const row = await db(em)
    .selectFrom('calendar_feed as c')
    .innerJoin('app_user as u', 'u.id', 'c.user_id')
    .select(VIEWER_COLUMNS)
    .where('c.token_hash', '=', hashToken(token))
    .executeTakeFirst();
  const owner = row ? toViewer(row) : null;
  if (!owner || !isPilot(owner)) throw new AppError('CALENDAR_NOT_FOUND');
  return owner;
}

/**
 * All orders that a pilot has ever accepted, from 30 days ago on. Those that were given back or cancelled are included as
 * cancelled events, so that calendars which keep old events remove them too.
 * @throws AppError 404 for a link that is not in use, and for a suspended pilot's
 */
export async function exportFeed(em: Em, token: string, publicUrl: string, now: Date): Promise<string> {
  const owner = await findOwner(em, token);
  const since = new Date(now.getTime() - INBOX_HISTORY_DAYS * DAY_MS);
  const rows = await selectOwn(em, owner)
    .where('o.accepted_at', 'is not', null)
    .where('m.ends_at', '>', since)
    .execute();
  const events = await loadEvents(em, owner, rows, now);
  return ical({
    prodId: PRODUCT,
    method: ICalCalendarMethod.PUBLISH,
    name: 'Marshal missions',
    description: 'Missions you have accepted',
    ttl: REFRESH_SECONDS,
    events: events.map((event) => presentEvent(event, owner.timeZone, publicUrl)),
  }).toString();
}

/** States if the pilot has a calendar link. The link itself is no longer known: only its hash is stored. */
export async function getCalendar(em: Em, viewer: Viewer): Promise<CalendarFeedDto> {
  const row = await db(em)
    .selectFrom('calendar_feed')
    .select(({ ref }) => ms(ref('created_at')).as('createdMs'))
    .where('user_id', '=', viewer.id)
    .executeTakeFirst();
  return { createdAt: row ? new Date(row.createdMs).toISOString() : null };
}

/** Create a new link; the previous one stops working. */
export async function createCalendar(
  em: Em,
  viewer: Viewer,
  sessionToken: string,
  publicUrl: string,
  now: Date,
): Promise<NewCalendarFeedDto> {
  const token = randomToken();
  await transact(em, async (tx) => {
    await holdSession(tx, viewer.id, sessionToken);
    await db(tx)
      .insertInto('calendar_feed')
      .values({ user_id: viewer.id, token_hash: hashToken(token), created_at: now })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(({ ref }) => ({
          token_hash: ref('excluded.token_hash'),
          created_at: ref('excluded.created_at'),
        })),
      )
      .execute();
    emit(tx, { type: 'calendar.link_made', userId: viewer.id });
  });
  return { url: `${publicUrl}/api/v1/calendar/${token}.ics`, createdAt: now.toISOString() };
}

/** Delete the link, if there is one. */
export async function endCalendar(em: Em, viewer: Viewer): Promise<void> {
  await transact(em, async (tx) => {
    const ended = await db(tx)
      .deleteFrom('calendar_feed')
      .where('user_id', '=', viewer.id)
      .returning('user_id')
      .execute();
    if (ended.length > 0) emit(tx, { type: 'calendar.link_ended', userId: viewer.id });
  });
}
