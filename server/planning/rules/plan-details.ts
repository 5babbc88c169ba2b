/** Plan details: the callsigns, frequencies, times and objectives of a template, applied to a new mission's plan. */
import type { FlightDetails, PackageDetails } from '#shared/mission-content.ts';
import { allocateCallsign } from './callsigns.ts';
import {
  describePackage,
  flightTimeline,
  packageKey,
  type MissionPlan,
  type OwnTimes,
  type PlannedFlight,
  type PlannedPackage,
  type PlanRequest,
} from './mission-plan.ts';
import { allocateFrequency, tuningSeed } from './radio.ts';

export interface PlanDetails {
  readonly flights: readonly FlightDetails[];
  readonly packages: readonly PackageDetails[];
}

export type DetailedFlight = PlannedFlight & OwnTimes;
export interface DetailedPlan {
  readonly packages: readonly (Omit<PlannedPackage, 'flights'> & {
    /** null: the objective names the roles of the flights and the theater */
    readonly ownObjective: string | null;
    readonly flights: readonly DetailedFlight[];
  })[];
}

export const NO_DETAILS: PlanDetails = { flights: [], packages: [] };

const keyOf = ({ aircraftId, role, side }: Pick<FlightDetails, 'aircraftId' | 'role' | 'side'>) =>
  `${aircraftId} ${role} ${side}`;

/** The wished values that are free, each for the first flight that wishes it. Upper and lower case are the same. */
function grantFree(wishes: readonly (string | null)[], taken: ReadonlySet<string>): (string | null)[] {
  const used = new Set([...taken].map((one) => one.toLowerCase()));
  return wishes.map((wish) => {
    if (wish === null || used.has(wish.toLowerCase())) return null;
    used.add(wish.toLowerCase());
    return wish;
  });
}

/** Own times that lie within the mission; others become the usual ones. */
function timesWithin(flight: PlannedFlight, wish: OwnTimes | undefined, { startMs, endMs }: PlanRequest) {
  const usual = { launchMinutes: null, totMinutes: null };
  const own = { launchMinutes: wish?.launchMinutes ?? null, totMinutes: wish?.totMinutes ?? null };
  const times = flightTimeline(flight.role, { startMs, endMs }, own);
  const isWithin =
    times.launchMs <= endMs && (times.totMs === null || (times.totMs >= times.launchMs && times.totMs <= endMs));
  return isWithin ? { ...own, ...times } : { ...usual, launchMs: flight.launchMs, totMs: flight.totMs };
}

/**
 * The plan with these details. The n-th flight of a type, role and side takes the details of the n-th such flight; flights
 * without any keep what was planned. A callsign or frequency in use at that time is not taken, and neither are times
 * outside the mission.
 */
export function detailPlan(plan: MissionPlan, details: PlanDetails, request: PlanRequest): DetailedPlan {
  const flights = plan.packages.flatMap((one) => one.flights);
  const wishesOf = Map.groupBy(details.flights, keyOf);
  const inSlotOrder = flights.toSorted((a, b) => a.slotIndex - b.slotIndex);
  const wishOf = new Map(inSlotOrder.map((flight) => [flight, wishesOf.get(keyOf(flight))?.shift()]));
  const wishes = flights.map((flight) => wishOf.get(flight));

  const callsigns = grantFree(
    wishes.map((wish) => wish?.callsign ?? null),
    request.takenCallsigns,
  );
  const usedCallsigns = new Set([...request.takenCallsigns, ...callsigns.filter((one) => one !== null)]);
  const radios = grantFree(
    wishes.map((wish) => wish?.radioFreq ?? null),
    request.takenFrequencies,
  );
  const usedRadios = new Set([...request.takenFrequencies, ...radios.filter((one) => one !== null)]);
  const codeOf = (flight: PlannedFlight) => request.slots[flight.slotIndex]?.aircraft.code ?? '';

  const detailed = new Map(
    flights.map((flight, index) => {
      const code = codeOf(flight);
      const callsign =
        callsigns[index] ??
        (usedCallsigns.has(flight.callsign) ? allocateCallsign({ ...flight, code }, usedCallsigns) : flight.callsign);
      usedCallsigns.add(callsign);
      const isFree = flight.radioFreq !== null && !usedRadios.has(flight.radioFreq);
      const seed = tuningSeed(request.theater, request.startMs, callsign);
      const radioFreq = radios[index] ?? (isFree ? flight.radioFreq : allocateFrequency(code, seed, usedRadios));
      if (radioFreq !== null) usedRadios.add(radioFreq);
      return [flight, { ...flight, callsign, radioFreq, ...timesWithin(flight, wishes[index], request) }] as const;
    }),
  );
  const wishedPackages = plan.packages.map((one) =>
    details.packages.find((wish) => packageKey(wish) === packageKey(one.flights[0] ?? wish)),
  );
  const names = grantFree(
    wishedPackages.map((wish) => wish?.callsign ?? null),
    // a package without a wish keeps its callsign
    new Set(plan.packages.filter((_, index) => !wishedPackages[index]).map(({ callsign }) => callsign)),
  );
  return {
    packages: plan.packages.map((one, index) => {
      const members = one.flights.flatMap((flight) => detailed.get(flight) ?? []);
      const ownObjective = wishedPackages[index]?.objective ?? null;
      const { objective, ...times } = describePackage(members, request.theater);
      return {
        ...one,
        ...times,
        callsign: names[index] ?? one.callsign,
        objective: ownObjective ?? objective,
        ownObjective,
        flights: members,
      };
    }),
  };
}
