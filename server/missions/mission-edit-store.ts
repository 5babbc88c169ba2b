/** Writes a planned mission edit to the database. */
import { nextVersionAt } from '#server/schema/base.ts';
import { db, isOneOf } from '#server/schema/database.ts';
import { writeEntities } from '#server/schema/flushing.ts';
import { AircraftSlot, Flight, Package, type Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import type { MissionEdit, PlannedFlightEdit, PlannedPackageEdit } from '#server/missions/rules/edit-flights.ts';
import { changeOrders } from '#server/orders/seats/order-writes.ts';
import { changesElsewhere } from '#server/orders/seats/rules/order-changes.ts';
import { AppError } from '#server/platform/errors.ts';
import type { FlightField } from '#shared/mission-fields.ts';
import type { MissionValues } from '#shared/schemas/mission-edit.ts';
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';

interface MissionFields extends MissionValues {
  timeZone: string;
  guildIds: string[] | null;
  secretSides: boolean | null;
  startMs: number;
  endMs: number;
}

const atOrNull = (ms: number | null) => (ms === null ? null : new Date(ms));

/**
 * Update a mission's rows to match the plan, and its version. Orders of a removed flight are kept: they move to the most
 * similar flight, and their changes name the lost seat.
 * @param mission loaded with packages, flights and aircraft in this transaction
 */
export async function storeEdit(
  tx: Em,
  mission: Mission,
  { startMs, endMs, ...fields }: MissionFields,
  plan: MissionEdit,
  now: Date,
): Promise<void> {
  const oldPackages = mission.packages.getItems();
  const oldFlights = oldPackages.flatMap(({ flights }) => flights.getItems());
  const planned = plan.packages.flatMap(({ flights }) => flights);
  const aircraft = await findAircraft(
    tx,
    planned.map((flight) => flight.aircraft.id),
  );
  const isMoved = startMs !== mission.startsAt.getTime();
  tx.assign(mission, {
    ...fields,
    startsAt: new Date(startMs),
    endsAt: new Date(endMs),
    updatedAt: nextVersionAt(mission.updatedAt, now),
    ...(isMoved && { startSetAt: now }),
  });

  for (const [sortOrder, one] of plan.packages.entries()) {
    const old = oldPackages.find(({ id }) => id === one.id);
    const own = old ? updatePackage(old, one, sortOrder) : createPackage(tx, mission, one, sortOrder);
    for (const flight of one.flights) {
      const type = aircraft.get(flight.aircraft.id);
      if (!type) throw new AppError('AIRCRAFT_NOT_FOUND');
      const row = { ...rowOf(flight), package: own, aircraft: type };
      const known = oldFlights.find(({ id }) => id === flight.id);
      if (known) tx.assign(known, row);
      else tx.create(Flight, { ...row, mission });
    }
  }

  const kept = new Set(planned.map(({ id }) => id));
  const dropped = oldFlights.filter(({ id }) => !kept.has(id));
  await moveOrders(
    tx,
    mission,
    dropped.map(({ id }) => id),
    now,
  );
  const keptPackages = new Set(plan.packages.map(({ id }) => id));
  for (const one of [...dropped, ...oldPackages.filter(({ id }) => !keptPackages.has(id))]) tx.remove(one);
  await tx.nativeDelete(AircraftSlot, { mission: mission.id });
  await tx.insertMany(
    AircraftSlot,
    plan.slots.map(({ aircraftId, ...slot }, sortOrder) => ({
      ...slot,
      mission: mission.id,
      aircraft: aircraftId,
      sortOrder,
    })),
  );
  await writeEntities(tx);
}

function rowOf(flight: PlannedFlightEdit) {
  const { slotIndex, callsign, role, side, radioFreq, sizeCap, notes, sortOrder, launchMs, totMs } = flight;
  return {
    launchMinutes: flight.launchMinutes,
    totMinutes: flight.totMinutes,
    slotIndex,
    callsign,
    role,
    side,
    radioFreq,
    sizeCap,
    notes,
    sortOrder,
    launchAt: new Date(launchMs),
    totAt: atOrNull(totMs),
  } satisfies Record<Exclude<FlightField, 'aircraftId'>, unknown> & Record<string, unknown>;
}

function updatePackage(old: Package, one: PlannedPackageEdit, sortOrder: number): Package {
  old.callsign = one.callsign;
  old.objective = one.objective;
  old.ownObjective = one.ownObjective;
  old.side = one.side;
  old.launchAt = new Date(one.launchMs);
  old.totAt = atOrNull(one.totMs);
  old.sortOrder = sortOrder;
  return old;
}

function createPackage(tx: Em, mission: Mission, one: PlannedPackageEdit, sortOrder: number): Package {
  return tx.create(Package, {
    mission,
    callsign: one.callsign,
    objective: one.objective,
    ownObjective: one.ownObjective,
    side: one.side,
    launchAt: new Date(one.launchMs),
    totAt: atOrNull(one.totMs),
    notes: null,
    sortOrder,
  });
}

/**
 * Move the orders of flights that are about to be deleted, and whose seats have been freed, to the most similar flight: with
 * their own flight they would be deleted too. They forget a seat that their pilot gave up, which was in that flight; those on
 * standby keep the changes of the mission only.
 */
async function moveOrders(tx: Em, mission: { id: string }, flightIds: readonly string[], now: Date): Promise<void> {
  if (flightIds.length === 0) return;
  const orders = await db(tx)
    .selectFrom('frag_order as o')
    .innerJoin('mission as m', 'm.id', 'o.mission_id')
    .innerJoinLateral(
      (similar) =>
        similar
          .selectFrom('flight as k')
          .innerJoin('flight as f', (join) => join.onRef('f.id', '=', 'o.flight_id'))
          .select('k.id as flightId')
          .where('k.mission_id', '=', mission.id)
          .where(({ not }) => not(isOneOf('k.id', flightIds)))
          .orderBy((eb) => eb('k.aircraft_id', '=', eb.ref('f.aircraft_id')), 'desc')
          .orderBy((eb) => eb('k.role', '=', eb.ref('f.role')), 'desc')
          .orderBy((eb) => eb('k.side', '=', eb.ref('f.side')), 'desc')
          .orderBy((eb) => eb('k.package_id', '=', eb.ref('f.package_id')), 'desc')
          .orderBy('k.sort_order')
          .orderBy('k.id')
          .limit(1)
          .as('to'),
      (join) => join.onTrue(),
    )
    .select(['o.id', 'o.rsvp', 'o.changes', 'm.notes as missionNotes', 'to.flightId'])
    .where(isOneOf('o.flight_id', flightIds))
    .execute();
  const moved = orders.map(({ id, rsvp, changes, missionNotes, flightId }) => ({
    id,
    flight_id: flightId,
    changes: rsvp === 'standby' && changes !== null ? changesElsewhere(changes, missionNotes) : changes,
  }));
  await changeOrders(tx, mission, 'change flight', moved, now);
}
