/** The mission plan: requested aircraft become packages and flights with callsigns, radio frequencies and times. */
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import type { MissionRole, Side, Theater } from '#shared/vocabulary.ts';
import { allocateCallsign, packageCallsign } from './callsigns.ts';
import { allocateFrequency, suitsFrequency, tuningSeed } from './radio.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** Roles that fly in one package. */
export type RoleGroup = 'Training' | 'Air superiority' | 'Strike' | 'Ground attack' | 'Support';

export type PlanSlot = {
  readonly aircraft: { readonly id: number; readonly code: string; readonly name: string };
  readonly slotCount: number;
  readonly role: MissionRole;
  readonly side: Side;
  readonly additionalNotes: string | null;
  /** of its first flight, if it is free and suits the aircraft */
  readonly wished?: { readonly callsign: string | null; readonly radioFreq: string | null };
};

export type PlanRequest = {
  readonly theater: Theater;
  readonly startMs: number;
  readonly endMs: number;
  readonly slots: readonly PlanSlot[];
  /** in use by missions that overlap this one, on both sides */
  readonly takenCallsigns: ReadonlySet<string>;
  readonly takenFrequencies: ReadonlySet<string>;
};

export type PlannedFlight = {
  readonly callsign: string;
  readonly aircraftId: number;
  readonly aircraftName: string;
  readonly role: MissionRole;
  readonly side: Side;
  readonly launchMs: number;
  readonly totMs: number | null;
  readonly radioFreq: string | null;
  readonly sizeCap: number;
  readonly notes: string | null;
  /** within its package */
  readonly sortOrder: number;
  /** index of the requested slot that it belongs to */
  readonly slotIndex: number;
};

export type PlannedPackage = {
  readonly callsign: string;
  readonly objective: string;
  readonly side: Side;
  readonly group: RoleGroup;
  /** of the flight that launches first */
  readonly launchMs: number;
  /** the latest time on target of its flights, since suppression goes in first; null when no flight has one */
  readonly totMs: number | null;
  readonly sortOrder: number;
  readonly flights: readonly PlannedFlight[];
};

export type MissionPlan = { readonly packages: readonly PlannedPackage[] };

const GROUP_OF: Record<MissionRole, RoleGroup> = {
  Training: 'Training',
  CAP: 'Air superiority',
  Intercept: 'Air superiority',
  Strike: 'Strike',
  DEAD: 'Strike',
  SEAD: 'Strike',
  CAS: 'Ground attack',
  Recon: 'Ground attack',
  Tanker: 'Support',
  AWACS: 'Support',
  EW: 'Support',
};

/** Key of the package that a flight belongs to: one per side and role group. */
export function packageKey({ side, role }: { readonly side: Side; readonly role: MissionRole }): string {
  return `${side} ${GROUP_OF[role]}`;
}

/** A package's objective and times, from its flights in order. */
export function describePackage(
  flights: readonly { readonly role: MissionRole; readonly launchMs: number; readonly totMs: number | null }[],
  theater: Theater,
): { objective: string; launchMs: number; totMs: number | null } {
  const tots = flights.flatMap(({ totMs }) => (totMs === null ? [] : [totMs]));
  const roles = [...new Set(flights.map(({ role }) => role))];
  return {
    objective: `${roles.join('/')}, ${theater}`,
    launchMs: Math.min(...flights.map(({ launchMs }) => launchMs)),
    totMs: tots.length > 0 ? Math.max(...tots) : null,
  };
}

/** A mission starts with the brief: 15 min brief, 10 start-up, 8 taxi, rounded up. */
const LAUNCH_AFTER_START = 35;
const TOT_AFTER_LAUNCH = 30;
const SHORTEST_FULL_TIMELINE = LAUNCH_AFTER_START + TOT_AFTER_LAUNCH;

/**
 * Launch and time on target per role, in minutes from the mission's common launch (null: no time on target). Support and
 * fighters launch earlier and are on station earlier by as much; SEAD arrives just before the strike, CAS well before.
 */
const TIMELINE: Record<MissionRole, { readonly launch: number; readonly tot: number | null }> = {
  Training: { launch: 0, tot: null },
  CAP: { launch: -5, tot: TOT_AFTER_LAUNCH - 5 },
  Intercept: { launch: -5, tot: TOT_AFTER_LAUNCH - 5 },
  Strike: { launch: 0, tot: TOT_AFTER_LAUNCH },
  DEAD: { launch: 0, tot: TOT_AFTER_LAUNCH },
  SEAD: { launch: 0, tot: TOT_AFTER_LAUNCH - 2 },
  CAS: { launch: 0, tot: 20 },
  Recon: { launch: 0, tot: TOT_AFTER_LAUNCH },
  Tanker: { launch: -10, tot: TOT_AFTER_LAUNCH - 10 },
  AWACS: { launch: -10, tot: TOT_AFTER_LAUNCH - 10 },
  EW: { launch: -10, tot: TOT_AFTER_LAUNCH - 10 },
};

