/**
 * The sample community's last days, played through the real rooms event by event: missions are created, pilots answer,
 * orders expire, seats are backfilled. So every row is one that the product itself has written.
 */
import { AIRCRAFT_CATALOGUE } from '#server/accounts/pilots/rules/aircraft-catalogue.ts';
import { HOUR_MS, localDateTime, MINUTE_MS } from '#server/time/time.ts';
import { writeEntities } from '#server/schema/flushing.ts';
import { db, ms } from '#server/schema/database.ts';
import { Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import { createMissionInput } from '#shared/schemas/missions.ts';
import type { Attendance, Rsvp, RsvpResponse } from '#shared/vocabulary.ts';
import { cancelOrders } from '#server/orders/seats/mission-lock.ts';
import { lockMission } from '#server/orders/seats/orders.ts';
import { answer } from '#server/orders/answer.ts';
import { recordAttendance } from '#server/missions/attendance/marks.ts';
import { backfillMission } from '#server/orders/backfill.ts';
import { createMission } from '#server/missions/missions.ts';
import { PRINTED_PILOTS } from './sample-pilots.ts';
import {
  SAMPLE_MISSIONS,
  sampleIssuedMs,
  sampleTimes,
  type SampleMission,
  type SampleReply,
} from './sample-missions.ts';
import { setStatus } from '#server/availability/status.ts';
import type { Viewer } from '#server/platform/viewer.ts';

export interface SampleCast {
  admin: Viewer;
  /** by mailbox */
  pilots: ReadonlyMap<string, Viewer>;
  /** mailboxes of the pilots who are available for the current mission */
  crew: readonly string[];
}

type Pending = Awaited<ReturnType<typeof listPending>>[number];
type Event = { atMs: number; run: () => Promise<void> };

const GIVE_BACK_BEFORE = 70 * MINUTE_MS;
const ATTENDANCE_AFTER = 25 * MINUTE_MS;
/** How long before the current mission some of the crew without a seat set their status to Find Flight. */
const READY_BEFORE = 80 * MINUTE_MS;
const READY = { pilots: 3, minutes: 300 };

const RESPONSES: Record<Exclude<SampleReply, 'silent'>, RsvpResponse> = {
  accept: 'accepted',
  confirm: 'accepted',
  'give back': 'accepted',
  decline: 'declined',
  standby: 'standby',
};

/** @param tx a transaction; the rooms' own become savepoints in it */
export async function playSampleStory(tx: Em, cast: SampleCast, now: Date): Promise<void> {
  const nowMs = now.getTime();
  const pilotById = new Map([...cast.pilots].map(([mailbox, viewer]) => [viewer.id, { mailbox, viewer }]));
  const events: Event[] = [];
  const at = (atMs: number, run: Event['run']) => events.push({ atMs, run });

  for (const mission of SAMPLE_MISSIONS) {
    const issuedMs = sampleIssuedMs(mission, nowMs);
    at(issuedMs, () => issue(mission, issuedMs));
  }

  async function issue(mission: SampleMission, issuedMs: number): Promise<void> {
    const { startMs, endMs, timeZone } = sampleTimes(mission, nowMs);
    const input = createMissionInput.parse({
      name: mission.name,
      theater: mission.theater,
      notes: mission.notes,
      startLocal: localDateTime(startMs, timeZone),
      endLocal: localDateTime(endMs, timeZone),
      timeZone,
      aircraftSlots: mission.slots.map(([code, slotCount, notes, side = 0]) => ({
        aircraftId: aircraftIdOf(code),
        slotCount,
        notes,
        side,
      })),
      publish: mission.isDraft !== true,
    });
    const created = await createMission(tx, cast.admin, input, null, new Date(issuedMs));
    const followUp = followUpOf(mission, created.mission.id, startMs);
    await followUp();
    if (mission.when === 'now') at(startMs - READY_BEFORE, () => getReady(created.mission.id, startMs - READY_BEFORE));
    const { attendance } = mission;
    if (attendance) {
      const markedMs = endMs + ATTENDANCE_AFTER;
      at(markedMs, () => markAttendance(created.mission.id, attendance, markedMs));
    }
    if (mission.cancelledBeforeNow !== undefined) {
      const cancelledMs = nowMs - mission.cancelledBeforeNow * HOUR_MS;
      at(cancelledMs, () => callOff(tx, created.mission.id, new Date(cancelledMs)));
    }
  }

  /** @returns a function that schedules the reactions to orders issued since its last call */
  function followUpOf(mission: SampleMission, missionId: string, startMs: number): () => Promise<void> {
    const seen = new Set<string>();
    let replied = 0;

    const replyTo = (mailbox: string): SampleReply => {
      const own = mission.repliesOf?.[mailbox];
      if (own !== undefined) return own;
      if (PRINTED_PILOTS.some((printed) => printed === mailbox)) return 'confirm';
      return mission.replies[replied++] ?? 'accept';
    };

    const send = (order: Pending, response: RsvpResponse, atMs: number, expected: Rsvp) =>
      at(atMs, async () => {
        const pilot = pilotById.get(order.pilotId);
        // by then the order may have expired, or another pilot may have the seat
        if (!pilot || !(await isStill(tx, order.id, expected))) return;
        await answer(tx, pilot.viewer, { id: order.id, response }, new Date(atMs));
        await followUp();
      });

    async function followUp(): Promise<void> {
      const pending = await listPending(tx, missionId);
      for (const order of pending.filter(({ id }) => !seen.has(id))) {
        const place = seen.size;
        seen.add(order.id);
        const reply = replyTo(pilotById.get(order.pilotId)?.mailbox ?? '');
        if (reply === 'silent') {
          at(order.expiresMs, async () => {
            await backfillMission(tx, missionId, new Date(order.expiresMs));
            await followUp();
          });
          continue;
        }
        // pilots answer one by one over three quarters of the available time
        const time = Math.min(order.expiresMs, nowMs) - order.issuedMs;
        const replyMs = order.issuedMs + Math.floor(time * (0.1 + 0.08 * (place % 9)));
        send(order, RESPONSES[reply], replyMs, 'pending');
        if (reply === 'confirm') send(order, 'accepted', replyMs + Math.floor(time * 0.05), 'accepted');
        if (reply === 'give back') send(order, 'declined', startMs - GIVE_BACK_BEFORE, 'accepted');
      }
    }

    return followUp;
  }

  async function markAttendance(missionId: string, known: readonly Attendance[], atMs: number): Promise<void> {
    const holders = await db(tx)
      .selectFrom('frag_order as o')
      .innerJoin('seat as s', 's.order_id', 'o.id')
      .select('o.id')
      .where('o.mission_id', '=', missionId)
      .where('o.rsvp', '=', 'accepted')
      .orderBy('o.seq')
      .execute();
    const attendance = holders.map(({ id }, index) => ({
      orderId: id,
      attendance: known[index] ?? ('attended' as const),
    }));
    await recordAttendance(tx, cast.admin, { id: missionId, attendance }, new Date(atMs));
  }

  async function getReady(missionId: string, atMs: number): Promise<void> {
    const holders = await db(tx)
      .selectFrom('frag_order')
      .select('pilot_id as pilotId')
      .where('mission_id', '=', missionId)
      .execute();
    const asked = new Set(holders.map(({ pilotId }) => pilotId));
    const free = cast.crew.flatMap((mailbox) => cast.pilots.get(mailbox) ?? []).filter(({ id }) => !asked.has(id));
    for (const { id } of free.slice(0, READY.pilots)) {
      await setStatus(tx, { id, state: 'now', minutes: READY.minutes }, new Date(atMs));
    }
  }

  for (let next = takeNext(events, nowMs); next; next = takeNext(events, nowMs)) {
    // otherwise each statement of this event would check all entities of earlier events for changes
    await writeEntities(tx);
    tx.clear();
    await next.run();
  }
}

/** The earliest event before `nowMs`; later ones never happen. */
function takeNext(events: Event[], nowMs: number): Event | undefined {
  const due = events.filter(({ atMs }) => atMs < nowMs);
  const next = due.reduce<Event | undefined>(
    (first, event) => (first && first.atMs <= event.atMs ? first : event),
    undefined,
  );
  if (next) events.splice(events.indexOf(next), 1);
  return next;
}

function aircraftIdOf(code: string): number {
  const found = AIRCRAFT_CATALOGUE.find((aircraft) => aircraft.code === code);
  if (!found) throw new Error(`The aircraft catalogue has no ${code}.`);
  return found.id;
}

async function listPending(tx: Em, missionId: string) {
  return db(tx)
    .selectFrom('frag_order')
    .select(({ ref }) => [
      'id',
      'pilot_id as pilotId',
      ms(ref('issued_at')).as('issuedMs'),
      ms(ref('expires_at')).as('expiresMs'),
    ])
    .where('mission_id', '=', missionId)
    .where('status', '=', 'issued')
    .where('rsvp', '=', 'pending')
    .orderBy('seq')
    .execute();
}

async function isStill(tx: Em, orderId: string, rsvp: Rsvp): Promise<boolean> {
  const row = await db(tx)
    .selectFrom('frag_order')
    .select('id')
    .where('id', '=', orderId)
    .where('status', '=', 'issued')
    .where('rsvp', '=', rsvp)
    .executeTakeFirst();
  return row !== undefined;
}

/** Cancel a mission, which frees its seats and cancels its orders. */
async function callOff(tx: Em, missionId: string, now: Date): Promise<void> {
  await tx.nativeUpdate(Mission, { id: missionId }, { status: 'cancelled' });
  const mission = await lockMission(tx, missionId);
  if (mission) await cancelOrders(tx, mission, now);
}
