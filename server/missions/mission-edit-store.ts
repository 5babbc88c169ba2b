/** Writes a planned mission edit to the database. */
import { nextVersionAt } from '#server/schema/base.ts';
import { writeEntities } from '#server/schema/flushing.ts';
import { AircraftSlot, Flight, Package, type Mission } from '#server/schema/mission.ts';
import type { Em } from '#server/schema/orm.ts';
import type { MissionEdit, PlannedFlightEdit, PlannedPackageEdit } from '#server/missions/rules/edit-flights.ts';
import { AppError } from '#server/platform/errors.ts';
import type { FlightField } from '#shared/mission-fields.ts';
import type { MissionValues } from '#shared/schemas/mission-edit.ts';
import { findAircraft } from '#server/accounts/pilots/aircraft.ts';
import { moveOrders } from './mission-edit-orders.ts';

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
