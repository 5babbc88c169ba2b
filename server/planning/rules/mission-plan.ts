/** From requested aircraft to packages and flights: who flies together, under which name, on which radio, when. */
import { FLIGHT_SIZE_MAX } from '#shared/limits.ts';
import type { MissionRole, Side, Theater } from '#shared/vocabulary.ts';
import { allocateCallsign, packageCallsign } from './callsigns.ts';
import { allocateFrequency } from './radio.ts';
import { MINUTE_MS } from '#server/time/time.ts';

/** Roles that share an effect and so a package. */
export type RoleGroup = 'Training' | 'Air superiority' | 'Strike' | 'Ground attack' | 'Support';

export type PlanSlot = {
  readonly aircraft: { readonly id: number; readonly code: string; readonly name: string };
  readonly slotCount: number;
  readonly role: MissionRole;
  readonly side: Side;
  readonly additionalNotes: string | null;
};

export type PlanRequest = {
  readonly theater: Theater;
  readonly startMs: number;
  readonly endMs: number;
  readonly slots: readonly PlanSlot[];
  /** in use by missions that overlap this one in time, both sides */
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
  /** index of the requested slot it came from */
  readonly slotIndex: number;
};

export type PlannedPackage = {
  readonly callsign: string;
  readonly objective: string;
  readonly side: Side;
  readonly group: RoleGroup;
  /** of its first flight */
  readonly launchMs: number;
  /** the package's time on target: of its last flight, since suppression goes in ahead; null when none has one */
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

/** Flights of one side and group fly in one package: what they have in common, as a key. */
export function packageKey({ side, role }: { readonly side: Side; readonly role: MissionRole }): string {
  return `${side} ${GROUP_OF[role]}`;
}

/** What a package says of itself, out of its flights in order. */
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

/** Mission start is the brief: 15 min brief, 10 start-up, 8 taxi, rounded up. */
const LAUNCH_AFTER_START = 35;
const TOT_AFTER_LAUNCH = 30;
const SHORTEST_FULL_TIMELINE = LAUNCH_AFTER_START + TOT_AFTER_LAUNCH;

/**
 * Minutes around the mission's common launch: when a role launches, and when it is on target (null: it has none).
 * Support and fighters launch ahead and are on station as much earlier; suppression opens the door; CAS arrives early.
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
 * Sizes of the flights for n aircraft: as few flights as hold them, at most 4 each, full ones first, and nobody alone
 * unless n is 1 (5 is 3 + 2).
 * @param n whole, >= 1
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
 * When a role launches and is on target. A mission too short for the usual timeline launches at a third of its length
 * and is on target at two thirds, whatever the role.
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

/**
 * Plan a mission: one package per side and role group, flights of at most four, callsigns and frequencies that nobody
 * else uses at that time. The same request gives the same plan.
 * @param request slots in the order of the form; packages and flights keep it
 */
export function planMission(request: PlanRequest): MissionPlan {
  const { theater, startMs, endMs } = request;
  const callsigns = new Set(request.takenCallsigns);
  const frequencies = new Set(request.takenFrequencies);

  const flightsOf = (slot: PlanSlot, slotIndex: number): Omit<PlannedFlight, 'sortOrder'>[] =>
    splitFlights(slot.slotCount).map((sizeCap) => {
      const { aircraft, role, side } = slot;
      const callsign = allocateCallsign({ code: aircraft.code, role, side }, callsigns);
      callsigns.add(callsign);
      const radioFreq = allocateFrequency(aircraft.code, `${theater} ${startMs} ${callsign}`, frequencies);
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
