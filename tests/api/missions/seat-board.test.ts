/** The seat board of a mission: its groups, and changes that are applied together, or not at all. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer } from '#server/orders/answer.ts';
import { applySeats } from '#server/missions/apply-seats.ts';
import { loadBoardSeats, readEditTime, versionOfBoard } from '#server/orders/seating/seat-board.ts';
import { AppError, publicError } from '#server/platform/errors.ts';
import { query, sql } from '#server/schema/query.ts';
import type { ApplySeatsInput, BoardPilotDto, SeatBoardDto } from '#shared/schemas/seat-board.ts';
import { givenAdmin, givenAlwaysFree, givenPerson, hoursFromNow, type Person } from '#tests/harness/given.ts';
import { findBreaches } from '#tests/harness/invariants.ts';
import { givenMissionIn, givenPilot, orderOf, read, respond, retirePilots } from '#tests/harness/orders.ts';
import { joinStandby, refusal } from '#tests/harness/seats.ts';
import { startService, type Answer, type Service } from '#tests/harness/service.ts';

let service: Service;
let admin: Person;
beforeAll(async () => {
  service = await startService();
  admin = await givenAdmin(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await retirePilots(service);
  expect(await findBreaches(service)).toEqual([]);
});

const emOf = () => service.app.orm.em.fork();
const rows = <Row>(statement: Parameters<typeof query<Row>>[1]) => query<Row>(emOf(), statement);

/** F-16C (CAP) and A-10C (SEAD), two seats each. */
const TWO_FLIGHTS = [
  { aircraftId: 2, slotCount: 2, side: 0 as const, notes: 'CAP' as const },
  { aircraftId: 3, slotCount: 2, side: 0 as const, notes: 'SEAD' as const },
];

interface Board {
  id: string;
  cap: string;
  sead: string;
  /** callsigns */
  names: { cap: string; sead: string };
}

async function givenBoard(hours = 60, aircraftSlots = TWO_FLIGHTS): Promise<Board> {
  const { mission } = await givenMissionIn(service, admin, hours, { aircraftSlots });
  const { body } = await admin.client.call('GET', `/admin/missions/${mission.id}`);
  const [cap, sead] = body.packages.flatMap((one: { flights: unknown[] }) => one.flights);
  return { id: mission.id, cap: cap.id, sead: sead?.id, names: { cap: cap.callsign, sead: sead?.callsign } };
}

const boardOf = async ({ id }: { id: string }): Promise<SeatBoardDto> =>
  (await admin.client.call('GET', `/admin/missions/${id}/seats`)).body;
const apply = ({ id }: { id: string }, changes: object[], more: object = {}): Promise<Answer> =>
  admin.client.call('POST', `/admin/missions/${id}/seats`, { changes, ...more });
const to = (flightId: string, seatIndex: number) => ({ flightId, seatIndex });
/** Call signs by seat. */
const crewOf = ({ seats, pilots }: SeatBoardDto) =>
  seats.map(({ userId, state }) => {
    const name = pilots.find((pilot) => pilot.userId === userId)?.userDisplayName;
    return name === undefined ? state : `${name} ${state}`;
  });
const orderRows = () =>
  rows<{ digest: string }>(sql`
  select md5(string_agg(o::text, ',' order by id)) as digest from frag_order o
  union all select md5(string_agg(s::text, ',' order by order_id)) from seat s
  union all select count(*)::text from audit_entry`);

/** Anna and Ben on the first flight, who have accepted; Cleo on the second, who has not answered; Dave on the bench. */
async function givenCrew() {
  const named = (displayName: string) => givenPerson(service, { displayName });
  const [anna, ben, cleo, dave] = [await named('Anna'), await named('Ben'), await named('Cleo'), await named('Dave')];
  const board = await givenBoard();
  const { status } = await apply(board, [
    { userId: anna.id, to: to(board.cap, 0), anyway: true },
    { userId: ben.id, to: to(board.cap, 1), anyway: true },
    { userId: cleo.id, to: to(board.sead, 0), anyway: true },
  ]);
  expect(status).toBe(200);
  for (const pilot of [anna, ben]) await respond(pilot, await orderOf(pilot), 'accepted');
  return { anna, ben, cleo, dave, board };
}

