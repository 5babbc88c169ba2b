/**
 * Events of missions that the clock causes: the end of a mission, and too few pilots at one of the stages before it. The
 * maintenance job looks for them; each is written once, however often and on however many replicas it looks.
 */
import { tryEach } from '#server/platform/each.ts';
import { listTurnoutAlerts } from '#server/board/turnout-alerts.ts';
import { getMission } from '#server/missions/mission-detail.ts';
import { db, isOneOf, ms } from '#server/schema/database.ts';
import type { Em } from '#server/schema/orm.ts';
import { transact } from '#server/schema/transaction.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { DAY_MS } from '#server/time/time.ts';
import { listListeners, queueEvents, type Listener, type NewEvent } from './queue-events.ts';

/** Ends that are older are not told: after a long outage, too. Less than the log is kept, which knows what was told. */
const TOLD_DAYS = 7;
/** More are told by the next run. */
const ENDS_PER_RUN = 50;

type Moment = Pick<NewEvent, 'type' | 'occurredAt' | 'webhookIds'> & { dedupeKey: string; turnout?: object };

/** Write the event of one mission, with the mission as it is now. */
async function recordMoment(em: Em, missionId: string, { turnout, ...moment }: Moment, now: Date): Promise<void> {
  await transact(em, async (tx) => {
    // events of a mission are written under its lock, so that they have an order
    const locked = await lockMission(tx, missionId);
    if (locked?.status !== 'scheduled') return;
    const data = { mission: await getMission(tx, { id: missionId }, now), ...(turnout && { turnout }) };
    await queueEvents(tx, [{ ...moment, missionId, data }], now);
  });
}

const endKey = (missionId: string) => `mission.completed:${missionId}`;

/** Missions that have ended while a webhook listened, and whose end has not been told. */
async function recordEnds(em: Em, listeners: readonly Listener[], now: Date): Promise<void> {
  if (listeners.length === 0) return;
  const since = Math.max(
    now.getTime() - TOLD_DAYS * DAY_MS,
    Math.min(...listeners.map(({ listensSinceMs }) => listensSinceMs)),
  );
  const ended = await db(em)
    .selectFrom('mission as m')
    .select(({ ref }) => ['m.id', ms(ref('m.ends_at')).as('endMs')])
    .where('m.status', '=', 'scheduled')
    .where('m.is_practice', '=', false)
    .where('m.ends_at', '<=', now)
    .where('m.ends_at', '>', new Date(since))
    .where(({ not, exists, selectFrom, fn, cast, val, ref }) =>
      not(
        exists(
          selectFrom('webhook_event as e').where(
            'e.dedupe_key',
            '=',
            fn<string>('concat', [cast<string>(val(endKey('')), 'text'), ref('m.id')]),
          ),
        ),
      ),
    )
    .orderBy('m.ends_at')
    .orderBy('m.id')
    .limit(ENDS_PER_RUN)
    .execute();
  const recordEnd = async ({ id, endMs }: { id: string; endMs: number }) => {
    const webhookIds = listeners.filter(({ listensSinceMs }) => listensSinceMs < endMs).map((one) => one.id);
    const moment = {
      type: 'mission.completed',
      occurredAt: new Date(endMs),
      dedupeKey: endKey(id),
      webhookIds,
    } as const;
    await recordMoment(em, id, moment, now);
  };
  await tryEach(ended, recordEnd, 'The end of some missions could not be recorded');
}

/** The stages of turnout alerts that have not been told. */
async function recordShortages(em: Em, listeners: readonly Listener[], now: Date): Promise<void> {
  if (listeners.length === 0) return;
  const webhookIds = listeners.map(({ id }) => id);
  const alerts = (await listTurnoutAlerts(em, now)).map((turnout) => ({
    turnout,
    dedupeKey: `mission.short:${turnout.missionId}:${turnout.stage}`,
  }));
  const told = await db(em)
    .selectFrom('webhook_event')
    .select('dedupe_key as key')
    .where(
      isOneOf(
        'dedupe_key',
        alerts.map(({ dedupeKey }) => dedupeKey),
      ),
    )
    .execute();
  const isTold = new Set(told.map(({ key }) => key));
  const untold = alerts.filter(({ dedupeKey }) => !isTold.has(dedupeKey));
  const recordShortage = ({ turnout, dedupeKey }: (typeof alerts)[number]) => {
    const moment = { type: 'mission.short', occurredAt: now, dedupeKey, webhookIds, turnout } as const;
    return recordMoment(em, turnout.missionId, moment, now);
  };
  await tryEach(untold, recordShortage, 'Some shortages of pilots could not be recorded');
}

/** Part of the maintenance job. Safe to run at any time and on any replica. */
export async function recordMissionMoments(em: Em, now: Date): Promise<void> {
  const listeners = await listListeners(em);
  const wanting = (type: string) => listeners.filter(({ events }) => events.includes(type));
  await recordEnds(em, wanting('mission.completed'), now);
  await recordShortages(em, wanting('mission.short'), now);
}
