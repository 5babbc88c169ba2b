/**
 * State machine of legal seat histories: checks the rules of orders and seats against the triggers' journal and the calls.
 * It shares no code with the product.
 */
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { type Call, CLOCK_MS, covers, isOf } from './life-calls.ts';
import { readLeaves } from './life-leave.ts';
import {
  type Change,
  type FlightRow,
  type Journal,
  type MissionRow,
  type OrderRow,
  type SeatRow,
  type Timeline,
  timelinesOf,
  type Tx,
} from './life-journal.ts';

import {
  holdsSeat,
  isLive,
  keyOf,
  meet,
  missionsOf,
  MOVES,
  stateOf,
  type Cause,
  type State,
  type Steady,
} from './life-machine.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A transaction reads the clock before it waits for its turn. */
const TURN_MS = 10_000;

export interface Story {
  journal: Journal;
  calls: readonly Call[];
  /** transactions in which the test moved the clock */
  clockTxs: ReadonlySet<string>;
  pilots: readonly Steady[];
}

/** The number of cases that each rule has checked; a rule without cases proves nothing. */
export type Tally = Map<string, number>;

/** @returns a line for every violation; [] if the history is legal */
export function findIllegal(story: Story, tally: Tally = new Map()): string[] {
  const { journal, calls, clockTxs } = story;
  const breaches: string[] = [];
  const orders = new Map<string, OrderRow>();
  const seats = new Map<string, SeatRow>();
  const missions = new Map<string, MissionRow>();
  const flights = new Map<string, FlightRow>();
  /** the pilot who last left each seat */
  const lastToLeave = new Map<string, string>();
  /** the earliest and latest time at which an order's pilot joined the queue */
  const queued = new Map<string, { fromMs: number; byMs: number }>();
  /** orders of a pilot for a mission, in any state */
  const lastWord = new Map<string, State>();
  /** in all missions, also those made later in the journal: a transaction may have read their seats already */
  const seatsOf = Map.groupBy(
    [...timelinesOf(journal, 'seat', ({ pilotId, missionId }) => `${pilotId} ${missionId}`).values()].flat(),
    ({ row }) => row.pilotId,
  );
  const accounts = timelinesOf(journal, 'pilot', ({ id }) => id);
  const listedOf = Map.groupBy(
    [...timelinesOf(journal, 'listed', ({ pilotId, aircraftId }) => `${pilotId} ${aircraftId}`).values()].flat(),
    ({ row }) => row.pilotId,
  );
  const leaves = readLeaves(journal);
  const underWay = new Set<Tx>();
  const callsOf = Map.groupBy(calls, (call) =>
    'orderId' in call.act ? call.act.orderId : 'missionId' in call.act ? call.act.missionId : call.act.kind,
  );
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const steady = story.pilots.filter(({ aircraftId }) => aircraftId !== null);
  const never = new Set(story.pilots.flatMap(({ id, aircraftId }) => (aircraftId === null ? [id] : [])));

  const wasDone = (tx: Tx, about: string, isIt: (call: Call) => boolean) =>
    (callsOf.get(about) ?? []).some((call) => covers(call, tx) && isIt(call));
  /** Calls of the order's pilot that ask for this answer: on the order itself, or to join or leave the mission's queue. */
  const answersTo = (tx: Tx, { id, missionId, pilotId }: OrderRow, response: RsvpResponse) =>
    [...(callsOf.get(id) ?? []), ...(callsOf.get(missionId) ?? [])].filter((call) => {
      if (!covers(call, tx)) return false;
      if (isOf(call, 'answer')) return call.act.response === response;
      const asked = isOf(call, 'join') ? 'standby' : isOf(call, 'quit') ? 'declined' : null;
      return asked === response && 'pilotId' in call.act && call.act.pilotId === pilotId;
    });
  const changesIn = (tx: Tx, table: Change['table']) => tx.changes.filter((change) => change.table === table);
  /** The state that a transaction may have read, also after its last change. */
  const seen = <Row>(timeline: Timeline<Row> = [], { beganMs, committedByMs }: Tx) =>
    timeline.filter(({ fromMs, untilMs }) => fromMs <= committedByMs + CLOCK_MS && untilMs >= beganMs - CLOCK_MS);

  /**
   * Whether a pilot flies an aircraft: `null` if it depends on when the transaction read the pilot's list. A window for any
   * aircraft counts for those on the list, and for all while the list is empty. No call takes an aircraft off a list.
   */
  function flies({ id, aircraftId }: Steady, flight: FlightRow, tx: Tx): boolean | null {
    if (aircraftId !== 0) return aircraftId === flight.aircraftId;
    const listed = seen(listedOf.get(id), tx);
    const isSure = listed.some(({ sureFromMs }) => sureFromMs <= tx.beganMs - CLOCK_MS);
    const own = listed.find(({ row }) => row.aircraftId === flight.aircraftId);
    if (listed.length === 0) return true;
    if (!own) return isSure ? false : null;
    return own.sureFromMs <= tx.beganMs - CLOCK_MS || listed.length === 1 ? true : null;
  }

  /** True if there was the cause for a transaction's change of an order's state. */
  function isCause(cause: Cause, tx: Tx, before: OrderRow | null, after: OrderRow): boolean {
    const { missionId, pilotId } = after;
    const mission = missions.get(missionId);
    switch (cause) {
      case 'answered':
        return answersTo(tx, after, after.rsvp === 'pending' ? 'accepted' : after.rsvp).length > 0;
      case 'joined':
        return wasDone(tx, missionId, (call) => isOf(call, 'join') && call.act.pilotId === pilotId);
      case 'issued':
        return changesIn(tx, 'mission').some(
          ({ table, before: old, after: now }) =>
            table === 'mission' && now?.id === missionId && now.status === 'scheduled' && old?.status !== 'scheduled',
        );
      case 'assigned':
        return wasDone(
          tx,
          missionId,
          (call) => isOf(call, 'assign') && (before !== null || call.act.pilotId === pilotId),
        );
      case 'removed':
        return wasDone(tx, missionId, (call) => isOf(call, 'remove'));
      case 'edited':
        return wasDone(tx, missionId, (call) => isOf(call, 'edit'));
      case 'suspended':
        return seen(accounts.get(pilotId), tx).some(({ row }) => !row.isActive);
      case 'on leave':
        return mission !== undefined && leaves.mayStand(tx, pilotId, mission);
      case 'called off':
        return mission?.status === 'cancelled' && wasDone(tx, missionId, (call) => isOf(call, 'cancel'));
      case 'ran out':
        return before !== null && before.expiresMs <= tx.lastMs + CLOCK_MS;
      case 'offered':
        return true;
      case 'promoted':
        return mission !== undefined && mission.startMs - tx.beganMs > 24 * HOUR_MS - TURN_MS;
      case 'called':
        return changesIn(tx, 'order').some(
          ({ table, before: old, after: now }) =>
            table === 'order' && !old && now?.pilotId === pilotId && now.missionId === missionId,
        );
      case 'outrun': {
        const holder = [...seats.values()].find((seat) => keyOf(seat) === keyOf(after));
        return holder !== undefined && holder.pilotId !== pilotId;
      }
      case 'back':
        return (
          before?.rsvp === 'standby' &&
          changesIn(tx, 'order').some(
            ({ table, before: old, after: now }) =>
              table === 'order' && stateOf(old) === 'shared' && now?.pilotId === pilotId && now.status === 'cancelled',
          )
        );
    }
  }

  /** One change of an order; the rows around it are those at the end of the transaction. */
  function checkOrder(tx: Tx, before: OrderRow | null, after: OrderRow): string[] {
    const [from, to] = [stateOf(before), stateOf(after)];
    const mission = missions.get(after.missionId);
    const found: string[] = [];
    if (!mission) return ['has no mission'];
    const isOfClock = clockTxs.has(tx.id);
    const isSame =
      from === to &&
      before?.expiresMs === after.expiresMs &&
      keyOf(before) === keyOf(after) &&
      before.rsvp === after.rsvp;
    if (isSame || (isOfClock && from === to)) return [];
    // an ended order may be moved to the replacement of its flight; it is never answered
    if (from === to && before?.status === 'cancelled')
      return before.rsvp === after.rsvp ? [] : ['was answered when it was over'];
    count(`${from} to ${to}`);
    const causes = MOVES[from]?.[to] ?? [];
    const cause = causes.find((one) => isCause(one, tx, before, after));
    if (!cause) return [`went from ${from} to ${to} without ${causes.join(', ') || 'any right'}`];

    if (cause === 'answered' && before) {
      lastWord.set(`${mission.id} ${after.pilotId}`, to);
      found.push(...checkAnswer(tx, mission, before, after));
    }
    if (cause === 'joined') lastWord.set(`${mission.id} ${after.pilotId}`, to);
    if (cause === 'on leave') count(cause);
    if (!before) found.push(...checkIssue(tx, mission, after, cause));
    if (cause === 'promoted') found.push(...checkTurn(tx, mission, after));
    if (to === 'standby' && from !== 'superseded' && from !== 'standby') {
      const starts = answersTo(tx, after, 'standby').map(({ startedMs }) => startedMs);
      queued.set(after.id, { fromMs: Math.min(...starts), byMs: tx.lastMs });
    }
    return found;
  }

  /** Time limits of an answer: before expiry, before the start, and a mark for giving a seat back late. */
  function checkAnswer(tx: Tx, mission: MissionRow, before: OrderRow, after: OrderRow): string[] {
    const answers = answersTo(tx, after, after.rsvp === 'pending' ? 'accepted' : after.rsvp);
    const earliest = Math.min(...answers.map(({ startedMs }) => startedMs)) - CLOCK_MS;
    const latest = Math.max(...answers.map(({ endedMs }) => endedMs)) + CLOCK_MS;
    const found: string[] = [];
    if (before.rsvp === 'pending' && earliest >= before.expiresMs) found.push(`was ${after.rsvp} after it had run out`);
    if (before.rsvp === after.rsvp) return found;
    if (earliest >= mission.startMs) found.push(`was ${after.rsvp} after the start`);
    if (before.rsvp !== 'accepted') return found;
    const hoursLeft = { most: (mission.startMs - earliest) / HOUR_MS, least: (mission.startMs - latest) / HOUR_MS };
    if (after.rsvp === 'standby' && hoursLeft.most < 24) found.push('stood down less than 24 h before the start');
    if (after.rsvp === 'declined' && (after.isLate ? hoursLeft.least >= 24 : hoursLeft.most < 24)) {
      found.push(`was given back ${after.isLate ? 'early and marked' : 'late and not marked'} as late`);
    }
    return found;
  }

  /** A new order: its pilot, kind and time limit. */
  function checkIssue(tx: Tx, mission: MissionRow, order: OrderRow, cause: Cause): string[] {
    const found: string[] = [];
    const left = mission.startMs - order.issuedMs;
    const lasts = Math.min(Math.max(15 * MINUTE_MS, Math.min(48 * HOUR_MS, left / 4)), left);
    if (Math.abs(order.expiresMs - order.issuedMs - lasts) > 1_000)
      found.push('runs out at another time than it should');
    if (leaves.mustStand(tx, order.pilotId, mission)) found.push('asks a pilot on leave');
    if (cause === 'assigned') return found;
    const flight = flights.get(order.flightId);
    const pilot = story.pilots.find(({ id }) => id === order.pilotId);
    if (never.has(order.pilotId)) found.push('asks a pilot who is never free');
    if (flight && pilot && pilot.aircraftId !== null && flies(pilot, flight, tx) === false)
      found.push('asks a pilot for another aircraft');
    const account = seen(accounts.get(order.pilotId), tx);
    if (account.length > 0 && account.every(({ row }) => !row.isActive)) found.push('asks a suspended pilot');
    if (cause === 'issued' || cause === 'joined') return found;
    if (lastWord.get(`${mission.id} ${order.pilotId}`) === 'declined')
      found.push('asks a pilot again who has declined');
    if (order.isSharedOffer && mission.startMs - tx.lastMs > 2 * HOUR_MS + TURN_MS)
      found.push('is open to all too early');
    if (!order.isSharedOffer && mission.startMs - tx.beganMs < 2 * HOUR_MS - TURN_MS)
      found.push('asks one alone in the last 2 h');
    return found;
  }

  /** True if a transaction must have seen the pilot as free for a seat. */
  function couldFly(tx: Tx, pilot: Steady, mission: MissionRow, flight: FlightRow): boolean {
    const account = seen(accounts.get(pilot.id), tx);
    if (flies(pilot, flight, tx) !== true || account.length === 0 || account.some(({ row }) => !row.isActive))
      return false;
    if (leaves.mayStand(tx, pilot.id, mission)) return false;
    return !seen(seatsOf.get(pilot.id), tx).some(({ row }) => row.missionId !== mission.id && meet(row, mission));
  }

  /** Checks that no pilot who has waited longer was skipped. */
  function checkTurn(tx: Tx, mission: MissionRow, promoted: OrderRow): string[] {
    const flight = flights.get(promoted.flightId);
    const joined = queued.get(promoted.id);
    if (!flight || !joined) return [];
    count('turn');
    const passed = [...orders.values()].filter((order) => {
      const byMs = queued.get(order.id)?.byMs ?? Infinity;
      if (order.missionId !== mission.id || stateOf(order) !== 'standby' || byMs >= joined.fromMs) return false;
      const pilot = steady.find(({ id }) => id === order.pilotId);
      // a pilot who stood down from this seat does not get it back before another pilot has held it
      const stoodDown = lastToLeave.get(keyOf(promoted)) === order.pilotId || hasGivenUp(tx, order.pilotId);
      return pilot !== undefined && !stoodDown && couldFly(tx, pilot, mission, flight);
    });
    return passed.map(({ id }) => `was seated before ${id}, who has waited longer`);
  }

  const hasGivenUp = (tx: Tx, pilotId: string) =>
    tx.changes.some(({ table, before, after }) => table === 'seat' && before?.pilotId === pilotId && !after);

  /** Checks that a seat freed more than 24 h ahead is not left empty while a pilot could get it without being asked. */
  function checkFreed(tx: Tx): string[] {
    return tx.changes.flatMap((change) => {
      if (change.table !== 'seat' || !change.before) return [];
      const freed = change.before;
      const mission = missions.get(freed.missionId);
      const flight = flights.get(freed.flightId);
      const isHeld = [...seats.values()].some((seat) => keyOf(seat) === keyOf(freed));
      const ranOut = stateOf(orders.get(freed.orderId)) === 'expired';
      if (isHeld || ranOut || !flight || freed.seatIndex >= flight.sizeCap) return [];
      if (mission?.status !== 'scheduled' || mission.startMs - tx.beganMs < 24 * HOUR_MS + TURN_MS) return [];
      count('freed');
      const ofMission = [...orders.values()].filter(({ missionId }) => missionId === mission.id);
      const idle = steady.filter((pilot) => {
        const own = ofMission.filter(({ pilotId }) => pilotId === pilot.id);
        const isWaiting = own.some((order) => stateOf(order) === 'standby') && !hasGivenUp(tx, pilot.id);
        return (own.length === 0 || isWaiting) && couldFly(tx, pilot, mission, flight);
      });
      return idle.map(({ id }) => `seat ${keyOf(freed)} was left empty, though ${id} could fly it`);
    });
  }

  /** Checks the invariants of a mission after a transaction. */
  function checkMission(id: string): string[] {
    const mission = missions.get(id);
    if (!mission) return [`mission ${id} is gone`];
    const ofMission = [...orders.values()].filter(({ missionId }) => missionId === id);
    const found: string[] = [];
    if (mission.status !== 'scheduled') {
      const alive = ofMission.filter(({ status }) => status === 'issued');
      found.push(...alive.map((order) => `order ${order.id} lives in a mission that is ${mission.status}`));
    }
    for (const [pilotId, live] of Map.groupBy(ofMission.filter(isLive), (order) => order.pilotId)) {
      if (live.length > 1) found.push(`${pilotId} has ${live.length} live orders in ${id}`);
    }
    for (const seat of [...seats.values()].filter(({ missionId }) => missionId === id)) {
      const flight = flights.get(seat.flightId);
      if (!flight || flight.missionId !== id || seat.seatIndex >= flight.sizeCap)
        found.push(`seat ${keyOf(seat)} is in no flight`);
      if (seat.startMs !== mission.startMs || seat.endMs !== mission.endMs)
        found.push(`seat ${keyOf(seat)} has times of its own`);
    }
    return found;
  }

  /** One mission over a whole transaction. */
  function checkMissionMove(tx: Tx, before: MissionRow | null, after: MissionRow): string[] {
    const made = (call: Call) => isOf(call, 'create') && call.act.name === after.name;
    const isMoved = before !== null && (before.startMs !== after.startMs || before.endMs !== after.endMs);
    if (isMoved && !wasDone(tx, after.id, (call) => isOf(call, 'edit'))) return ['was moved by nobody'];
    const move = `${before?.status ?? 'none'} to ${after.status}`;
    if (before?.status === after.status) return [];
    count(`mission ${move}`);
    const isRight: Record<string, () => boolean> = {
      'none to scheduled': () =>
        wasDone(tx, 'create', (call) => made(call) && isOf(call, 'create') && call.act.publish),
      'none to draft': () => wasDone(tx, 'create', (call) => made(call) && isOf(call, 'create') && !call.act.publish),
      'draft to scheduled': () => wasDone(tx, after.id, (call) => isOf(call, 'publish')),
      'draft to cancelled': () => wasDone(tx, after.id, (call) => isOf(call, 'cancel')),
      'scheduled to cancelled': () => wasDone(tx, after.id, (call) => isOf(call, 'cancel')),
    };
    return isRight[move]?.() ? [] : [`went from ${move} by nobody`];
  }

  /** Checks the invariants at any moment, also within transactions. */
  function place(seat: SeatRow): string[] {
    const found: string[] = [];
    for (const other of seats.values()) {
      if (other.orderId === seat.orderId) continue;
      if (keyOf(other) === keyOf(seat)) found.push(`seat ${keyOf(seat)} has two holders`);
      if (other.pilotId === seat.pilotId && meet(other, seat)) found.push(`${seat.pilotId} is in two missions at once`);
    }
    seats.set(seat.orderId, seat);
    return found;
  }

  function apply({ table, before, after }: Change): string[] {
    if (table === 'seat') {
      if (before) seats.delete(before.orderId);
      if (before && (!after || keyOf(after) !== keyOf(before))) lastToLeave.set(keyOf(before), before.pilotId);
      return after ? place(after) : [];
    }
    if (table === 'order' && after) orders.set(after.id, after);
    if (table === 'order' && before && !after) return [`order ${before.id} was deleted`];
    if (table === 'mission' && after) missions.set(after.id, after);
    if (table === 'mission' && before && !after) return [`mission ${before.id} was deleted`];
    if (table === 'flight' && after) flights.set(after.id, after);
    if (table === 'flight' && before && !after) flights.delete(before.id);
    return [];
  }

  function checkTx(tx: Tx): string[] {
    const found: string[] = [];
    for (const { table, before, after } of tx.changes) {
      if (table === 'order' && after) {
        found.push(...checkOrder(tx, before, after).map((line) => `order ${after.id} ${line}`));
      } else if (table === 'mission' && after) {
        found.push(...checkMissionMove(tx, before, after).map((line) => `mission ${after.id} ${line}`));
      }
      const id = table === 'order' ? after?.id : table === 'seat' ? (after ?? before)?.orderId : undefined;
      const order = id === undefined ? undefined : orders.get(id);
      if (order && holdsSeat(order) !== seats.has(order.id)) {
        found.push(`order ${order.id} is ${stateOf(order)} ${seats.has(order.id) ? 'with' : 'without'} a seat`);
      }
    }
    // a mission that another transaction is changing is checked afterwards
    const others = new Set([...underWay].flatMap((other) => (other === tx ? [] : [...missionsOf(other)])));
    const settled = [...missionsOf(tx)].filter((id) => !others.has(id));
    return [...found, ...settled.flatMap(checkMission), ...checkFreed(tx), ...leaves.findTaken(tx)];
  }

  for (const { tx, change, isLast } of journal.steps) {
    underWay.add(tx);
    breaches.push(...apply(change).map((line) => `${line} (${tx.id})`));
    if (!isLast) continue;
    breaches.push(...checkTx(tx).map((line) => `${line} (${tx.id})`));
    underWay.delete(tx);
  }
  return [...new Set(breaches)];
}
