/** Everything of a community as JSON, without secrets: read in pages from one snapshot, so that its size does not matter. */
import { IsolationLevel } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { shownEmail } from '#server/accounts/email.ts';
import { Aircraft, Proficiency } from '#server/schema/aircraft.ts';
import { AvailabilityOverride, AvailabilityTemplate } from '#server/schema/availability.ts';
import { FragOrder } from '#server/schema/frag-order.ts';
import { type Flight, Mission, type Package } from '#server/schema/mission.ts';
import { unitOfWork } from '#server/schema/flushing.ts';
import type { Em } from '#server/schema/orm.ts';
import { User } from '#server/schema/user.ts';

/** Missions that start in this span, with their orders; null for no bound. */
export interface ExportSpan {
  from: Date | null;
  /** exclusive */
  until: Date | null;
}

interface Row {
  id: string;
}

const PAGE_ROWS = 500;
/** A mission has up to 64 flights. */
const MISSION_PAGE_ROWS = 50;

/** Pages by id, each in a fork of its own, so that read rows do not pile up. */
async function* pagesOf<Entity extends Row>(
  tx: Em,
  read: (em: Em, after: { id?: { $gt: string } }) => Promise<Entity[]>,
): AsyncGenerator<Entity[]> {
  let after = {};
  for (;;) {
    const page = await read(unitOfWork(tx), after);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = { id: { $gt: last.id } };
  }
}

async function* inPages<Entity extends Row>(...given: Parameters<typeof pagesOf<Entity>>): AsyncGenerator<Entity> {
  for await (const page of pagesOf(...given)) yield* page;
}

const paged = { orderBy: { id: 'asc' }, limit: PAGE_ROWS } as const;

async function* users(tx: Em) {
  for await (const user of inPages(tx, (em, after) => em.find(User, after, paged))) {
    const { id, email, displayName, timeZone, roles, wantsGlobalEvents, notifyOrders, notifyChanges, createdAt } = user;
    yield {
      id,
      email: shownEmail(email) || null,
      displayName: displayName ?? null,
      timeZone,
      roles,
      wantsGlobalEvents,
      notifyOrders,
      notifyChanges,
      createdAt,
    };
  }
}

async function* aircraft(tx: Em) {
  for (const { id, code, name, seats, roles, active } of await tx.find(Aircraft, {}, { orderBy: { id: 'asc' } })) {
    yield { id, code, name, seats, roles, active };
  }
}

async function* proficiencies(tx: Em) {
  for await (const page of pagesOf(tx, (em, after) => em.find(User, after, { ...paged, fields: ['id'] }))) {
    const known = await unitOfWork(tx).find(Proficiency, { user: page.map(({ id }) => id) });
    for (const { user, aircraft: type, level, setByAdmin } of known) {
      yield { userId: user.id, aircraftId: type.id, level, setByAdmin };
    }
  }
}

async function* templates(tx: Em) {
  const all = inPages(tx, (em, after) => em.find(AvailabilityTemplate, after, { ...paged, populate: ['slots'] }));
  for await (const { id, user, name, isActive, slots } of all) {
    yield {
      id,
      userId: user.id,
      name,
      isActive,
      slots: slots.map(({ weekday, startLocal, endLocal, aircraft: type, notes }) => ({
        weekday,
        startLocal,
        endLocal,
        aircraftCodeId: type?.id ?? 0,
        notes: notes ?? null,
      })),
    };
  }
}

async function* overrides(tx: Em) {
  for await (const one of inPages(tx, (em, after) => em.find(AvailabilityOverride, after, paged))) {
    const { id, user, dateLocal, kind, startLocal, endLocal, aircraft: type, notes } = one;
    yield {
      id,
      userId: user.id,
      dateLocal,
      kind,
      startLocal,
      endLocal,
      aircraftCodeId: type?.id ?? 0,
      notes: notes ?? null,
    };
  }
}

const presentFlight = (flight: Flight) => ({
  id: flight.id,
  callsign: flight.callsign,
  aircraftId: flight.aircraft.id,
  role: flight.role,
  side: flight.side,
  launchUtc: flight.launchAt ?? null,
  totUtc: flight.totAt ?? null,
  radioFreq: flight.radioFreq ?? null,
  seats: flight.sizeCap,
  notes: flight.notes ?? null,
});

const presentPackage = (one: Package) => ({
  id: one.id,
  callsign: one.callsign,
  objective: one.objective,
  side: one.side,
  launchUtc: one.launchAt ?? null,
  totUtc: one.totAt ?? null,
  notes: one.notes ?? null,
  flights: one.flights.map(presentFlight),
});

const startsIn = ({ from, until }: ExportSpan) =>
  from === null && until === null ? {} : { startsAt: { ...(from && { $gte: from }), ...(until && { $lt: until }) } };

async function* missions(tx: Em, span: ExportSpan) {
  const found = inPages(tx, (em, after) =>
    em.find(
      Mission,
      { ...after, ...startsIn(span) },
      { orderBy: { id: 'asc' }, limit: MISSION_PAGE_ROWS, populate: ['packages.flights'] },
    ),
  );
  for await (const mission of found) {
    const { id, name, theater, status, startsAt, endsAt, timeZone, notes, links, createdBy, createdAt, packages } =
      mission;
    yield {
      id,
      name,
      theater,
      status,
      startUtc: startsAt,
      endUtc: endsAt,
      timeZone,
      notes: notes ?? null,
      links: links ?? [],
      createdById: createdBy.id,
      createdAt,
      packages: packages.map(presentPackage),
    };
  }
}

async function* orders(tx: Em, span: ExportSpan) {
  const found = inPages(tx, (em, after) => em.find(FragOrder, { ...after, mission: startsIn(span) }, paged));
  for await (const order of found) {
    yield {
      id: order.id,
      seq: order.seq,
      missionId: order.mission.id,
      flightId: order.flight.id,
      seatIndex: order.seatIndex,
      userId: order.pilot.id,
      status: order.status,
      statusReason: order.statusReason ?? null,
      rsvp: order.rsvp,
      reasons: order.reasons,
      issuedAt: order.issuedAt,
      expiresAt: order.expiresAt,
      answeredAt: order.answeredAt ?? null,
      confirmedAt: order.confirmedAt ?? null,
      attendance: order.attendance ?? null,
    };
  }
}

/** The text of the export, row by row. @param about goes to the top */
export async function* exportCommunity(tx: Em, span: ExportSpan, about: object): AsyncGenerator<string> {
  const lists = { aircraft, users, proficiencies, templates, overrides, missions, orders };
  yield `{"marshal":${JSON.stringify(about)}`;
  for (const [name, rows] of Object.entries(lists)) {
    yield `,\n"${name}":[`;
    let isFirst = true;
    for await (const row of rows(tx, span)) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
      isFirst = false;
    }
    yield '\n]';
  }
  yield '}\n';
}

/** Runs `work` in one read-only snapshot of the database. */
export function inSnapshot<T>(orm: MikroORM, work: (tx: Em) => Promise<T>): Promise<T> {
  return orm.em.fork().transactional(work, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
}
