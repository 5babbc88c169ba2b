/** Missions, packages and flights, and the requested aircraft slots that a mission was planned from. */
import { defineEntity } from '@mikro-orm/core';
import {
  MISSION_ROLES,
  STORED_MISSION_STATUSES,
  THEATERS,
  type MissionRole,
  type Side,
  type StoredMissionStatus,
  type Theater,
} from '#shared/vocabulary.ts';
import type { MissionLink } from '#shared/schemas/mission-links.ts';
import { Aircraft } from './aircraft.ts';
import { changedAt, createdAt, id, oneOf } from './base.ts';
import { freeJson, freeText, p, text, texts } from './columns.ts';
import { none, quotes } from './personal.ts';
import { User } from './user.ts';

/** How long texts about a mission are kept, which may quote a pilot. */
const KEPT_WITH_MISSION = 'as long as the mission';
const SIDE_KNOWN = '((side >= 0) and (side <= 1))';

export const MissionSchema = defineEntity({
  name: 'Mission',
  properties: {
    id: id(),
    name: freeText(200, quotes('marks', KEPT_WITH_MISSION)),
    theater: text(none).$type<Theater>(),
    status: text(none).$type<StoredMissionStatus>(),
    startsAt: p.datetime(),
    endsAt: p.datetime(),
    /** since when it is published for this start, which decides about the stages of turnout that lie behind it */
    startSetAt: p.datetime().defaultRaw('now()'),
    /** the zone its wall times were entered in; the stored instants are authoritative */
    timeZone: text(none),
    notes: freeText(4000, quotes('marks', KEPT_WITH_MISSION)).nullable(),
    links: freeJson<MissionLink[]>(['title'], quotes('marks', KEPT_WITH_MISSION)).nullable(),
    /** for trying things out: only its creator is asked, it counts nowhere, and it can be removed without a trace */
    isPractice: p.boolean().default(false),
    /** the Discord servers that show it; null for all */
    guildIds: texts(none).$type<string[]>().nullable(),
    /** whether the sides are secret from one another; null for the default, see `shared/secret-sides.ts` */
    secretSides: p.boolean().nullable(),
    /** shared by the missions of a week that were published together; null for one published alone */
    weekId: p.uuid().nullable(),
    /** when notifications of its open seats were queued */
    newsPushedAt: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User),
    packages: () => p.oneToMany(Package).mappedBy('mission').orderBy({ sortOrder: 'asc' }),
    aircraftSlots: () => p.oneToMany(AircraftSlot).mappedBy('mission').orderBy({ sortOrder: 'asc' }),
    createdAt: createdAt(),
    updatedAt: changedAt(),
  },
  indexes: [
    { name: 'mission_starts_at_idx', properties: ['startsAt', 'id'] },
    { name: 'mission_week_idx', properties: ['weekId'] },
  ],
  checks: [
    { name: 'mission_status_stored', expression: oneOf('status', STORED_MISSION_STATUSES) },
    { name: 'mission_theater_known', expression: oneOf('theater', THEATERS) },
    {
      name: 'mission_has_length',
      expression: `ends_at > starts_at and ends_at <= (starts_at + '24:00:00'::interval)`,
    },
  ],
});
export class Mission extends MissionSchema.class {}

export const AircraftSlotSchema = defineEntity({
  name: 'AircraftSlot',
  properties: {
    mission: () => p.manyToOne(Mission).primary().deleteRule('cascade'),
    sortOrder: p.smallint().primary(),
    aircraft: () => p.manyToOne(Aircraft),
    slotCount: p.smallint(),
    role: text(none).$type<MissionRole>(),
    side: p.smallint().$type<Side>(),
    additionalNotes: freeText(4000, quotes('marks', KEPT_WITH_MISSION)).nullable(),
  },
  checks: [
    { name: 'aircraft_slot_count_range', expression: '((slot_count >= 1) and (slot_count <= 64))' },
    { name: 'aircraft_slot_role_known', expression: oneOf('role', MISSION_ROLES) },
    { name: 'aircraft_slot_side_known', expression: SIDE_KNOWN },
  ],
});
export class AircraftSlot extends AircraftSlotSchema.class {}
AircraftSlotSchema.setClass(AircraftSlot);

export const PackageSchema = defineEntity({
  name: 'Package',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade').index('package_mission_idx'),
    callsign: freeText(24, none),
    objective: freeText(120, quotes('marks', KEPT_WITH_MISSION)),
    /** the objective that an admin wrote; null: `objective` names the roles of the flights and the theater */
    ownObjective: freeText(120, quotes('marks', KEPT_WITH_MISSION)).nullable(),
    side: p.smallint().$type<Side>(),
    launchAt: p.datetime().nullable(),
    totAt: p.datetime().nullable(),
    notes: freeText(2000, quotes('marks', KEPT_WITH_MISSION)).nullable(),
    sortOrder: p.smallint(),
    flights: () => p.oneToMany(Flight).mappedBy('package').orderBy({ sortOrder: 'asc' }),
  },
  checks: [{ name: 'package_side_known', expression: SIDE_KNOWN }],
});
export class Package extends PackageSchema.class {}

export const FlightSchema = defineEntity({
  name: 'Flight',
  properties: {
    id: id(),
    mission: () => p.manyToOne(Mission).deleteRule('cascade'),
    package: () => p.manyToOne(Package).deleteRule('cascade').index('flight_package_idx'),
    /** `sortOrder` of the aircraft slot it was planned from */
    slotIndex: p.smallint(),
    callsign: freeText(24, none),
    aircraft: () => p.manyToOne(Aircraft),
    role: text(none).$type<MissionRole>(),
    side: p.smallint().$type<Side>(),
    launchAt: p.datetime().nullable(),
    totAt: p.datetime().nullable(),
    /** minutes from the start of the mission to an admin's own launch and TOT; null: the usual time of the role */
    launchMinutes: p.smallint().nullable(),
    totMinutes: p.smallint().nullable(),
    radioFreq: text(none).nullable(),
    sizeCap: p.smallint(),
    notes: freeText(4000, quotes('marks', KEPT_WITH_MISSION)).nullable(),
    sortOrder: p.smallint(),
  },
  indexes: [{ name: 'flight_launch_at_idx', properties: ['launchAt'] }],
  uniques: [{ name: 'flight_callsign_in_mission', properties: ['mission', 'callsign'] }],
  checks: [
    { name: 'flight_size_cap_range', expression: '((size_cap >= 1) and (size_cap <= 4))' },
    { name: 'flight_role_known', expression: oneOf('role', MISSION_ROLES) },
    { name: 'flight_side_known', expression: SIDE_KNOWN },
  ],
});
export class Flight extends FlightSchema.class {}
FlightSchema.setClass(Flight);
PackageSchema.setClass(Package);
MissionSchema.setClass(Mission);