describe('changes that are applied together', () => {
  test('two pilots exchange seats, a third takes the place of one who leaves: a dry run says so, and changes nothing', async () => {
    const { anna, ben, cleo, dave, board } = await givenCrew();
    const { cap, sead } = board.names;
    const before = await boardOf(board);
    expect(crewOf(before)).toEqual(['Anna accepted', 'Ben accepted', 'Cleo asked', 'open']);
    const changes = [
      { userId: anna.id, to: to(board.cap, 1), anyway: true },
      { userId: ben.id, to: to(board.cap, 0), anyway: true },
      { userId: cleo.id, to: null },
      { userId: dave.id, to: to(board.sead, 0), anyway: true },
    ];
    const stored = await orderRows();
    const tried = await apply(board, changes, { version: before.version, dryRun: true });
    expect(tried.status).toBe(200);
    expect(await orderRows()).toEqual(stored);

    const change = (userDisplayName: string, from: string | null, place: string | null, told: string) =>
      expect.objectContaining({ userDisplayName, from, to: place, told, refusal: null });
    const expected = {
      changes: [
        change('Anna', `${cap}, seat 1`, `${cap}, seat 2`, 'moved'),
        change('Ben', `${cap}, seat 2`, `${cap}, seat 1`, 'moved'),
        change('Cleo', `${sead}, seat 1`, null, 'removed'),
        change('Dave', null, `${sead}, seat 1`, 'asked'),
      ],
      notified: 4,
      backfill: [],
    };
    expect(tried.body).toMatchObject({ ...expected, isApplied: false, version: before.version });
    const [annas, cleos] = [
      await rows<{ id: string }>(sql`select id from frag_order where pilot_id = ${anna.id}`),
      await orderOf(cleo),
    ];

    const applied = await apply(board, changes, { version: before.version });
    expect(applied.body).toMatchObject({ ...expected, isApplied: true });
    const after = await boardOf(board);
    expect(crewOf(after)).toEqual(['Ben accepted', 'Anna accepted', 'Dave asked', 'open']);
    expect(after.version).toBe(applied.body.version);
    expect(after.version).not.toBe(before.version);
    // the pilots read what happened to them
    const [annasOrder] = annas;
    expect(annasOrder && (await read(anna, annasOrder))).toMatchObject({
      rsvp: 'accepted',
      changes: [{ field: 'seat', from: `${cap}, seat 1`, to: `${cap}, seat 2` }],
    });
    expect(await read(cleo, cleos)).toMatchObject({
      status: 'cancelled',
      changes: [{ field: 'seat', from: `${sead}, seat 1`, to: null }],
    });
    expect(await orderOf(dave)).toMatchObject({ missionId: board.id, rsvp: 'pending', seatIndex: 0 });
    const entries = await rows<{ action: string; detail: Record<string, unknown> }>(
      sql`select action, detail from audit_entry where subject_id = ${board.id} order by occurred_at, id`,
    );
    expect(
      entries.slice(-3).map(({ action, detail }) => [action, detail['pilot'], detail['seat'], detail['replaced']]),
    ).toEqual([
      ['pilot_assigned', 'Anna', `${cap}, seat 2`, null],
      ['pilot_assigned', 'Ben', `${cap}, seat 1`, null],
      ['pilot_assigned', 'Dave', `${sead}, seat 1`, 'Cleo'],
    ]);
  });

  test('to another aircraft asks again, also when two pilots exchange', async () => {
    const { anna, cleo, board } = await givenCrew();
    const { body } = await apply(board, [
      { userId: anna.id, to: to(board.sead, 0), anyway: true },
      { userId: cleo.id, to: to(board.cap, 0), anyway: true },
    ]);
    expect(body.changes.map(({ told }: { told: string }) => told)).toEqual(['askedAgain', 'askedAgain']);
    expect(crewOf(await boardOf(board))).toEqual(['Cleo asked', 'Ben accepted', 'Anna asked', 'open']);
    expect(await orderOf(anna)).toMatchObject({ rsvp: 'pending', flightCallsign: board.names.sead });
  });

  test('are all refused with the first that is not possible; a dry run lists each with the way on', async () => {
    const { anna, ben, dave, board } = await givenCrew();
    const { sead } = board.names;
    const leaving = await givenPerson(service, { displayName: 'Erin' });
    const today = hoursFromNow(0).slice(0, 10);
    const last = hoursFromNow(24 * 9).slice(0, 10);
    const leave = { firstDate: today, lastDate: last };
    expect((await leaving.client.call('PUT', `/users/${leaving.id}/leave`, leave)).status).toBeLessThan(300);
    const there = await givenBoard(61);
    expect((await apply(there, [{ userId: dave.id, to: to(there.cap, 0), anyway: true }])).status).toBe(200);
    const stored = await orderRows();
    const changes = [
      { userId: anna.id, to: to(board.sead, 1), anyway: true },
      { userId: ben.id, to: to(board.sead, 0), anyway: true },
      { userId: dave.id, to: to(board.cap, 0), anyway: true },
      { userId: leaving.id, to: to(board.cap, 1), anyway: true },
    ];
    const tried = await apply(board, changes, { dryRun: true });
    expect(tried.body.changes.map((one: { refusal: unknown }) => one.refusal)).toEqual([
      null,
      { code: 'SEAT_TAKEN', message: `Cleo holds ${sead}, seat 1. Move or remove Cleo first.` },
      { code: 'OVERLAP', message: 'Dave already holds a seat in "Op Iron Hound" at that time.' },
      expect.objectContaining({ code: 'PILOT_ON_LEAVE' }),
    ]);
    expect(tried.body.notified).toBe(1);
    expect(refusal(await apply(board, changes))).toEqual([
      409,
      `Cleo holds ${sead}, seat 1. Move or remove Cleo first.`,
    ]);
    expect(refusal(await apply(board, [{ userId: dave.id, to: null }]))).toEqual([
      409,
      'Dave has no seat in this mission any more. Put this change back.',
    ]);
    expect(await orderRows()).toEqual(stored);
  });

  test('of a pilot who is not free need "anyway", but not again for a seat that fits no less', async () => {
    const pilot = await givenPerson(service, { displayName: 'Maverick' });
    const board = await givenBoard();
    const change = { userId: pilot.id, to: to(board.cap, 0) };
    const sentence = "Maverick is not available for the whole mission. Maverick hasn't listed the F-16C Viper.";
    expect(refusal(await apply(board, [change]))).toEqual([409, sentence]);
    expect((await apply(board, [{ ...change, anyway: true }])).status).toBe(200);
    expect((await apply(board, [{ ...change, to: to(board.cap, 1) }])).status).toBe(200);
  });

  test('free a seat that is offered on, to the pilot whom the dry run names', async () => {
    const [first, next] = [await givenPilot(service), await givenPerson(service, { displayName: 'Next' })];
    const board = await givenBoard(60, [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }]);
    expect(await orderOf(first)).toMatchObject({ missionId: board.id });
    await givenAlwaysFree(service, next.id);
    const changes = [{ userId: first.id, to: null }];
    const expected = [{ userId: next.id, userDisplayName: 'Next', place: `${board.names.cap}, seat 1`, kind: 'order' }];
    expect((await apply(board, changes, { dryRun: true })).body.backfill).toEqual(expected);
    expect((await apply(board, changes)).body.backfill).toEqual(expected);
    expect(crewOf(await boardOf(board))).toEqual(['Next asked']);
  });

  test('that were made on an older board are refused, and the sentence says what is new', async () => {
    const { anna, ben, cleo, board } = await givenCrew();
    const { version } = await boardOf(board);
    await respond(cleo, await orderOf(cleo), 'accepted');
    await apply(board, [{ userId: ben.id, to: null }]);
    const changes = [{ userId: anna.id, to: to(board.cap, 1), anyway: true }];
    const { cap, sead } = board.names;
    const stale = [
      409,
      `The board has changed since you loaded it: ${cap}, seat 2 (open); ${sead}, seat 1 (Cleo, accepted). Check your changes, then apply them again.`,
    ];
    expect(refusal(await apply(board, changes, { version }))).toEqual(stale);
    expect(refusal(await apply(board, changes, { version, dryRun: true }))).toEqual(stale);
    const fresh = await boardOf(board);
    await admin.client.call('PUT', `/admin/missions/${board.id}`, { name: 'Op Renamed' });
    expect((await apply(board, changes, { version: fresh.version })).body.code).toBe('CHANGED');
    expect((await apply(board, changes, { version: (await boardOf(board)).version })).status).toBe(200);
  });
});

