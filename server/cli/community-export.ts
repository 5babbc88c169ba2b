/**
 * People, their times, missions, orders and aircraft as JSON, with every column but secrets: read in pages from one snapshot,
 * so that the size of a community does not matter.
 */
import { IsolationLevel, ReferenceKind, type EntityClass } from '@mikro-orm/core';
import type { MikroORM } from '@mikro-orm/postgresql';
import { shownEmail } from '#server/accounts/email.ts';
import { Aircraft, Proficiency } from '#server/schema/aircraft.ts';
import {
  AvailabilityOverride,
  AvailabilitySlot,
  AvailabilityTemplate,
  BusyCalendar,
  Leave,
} from '#server/schema/availability.ts';
import { FragOrder } from '#server/schema/frag-order.ts';
import { MissionComment } from '#server/schema/mission-comment.ts';
import { AircraftSlot, Flight, Mission, Package } from '#server/schema/mission.ts';
import { unitOfWork } from '#server/schema/flushing.ts';
import type { Em } from '#server/schema/orm.ts';
import { AttendanceProposal, GameIdentity, Presence } from '#server/schema/presence.ts';
import { PilotStatus, User } from '#server/schema/user.ts';
import { ANY_AIRCRAFT_ID } from '#shared/limits.ts';

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

type Fields = Record<string, unknown>;
type Property<Entity> = Extract<keyof Entity, string>;

interface Presentation<Entity> {
  /** names of the export that differ from the schema's */
  names?: Partial<Record<Property<Entity>, string>>;
  /** what the export leaves out */
  without?: readonly Property<Entity>[];
}

/** All columns of a row, by the names of their properties; a reference by its id. */
function presenterOf<Entity extends object>(
  tx: Em,
  entity: EntityClass<Entity>,
  { names = {}, without = [] }: Presentation<Entity> = {},
): (row: Entity) => Fields {
  const leftOut = new Set<string>(without);
  const renamed: Partial<Record<string, string>> = names;
  const columns = tx
    .getMetadata()
    .get(entity)
    .props.filter(({ name, fieldNames }) => fieldNames !== undefined && !leftOut.has(name))
    .map(({ name, kind }) => {
      const isReference = kind !== ReferenceKind.SCALAR;
      return { name, isReference, as: renamed[name] ?? (isReference ? `${name}Id` : name) };
    });
  return (row) =>
    Object.fromEntries(
      columns.map(({ name, isReference, as }) => {
        const value: unknown = Reflect.get(row, name) ?? null;
        return [as, isReference && value !== null ? Reflect.get(Object(value), 'id') : value];
      }),
    );
}

async function* users(tx: Em) {
  const present = presenterOf(tx, User, {
    // the password's hash is a secret, the others are computed from the address and the call sign
    without: ['passwordHash', 'emailKey', 'look'],
  });
  for await (const user of inPages(tx, (em, after) => em.find(User, after, paged))) {
    yield { ...present(user), email: shownEmail(user.email) || null };
  }
}

async function* aircraft(tx: Em) {
  yield* (await tx.find(Aircraft, {}, { orderBy: { id: 'asc' } })).map(presenterOf(tx, Aircraft));
}

/** Rows that have no id of their own, by the ids of their pilots. */
async function* ofPilots<Entity extends object>(tx: Em, read: (em: Em, ids: string[]) => Promise<Entity[]>) {
  for await (const page of pagesOf(tx, (em, after) => em.find(User, after, { ...paged, fields: ['id'] }))) {
    yield* await read(
      unitOfWork(tx),
      page.map(({ id }) => id),
    );
  }
}

async function* proficiencies(tx: Em) {
  const present = presenterOf(tx, Proficiency);
  for await (const one of ofPilots(tx, (em, ids) => em.find(Proficiency, { user: ids }))) yield present(one);
}

async function* statuses(tx: Em) {
  const present = presenterOf(tx, PilotStatus);
  for await (const one of ofPilots(tx, (em, ids) => em.find(PilotStatus, { user: ids }))) yield present(one);
}

async function* leaves(tx: Em) {
  const present = presenterOf(tx, Leave);
  for await (const one of ofPilots(tx, (em, ids) => em.find(Leave, { user: ids }))) yield present(one);
}

async function* templates(tx: Em) {
  const present = presenterOf(tx, AvailabilityTemplate);
  const presentSlot = presenterOf(tx, AvailabilitySlot, { without: ['template', 'aircraft'] });
  const all = inPages(tx, (em, after) => em.find(AvailabilityTemplate, after, { ...paged, populate: ['slots'] }));
  for await (const one of all) {
    const slots = one.slots.map((slot) => ({
      ...presentSlot(slot),
      aircraftCodeId: slot.aircraft?.id ?? ANY_AIRCRAFT_ID,
    }));
    yield { ...present(one), slots };
  }
}

