/** Checks responses against the triggers' journal: no completed call is lost, and no call is refused without a reason. */
import { copy } from '#shared/copy.ts';
import { type Call, CLOCK_MS, during, mustMeet } from './life-calls.ts';
import { type Journal, type SeatRow, timelinesOf, type Version } from './life-journal.ts';
import { holdsSeat, meet, stateOf } from './life-machine.ts';
import type { Tally } from './life-model.ts';

const HOUR_MS = 3_600_000;

type Seen<Row> = readonly Version<Row>[];
const some = <Row>(versions: Seen<Row>, isIt: (row: Row) => boolean) => versions.some(({ row }) => isIt(row));

/** @returns a line for every answer that contradicts the history; [] when there is none */
export function findUnfounded(
  { journal, calls }: { journal: Journal; calls: readonly Call[] },
  tally: Tally = new Map(),
): string[] {
  const orders = timelinesOf(journal, 'order', ({ id }) => id);
  const missions = timelinesOf(journal, 'mission', ({ id }) => id);
  const missionsByName = timelinesOf(journal, 'mission', ({ name, id }) => `${name} ${id}`);
  const flights = timelinesOf(journal, 'flight', ({ id }) => id);
  const accounts = timelinesOf(journal, 'pilot', ({ id }) => id);
  const seatOfOrder = timelinesOf(journal, 'seat', ({ orderId }) => orderId);
  const seatAt = timelinesOf(journal, 'seat', ({ flightId, seatIndex }) => `${flightId}:${seatIndex}`);
  const leaves = timelinesOf(journal, 'leave', ({ pilotId }) => pilotId);
  const ofPilot = Map.groupBy(
    [...orders].flatMap(([id, versions]) => versions.slice(0, 1).map(({ row }) => ({ id, pilotId: row.pilotId }))),
    ({ pilotId }) => pilotId,
  );
  const flightsOf = Map.groupBy([...flights.values()].flat(), ({ row }) => row.missionId);
  const seatsOf = Map.groupBy([...seatOfOrder.values()].flat(), ({ row }) => row.pilotId);

  const holderAt = (call: Call, { flightId, seatIndex }: { flightId: string; seatIndex: number }) =>
    during(call, seatAt.get(`${flightId}:${seatIndex}`));
  const isSuspended = (call: Call, pilotId: string) =>
    some(during(call, accounts.get(pilotId)), ({ isActive }) => !isActive);
  /** True if a row may have been absent at some moment of the call. */
  const wasAway = (call: Call, versions: Seen<unknown> = []) => !versions.some((version) => mustMeet(call, version));
  /** The seat of an expired order is free, whether or not a job has freed it. */
  const mayBeFree = (call: Call, place: { flightId: string; seatIndex: number }) =>
    wasAway(call, seatAt.get(`${place.flightId}:${place.seatIndex}`)) ||
    holderAt(call, place).some(({ row }) =>
      some(
        during(call, orders.get(row.orderId)),
        (order) => order.rsvp === 'pending' && order.expiresMs <= call.endedMs + CLOCK_MS,
      ),
    );
  const isOverAt = (call: Call, missionId: string) =>
    some(
      during(call, missions.get(missionId)),
      ({ status, endMs }) => status === 'cancelled' || endMs <= call.endedMs + CLOCK_MS,
    );
  const isStartedAt = (call: Call, missionId: string) =>
    some(during(call, missions.get(missionId)), ({ startMs }) => startMs <= call.endedMs + CLOCK_MS);
  /** True if the pilot has a seat in another mission that overlaps this one. */
  const isElsewhere = (call: Call, pilotId: string, missionId: string) => {
    const own = during(call, missions.get(missionId));
    const others = during(call, seatsOf.get(pilotId)).filter(({ row }) => row.missionId !== missionId);
    return others.some(({ row: seat }) =>
      some(own, ({ startMs, endMs }) => startMs < seat.endMs && seat.startMs < endMs),
    );
  };

  /** True if the pilot may be on leave at the time of the mission. */
  const isOnLeave = (call: Call, pilotId: string, missionId: string) =>
    during(call, leaves.get(pilotId)).some(({ row: leave }) =>
      some(during(call, missions.get(missionId)), (row) => meet(leave, row)),
    );

  /** The versions of a pilot's orders in a mission that a call may have seen. */
  const ordersIn = (call: Call, { missionId, pilotId }: { missionId: string; pilotId: string }) =>
    (ofPilot.get(pilotId) ?? []).flatMap(({ id }) =>
      during(call, orders.get(id)).filter(({ row }) => row.missionId === missionId),
    );
  const isDraftAt = (call: Call, missionId: string) =>
    some(during(call, missions.get(missionId)), ({ status }) => status === 'draft');

  /** Postconditions of a call. @returns the violated ones */
  function checkDone(call: Call): string | null {
    const { act } = call;
    switch (act.kind) {
      case 'answer': {
        const met = during(call, orders.get(act.orderId));
        const isSo = some(met, (order) => order.status === 'issued' && order.rsvp === act.response);
        const isHeld = during(call, seatOfOrder.get(act.orderId)).length > 0;
        if (!isSo) return `was told ${act.response}, but the order never was`;
        if (act.response === 'accepted' && !isHeld) return 'was told accepted, but held no seat';
        return call.body.rsvp === act.response || met.length > 1 ? null : `was told ${call.body.rsvp}`;
      }
      case 'create': {
        const made = [...missionsByName].filter(([key]) => key.startsWith(`${act.name} `));
        const [first] = made.flatMap(([, versions]) => versions.slice(0, 1));
        if (made.length !== 1 || !first || first.row.id !== call.body.mission.id) return `made ${made.length} missions`;
        return first.row.status === (act.publish ? 'scheduled' : 'draft') && first.row.startMs === act.startMs
          ? null
          : 'made another mission than was asked for';
      }
      case 'publish':
      case 'cancel': {
        const wanted = act.kind === 'cancel' ? 'cancelled' : 'scheduled';
        return some(during(call, missions.get(act.missionId)), ({ status }) => status === wanted)
          ? null
          : `is not ${wanted}`;
      }
      case 'edit': {
        const { startMs, flightId, dropsFlight, sizeCap, aircraftId, role, side } = act.wish;
        const wanted = { sizeCap, aircraftId, role, side };
        const flight = flightId === undefined ? [] : during(call, flights.get(flightId));
        if (
          startMs !== undefined &&
          !some(during(call, missions.get(act.missionId)), (row) => row.startMs === startMs)
        ) {
          return 'did not move the mission';
        }
        if (flightId === undefined) return null;
        if (dropsFlight) return wasAway(call, flights.get(flightId)) ? null : 'did not drop the flight';
        const isSo = some(flight, (row) =>
          Object.entries(wanted).every(([name, value]) => value === undefined || Reflect.get(row, name) === value),
        );
        return isSo ? null : 'did not change the flight';
      }
      case 'assign':
        return some(holderAt(call, act), ({ pilotId }) => pilotId === act.pilotId) ? null : 'put nobody on the seat';
      case 'suspend':
        return isSuspended(call, act.pilotId) ? null : 'suspended nobody';
      case 'restore':
        return some(during(call, accounts.get(act.pilotId)), ({ isActive }) => isActive) ? null : 'restored nobody';
      case 'remove':
        return wasAway(call, seatAt.get(`${act.flightId}:${act.seatIndex}`)) ? null : 'left the pilot on the seat';
      case 'join':
        // a pilot who was in the queue may have got a seat in the same transaction
        return some(
          ordersIn(call, act),
          ({ status, rsvp }) => status === 'issued' && (rsvp === 'standby' || rsvp === 'accepted'),
        )
          ? null
          : 'never stood by';
      case 'quit':
        return ordersIn(call, act).some((version) => mustMeet(call, version) && stateOf(version.row) === 'standby')
          ? 'is still in the queue'
          : null;
      case 'inbox':
        return checkInbox(call, act.pilotId);
      case 'leave':
        return some(during(call, leaves.get(act.pilotId)), ({ startMs }) => startMs === Date.parse(act.firstDate))
          ? null
          : 'set no leave';
      case 'back':
        return wasAway(call, leaves.get(act.pilotId)) ? null : 'left the leave';
      case 'availability':
      case 'status':
      case 'level':
        return null;
    }
  }

  /** True if the response has all orders that were certainly pending, and none that certainly were not. */
  function checkInbox(call: Call, pilotId: string): string | null {
    const listed = new Set<string>(call.body.map(({ id }: { id: string }) => id));
    for (const { id } of ofPilot.get(pilotId) ?? []) {
      const met = during(call, orders.get(id));
      const waits = some(
        met,
        (order) => order.status === 'issued' && order.rsvp === 'pending' && order.expiresMs > call.startedMs - CLOCK_MS,
      );
      const isSure = met.some((version) => mustMeet(call, version) && version.row.expiresMs > call.endedMs + CLOCK_MS);
      if (listed.has(id) && !waits) return `lists ${id}, which does not wait for an answer`;
      if (!listed.has(id) && waits && isSure) return `does not list ${id}`;
    }
    return null;
  }

  /** True if the refusal can be correct at some moment of the call. */
  function isFounded(call: Call): boolean {
    const { act, status, message } = call;
    switch (act.kind) {
      case 'answer': {
        const met = during(call, orders.get(act.orderId));
        const first = orders.get(act.orderId)?.[0]?.row;
        if (!first) return false;
        const { missionId } = first;
        if (status === 403) return isSuspended(call, act.pilotId);
        if (message === copy.orderExpired) {
          return some(
            met,
            (order) =>
              stateOf(order) === 'expired' || (order.rsvp === 'pending' && order.expiresMs <= call.endedMs + CLOCK_MS),
          );
        }
        if (message === copy.orderCancelled)
          return some(met, ({ status: is, statusReason }) => is === 'cancelled' && statusReason !== 'expired');
        if (message === copy.seatTaken) {
          return some(
            met,
            (order) =>
              order.isSharedOffer &&
              (order.status === 'cancelled' || holderAt(call, order).some(({ row }) => row.pilotId !== act.pilotId)),
          );
        }
        if (message === copy.noSeatFree)
          return some(met, (order) => !holdsSeat(order) && isFlightFull(call, order.flightId));
        if (message === copy.missionStarted) return isStartedAt(call, missionId);
        if (message === copy.standbyTooLate) {
          return some(
            during(call, missions.get(missionId)),
            ({ startMs }) => startMs - call.endedMs - CLOCK_MS < 24 * HOUR_MS,
          );
        }
        return status === 409 && (isElsewhere(call, act.pilotId, missionId) || isOnLeave(call, act.pilotId, missionId));
      }
      case 'cancel':
        return status === 409 && isOverAt(call, act.missionId);
      case 'publish':
        if (status === 400) return isStartedAt(call, act.missionId);
        return status === 409 && some(during(call, missions.get(act.missionId)), (row) => row.status !== 'draft');
      case 'edit':
        return isEditRefusalFounded(call, act.missionId, act.wish);
      case 'assign': {
        const flight = during(call, flights.get(act.flightId));
        if (status === 404)
          return wasAway(call, flights.get(act.flightId)) || some(flight, ({ sizeCap }) => sizeCap <= act.seatIndex);
        if (status !== 409) return false;
        if (message === copy.missionIsDraft)
          return some(during(call, missions.get(act.missionId)), (row) => row.status === 'draft');
        if (message === copy.missionStarted) return isStartedAt(call, act.missionId);
        if (message === copy.pilotSuspended) return isSuspended(call, act.pilotId);
        if (message === copy.missionFinal) return isOverAt(call, act.missionId);
        return (
          holderAt(call, act).some(({ row }) => row.pilotId !== act.pilotId) ||
          isElsewhere(call, act.pilotId, act.missionId) ||
          isOnLeave(call, act.pilotId, act.missionId)
        );
      }
      case 'remove': {
        const flight = during(call, flights.get(act.flightId));
        if (status === 404)
          return wasAway(call, flights.get(act.flightId)) || some(flight, ({ sizeCap }) => sizeCap <= act.seatIndex);
        if (message === copy.missionFinal) return isOverAt(call, act.missionId);
        if (message === copy.missionStarted) return isStartedAt(call, act.missionId);
        return message === copy.seatEmpty && mayBeFree(call, act);
      }
      case 'quit':
        if (status === 403) return isSuspended(call, act.pilotId);
        if (status === 404) return isDraftAt(call, act.missionId);
        return status === 409 && isStartedAt(call, act.missionId);
      case 'join':
        return isJoinRefusalFounded(call, act);
      case 'create':
      case 'suspend':
      case 'restore':
      case 'leave':
      case 'back':
        return false;
      case 'inbox':
      case 'availability':
      case 'status':
      case 'level':
        return status === 403 && isSuspended(call, act.pilotId);
    }
  }

  function isJoinRefusalFounded(call: Call, act: { missionId: string; pilotId: string }): boolean {
    const { status, message } = call;
    if (status === 403) return isSuspended(call, act.pilotId);
    if (status === 404) return isDraftAt(call, act.missionId);
    if (status !== 409 || message === null) return false;
    if (message === copy.missionStarted) return isStartedAt(call, act.missionId);
    if (message === copy.missionNotOpen) return isOverAt(call, act.missionId);
    if (message === copy.seatHeldAlready) return some(ordersIn(call, act), (order) => stateOf(order) === 'accepted');
    if (message === copy.seatOpen) {
      const ofMission = [...flights.values()].flatMap((versions) => during(call, versions).map(({ row }) => row));
      return ofMission.some(
        ({ id, missionId, sizeCap }) =>
          missionId === act.missionId &&
          Array.from({ length: sizeCap }, (_, seatIndex) => ({ flightId: id, seatIndex })).some((place) =>
            mayBeFree(call, place),
          ),
      );
    }
    if (isElsewhere(call, act.pilotId, act.missionId) || isOnLeave(call, act.pilotId, act.missionId)) return true;
    // the journal has neither availability nor the status: the sentence names one of them, or the aircraft list
    return /^You (are not available|haven't listed|are on Do Not Disturb)/.test(message);
  }

  /** True if at no moment of the call a seat of the flight was certainly free. */
  function isFlightFull(call: Call, flightId: string): boolean {
    const sizes = during(call, flights.get(flightId)).map(({ row }) => row.sizeCap);
    if (sizes.length === 0) return true;
    const held = (seatIndex: number): Seen<SeatRow> => holderAt(call, { flightId, seatIndex });
    return Array.from({ length: Math.min(...sizes) }, (_, seatIndex) => held(seatIndex)).every(
      ({ length }) => length > 0,
    );
  }

  function isEditRefusalFounded(
    call: Call,
    missionId: string,
    { flightId, radioFreq, startMs }: { flightId?: string; radioFreq?: string; startMs?: number },
  ): boolean {
    const { status, message } = call;
    if (status === 404) return flightId !== undefined && wasAway(call, flights.get(flightId));
    if (status === 400 && message === copy.missionNeedsSeat) return (flightsOf.get(missionId) ?? []).length > 0;
    if (status === 400) return startMs !== undefined && startMs <= call.endedMs;
    if (message === copy.missionFinal) return isOverAt(call, missionId);
    if (message === copy.missionUnderWay) return isStartedAt(call, missionId);
    const inUse = [...flights.values()].some((versions) =>
      during(call, versions).some(
        ({ row }) => radioFreq !== undefined && row.id !== flightId && row.radioFreq?.startsWith(radioFreq),
      ),
    );
    return status === 409 && inUse;
  }

  return calls.flatMap((call) => {
    const what = `${call.act.kind} ${JSON.stringify(call.act)}`;
    if (call.outcome === 'ok') {
      const wrong = checkDone(call);
      tally.set(`done ${call.act.kind}`, (tally.get(`done ${call.act.kind}`) ?? 0) + 1);
      return wrong === null ? [] : [`${what}: ${wrong}`];
    }
    if (call.outcome === 'unknown') return call.status === 500 ? [`${what}: 500`] : [];
    const sentence = `${call.status} ${call.message}`;
    tally.set(
      `refused ${call.act.kind} ${call.status}`,
      (tally.get(`refused ${call.act.kind} ${call.status}`) ?? 0) + 1,
    );
    return isFounded(call) ? [] : [`${what}: ${sentence}, without cause`];
  });
}