test('the bench has every pilot in one group, the queue in its order, and an inactive account nowhere', async () => {
  const named = async (displayName: string, aircraft: number | null = null) => {
    const person = await givenPerson(service, { displayName });
    if (aircraft !== null) await givenAlwaysFree(service, person.id, aircraft);
    return person;
  };
  const seated = await named('Seated', 2);
  const board = await givenBoard(60, [{ aircraftId: 2, slotCount: 1, side: 0, notes: 'CAP' }]);
  await respond(seated, await orderOf(seated), 'accepted');
  const [second, first] = [await named('Second', 2), await named('First', 2)];
  for (const pilot of [first, second]) expect((await joinStandby(pilot, board.id)).status).toBeLessThan(300);
  await named('Fits', 0);
  await named('Other aircraft', 3);
  const almost = await named('Almost');
  await named('Away');
  await givenPerson(service, { displayName: 'Suspended', roles: [] });
  const start = hoursFromNow(60);
  const window = { dateLocal: start.slice(0, 10), kind: 'available', startLocal: '00:00', endLocal: '00:00' };
  const late = new Date(`${start}Z`).getTime() + 20 * 60_000;
  const at = new Date(late).toISOString();
  await almost.client.call('POST', `/users/${almost.id}/availability/overrides`, {
    ...window,
    dateLocal: at.slice(0, 10),
    startLocal: at.slice(11, 16),
    endLocal: '00:00',
  });
  await almost.client.call('POST', `/users/${almost.id}/availability/overrides`, {
    ...window,
    dateLocal: new Date(late + 24 * 3_600_000).toISOString().slice(0, 10),
    startLocal: '00:00',
    endLocal: '12:00',
  });
  const { pilots } = await boardOf(board);
  const shown = pilots.filter(({ userDisplayName }) => userDisplayName !== 'Ops');
  const brief = ({ userDisplayName, group, standbyPosition }: BoardPilotDto) => [
    userDisplayName,
    group,
    standbyPosition,
  ];
  expect(shown.map(brief)).toEqual([
    ['Seated', 'seated', null],
    ['Fits', 'fits', null],
    ['Other aircraft', 'otherAircraft', null],
    ['Almost', 'nearlyFree', null],
    ['First', 'standby', 1],
    ['Second', 'standby', 2],
    ['Away', 'others', null],
  ]);
  expect(shown.at(1)?.aircraft).toEqual([{ aircraftId: 2, level: null, isFree: true }]);
  const found = await admin.client.call('GET', `/admin/missions/${board.id}/seats?query=way`);
  expect(found.body.pilots.map(({ userDisplayName }: BoardPilotDto) => userDisplayName)).toEqual(['Seated', 'Away']);
});