async function* overrides(tx: Em) {
  const present = presenterOf(tx, AvailabilityOverride, { without: ['aircraft'] });
  for await (const one of inPages(tx, (em, after) => em.find(AvailabilityOverride, after, paged))) {
    yield { ...present(one), aircraftCodeId: one.aircraft?.id ?? ANY_AIRCRAFT_ID };
  }
}

async function* busyCalendars(tx: Em) {
  const present = presenterOf(tx, BusyCalendar, {
    // the address is a secret, the others compare its last answer with the next
    without: ['sealedUrl', 'etag', 'lastModified', 'contentHash'],
  });
  for await (const one of inPages(tx, (em, after) => em.find(BusyCalendar, after, paged))) yield present(one);
}

const startsIn = ({ from, until }: ExportSpan) =>
  from === null && until === null ? {} : { startsAt: { ...(from && { $gte: from }), ...(until && { $lt: until }) } };

/** A mission with its parts, which need not name what they stand in. */
function missionPresenter(tx: Em) {
  const moments = { launchAt: 'launchUtc', totAt: 'totUtc' };
  const present = presenterOf(tx, Mission, { names: { startsAt: 'startUtc', endsAt: 'endUtc' } });
  const presentSlot = presenterOf(tx, AircraftSlot, { without: ['mission'] });
  const presentPackage = presenterOf(tx, Package, { names: moments, without: ['mission'] });
  const presentFlight = presenterOf(tx, Flight, {
    names: { ...moments, sizeCap: 'seats' },
    without: ['mission', 'package'],
  });
  return (mission: Mission): Fields => ({
    ...present(mission),
    links: mission.links ?? [],
    aircraftSlots: mission.aircraftSlots.map(presentSlot),
    packages: mission.packages.map((one) => ({ ...presentPackage(one), flights: one.flights.map(presentFlight) })),
  });
}

async function* missions(tx: Em, span: ExportSpan) {
  const present = missionPresenter(tx);
  const found = inPages(tx, (em, after) =>
    em.find(
      Mission,
      { ...after, ...startsIn(span) },
      { orderBy: { id: 'asc' }, limit: MISSION_PAGE_ROWS, populate: ['packages.flights', 'aircraftSlots'] },
    ),
  );
  for await (const mission of found) yield present(mission);
}

async function* orders(tx: Em, span: ExportSpan) {
  const present = presenterOf(tx, FragOrder, { names: { pilot: 'userId' } });
  const found = inPages(tx, (em, after) => em.find(FragOrder, { ...after, mission: startsIn(span) }, paged));
  for await (const order of found) yield present(order);
}

async function* gameNames(tx: Em) {
  // the key is computed from the name
  const present = presenterOf(tx, GameIdentity, { without: ['nameKey'] });
  for await (const one of inPages(tx, (em, after) => em.find(GameIdentity, after, paged))) yield present(one);
}

async function* presences(tx: Em, span: ExportSpan) {
  const present = presenterOf(tx, Presence, { names: { pilot: 'userId' } });
  const found = inPages(tx, (em, after) => em.find(Presence, { ...after, mission: startsIn(span) }, paged));
  for await (const one of found) yield present(one);
}

async function* attendanceProposals(tx: Em, span: ExportSpan) {
  const present = presenterOf(tx, AttendanceProposal, { names: { pilot: 'userId' } });
  const pages = pagesOf(tx, (em, after) =>
    em.find(FragOrder, { ...after, mission: startsIn(span) }, { ...paged, fields: ['id'] }),
  );
  for await (const page of pages) {
    const order = page.map(({ id }) => id);
    yield* (await unitOfWork(tx).find(AttendanceProposal, { order }, { orderBy: { order: 'asc' } })).map(present);
  }
}

async function* comments(tx: Em, span: ExportSpan) {
  const present = presenterOf(tx, MissionComment, { names: { author: 'userId' } });
  const found = inPages(tx, (em, after) => em.find(MissionComment, { ...after, mission: startsIn(span) }, paged));
  for await (const comment of found) yield present(comment);
}

/** The text of the export, row by row. @param about goes to the top */
export async function* exportCommunity(tx: Em, span: ExportSpan, about: object): AsyncGenerator<string> {
  const lists = {
    aircraft,
    users,
    proficiencies,
    statuses,
    leaves,
    templates,
    overrides,
    busyCalendars,
    missions,
    orders,
    gameNames,
    presences,
    attendanceProposals,
    comments,
  };
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