/**
 * Sizes of the flights for n aircraft: as few flights as possible, at most 4 each, full ones first, and no single ship
 * unless n is 1 (5 is 3 + 2).
 * @param n integer, >= 1
 */
export function splitFlights(n: number): number[] {
  const flights = Math.ceil(n / FLIGHT_SIZE_MAX);
  const sizes = Array.from({ length: flights }, (_, index) => Math.min(FLIGHT_SIZE_MAX, n - index * FLIGHT_SIZE_MAX));
  if (flights > 1 && sizes[flights - 1] === 1) {
    sizes[flights - 2] = FLIGHT_SIZE_MAX - 1;
    sizes[flights - 1] = 2;
  }
  return sizes;
}

/**
 * A role's launch and time on target. A mission too short for the usual timeline launches after a third of its length and
 * is on target after two thirds, whatever the role.
 */
export function missionTimeline(
  role: MissionRole,
  startMs: number,
  endMs: number,
): { launchMs: number; totMs: number | null } {
  const { launch, tot } = TIMELINE[role];
  const minutes = (endMs - startMs) / MINUTE_MS;
  if (minutes < SHORTEST_FULL_TIMELINE) {
    const third = (part: number) => startMs + Math.round((minutes * part) / 3) * MINUTE_MS;
    return { launchMs: third(1), totMs: tot === null ? null : third(2) };
  }
  const commonMs = startMs + LAUNCH_AFTER_START * MINUTE_MS;
  return {
    launchMs: commonMs + launch * MINUTE_MS,
    totMs: tot === null ? null : commonMs + tot * MINUTE_MS,
  };
}

/** An admin's own times of a flight, in minutes from the start of the mission; null: the usual ones. */
export interface OwnTimes {
  readonly launchMinutes: number | null;
  readonly totMinutes: number | null;
}

/** A flight's launch and time on target. With an own launch the usual time to the target stays, up to the mission's end. */
export function flightTimeline(
  role: MissionRole,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  { launchMinutes, totMinutes }: OwnTimes,
): { launchMs: number; totMs: number | null } {
  const usual = missionTimeline(role, startMs, endMs);
  const launchMs = launchMinutes === null ? usual.launchMs : startMs + launchMinutes * MINUTE_MS;
  if (totMinutes !== null) return { launchMs, totMs: startMs + totMinutes * MINUTE_MS };
  if (usual.totMs === null || launchMinutes === null) return { launchMs, totMs: usual.totMs };
  return { launchMs, totMs: Math.max(launchMs, Math.min(endMs, launchMs + usual.totMs - usual.launchMs)) };
}

function freeCallsign(wished: string | null | undefined, taken: ReadonlySet<string>): string | null {
  const isTaken = [...taken].some((callsign) => callsign.toLowerCase() === wished?.toLowerCase());
  return wished === undefined || isTaken ? null : wished;
}

function freeFrequency(code: string, wished: string | null | undefined, taken: ReadonlySet<string>): string | null {
  return wished === undefined || wished === null || taken.has(wished) || !suitsFrequency(code, wished) ? null : wished;
}

/**
 * Plan a mission: one package per side and role group, flights of at most four, callsigns and frequencies that are unique
 * at that time. The same request gives the same plan.
 * @param request slots in the order of the form, which packages and flights keep
 */
export function planMission(request: PlanRequest): MissionPlan {
  const { theater, startMs, endMs } = request;
  const callsigns = new Set(request.takenCallsigns);
  const frequencies = new Set(request.takenFrequencies);

  const flightsOf = (slot: PlanSlot, slotIndex: number): Omit<PlannedFlight, 'sortOrder'>[] =>
    splitFlights(slot.slotCount).map((sizeCap, index) => {
      const { aircraft, role, side } = slot;
      const wished = index === 0 ? slot.wished : undefined;
      const callsign =
        freeCallsign(wished?.callsign, callsigns) ?? allocateCallsign({ code: aircraft.code, role, side }, callsigns);
      callsigns.add(callsign);
      const radioFreq =
        freeFrequency(aircraft.code, wished?.radioFreq, frequencies) ??
        allocateFrequency(aircraft.code, tuningSeed(theater, startMs, callsign), frequencies);
      if (radioFreq !== null) frequencies.add(radioFreq);
      return {
        callsign,
        aircraftId: aircraft.id,
        aircraftName: aircraft.name,
        role,
        side,
        ...missionTimeline(role, startMs, endMs),
        radioFreq,
        sizeCap,
        notes: slot.additionalNotes,
        slotIndex,
      };
    });

  const flights = request.slots.flatMap(flightsOf);
  const byPackage = Map.groupBy(flights, packageKey);
  const packages = [...byPackage.values()].flatMap((members, sortOrder): PlannedPackage[] => {
    const first = members[0];
    if (!first) return [];
    return [
      {
        callsign: packageCallsign(sortOrder),
        ...describePackage(members, theater),
        side: first.side,
        group: GROUP_OF[first.role],
        sortOrder,
        flights: members.map((flight, index) => ({ ...flight, sortOrder: index })),
      },
    ];
  });
  return { packages };
}