/** A generator of numbers below a bound that starts the same each time. */
function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * bound);
  };
}

test('of two boards that are applied at once, with answers between, one wins at most, and the other hears why', async () => {
  const roll = dice(45);
  const pilots: Person[] = [];
  for (let at = 0; at < 6; at += 1) pilots.push(await givenPilot(service));
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  let board = await givenBoard(60);
  for (let round = 0; round < 200; round += 1) {
    // each pilot's orders in one mission are limited
    if (round % 40 === 39) {
      await admin.client.call('POST', `/admin/missions/${board.id}/cancel`);
      board = await givenBoard(60 + round);
    }
    const seats = await loadBoardSeats(emOf(), board.id, new Date());
    const version = versionOfBoard(await readEditTime(emOf(), board.id), seats);
    const seatOf = new Map(seats.flatMap((seat) => (seat.userId === null ? [] : [[seat.userId, seat]])));
    /** Everybody in a new order: four on seats, the others on none. */
    const stage = () => {
      const shuffled = pilots.map((pilot) => ({ pilot, by: roll(1_000) })).toSorted((a, b) => a.by - b.by);
      return shuffled.flatMap(({ pilot: { id } }, at): ApplySeatsInput['changes'] => {
        const seat = seats[at];
        if (!seat) return seatOf.has(id) ? [{ userId: id, to: null }] : [];
        return [{ userId: id, to: to(seat.flightId, seat.seatIndex), anyway: true }];
      });
    };
    const changesSeats = (changes: ApplySeatsInput['changes']): boolean =>
      changes.some(({ userId, to: place }) => {
        const seat = seatOf.get(userId);
        return place === null
          ? seat !== undefined
          : seat?.flightId !== place.flightId || seat.seatIndex !== place.seatIndex;
      });
    /** A board that leaves everybody where they are is applied beside any other. */
    const stageOther = (): ApplySeatsInput['changes'] => {
      const changes = stage();
      return changesSeats(changes) ? changes : stageOther();
    };
    const [one, other] = [stageOther(), stageOther()];
    const answers = await rows<{ id: string; pilotId: string }>(
      sql`select o.id, o.pilot_id as "pilotId" from frag_order o join seat s on s.order_id = o.id where o.mission_id = ${board.id}`,
    );
    const answered = answers.filter(() => roll(2) === 0).slice(0, 2);
    const applied = (changes: typeof one) =>
      applySeats(emOf(), admin, { id: board.id, version, changes }, new Date()).then(
        () => 'applied',
        (error: unknown) => error,
      );
    const [first, second] = await Promise.all([
      applied(one),
      applied(other),
      ...answered.map(async ({ id, pilotId }) => {
        const pilot = pilots.find((person) => person.id === pilotId);
        const response = roll(3) === 0 ? 'declined' : 'accepted';
        // an order that a board has withdrawn meanwhile is refused, and a lock can take too long on a busy machine
        if (pilot)
          await answer(emOf(), pilot, { id, response }, new Date()).catch((error: unknown) =>
            expect(publicError(error).isBug).toBe(false),
          );
      }),
    ]);
    const outcome = [first, second].map((result) => (result instanceof AppError ? result.code : String(result)));
    for (const result of [first, second]) {
      if (result === 'applied') continue;
      if (!(result instanceof AppError)) throw result;
      expect(result.message).toMatch(/^The board has changed since you loaded it: .+ \(.+\)( and \d+ more)?\. Check/);
    }
    count(outcome.toSorted().join(' and '));
    if (round % 20 === 19) expect(await findBreaches(service)).toEqual([]);
  }
  expect(Object.fromEntries(outcomes)).toEqual({
    'CHANGED and applied': expect.any(Number),
    ...(outcomes.has('CHANGED and CHANGED') && { 'CHANGED and CHANGED': expect.any(Number) }),
  });
});
