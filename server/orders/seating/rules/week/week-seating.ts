/** Week seating: seats several missions together, so that no pilot flies two at the same time. */
import { compareText } from '#server/availability/rules/name-order.ts';
import { assessPilot, compareSeats } from '#server/orders/seating/rules/eligibility.ts';
import { missionChanges } from '#server/accounts/pilots/rules/ledger-entries.ts';
import { overlaps } from '#server/time/intervals.ts';
import {
  seatAssessed,
  type Seating,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
  type IneligiblePilot,
  willingPilots,
} from '#server/orders/seating/rules/one-mission/seating.ts';
import { createOverlapCluster } from './assign-moment.ts';
import { assignCluster } from './overlap-cluster.ts';
import {
  createCrowd,
  createMatrix,
  findClusters,
  INELIGIBILITY,
  type MissionMatrix,
  REASON_OF,
} from './week-matrix.ts';

export type WeekMission = { readonly mission: SeatingMission; readonly seats: readonly SeatingSeat[] };

export type WeekSeating = {
  /** one per mission, in the given order, as from `seatMission` */
  readonly seatings: Seating[];
  /** seats filled in all missions */
  readonly filled: number;
  /** no seating fills more seats; false if the search was cut short */
  readonly isBest: boolean;
};

/** Missions are bits of a 32-bit number. */
const MISSIONS_MAX = 31;

/**
 * Seat several missions together, so that the most seats are filled in total and no pilot flies two at the same time; a
 * single mission is seated as by `seatMission`. Missions that share no pilots at the same time are independent: they are
 * seated by start, and each one's change of the fairness debts counts in the next. Missions that all overlap each other
 * get the best seating by the priorities (1) to (9) of `seatMission`, added up; for missions that overlap in a chain only
 * the number of filled seats is certain to be the best.
 * @param missions distinct, at most 31, in any order
 * @param nowMs decides if Do Not Disturb applies
 * @param pilots distinct ids, in any order; none of them holds a seat in one of the missions
 */
export function seatWeek({
  missions,
  nowMs,
  pilots,
}: {
  readonly missions: readonly WeekMission[];
  readonly nowMs: number;
  readonly pilots: readonly SeatingPilot[];
}): WeekSeating {
  if (missions.length > MISSIONS_MAX) throw new RangeError(`More than ${MISSIONS_MAX} missions`);
  const order = missions.map((one, index) => ({ ...one, index })).toSorted(compareMissions);
  const crowd = pilots.toSorted((a, b) => compareText(a.id, b.id));
  const windows = createCrowd(crowd);
  const matrices = order.map(({ mission, seats }) =>
    createMatrix(mission, seats.toSorted(compareSeats), windows, nowMs),
  );
  const placeOf = new Map(crowd.map(({ id }, place) => [id, place]));
  const debts = Float64Array.from(crowd, ({ debt }) => debt);
  const ineligibleAt = createIneligible(crowd);
  const seatings: Seating[] = [];
  let isBest = true;
  for (const places of findClusters(matrices)) {
    const cluster = places.flatMap((place) => matrices[place] ?? []);
    const crews = cluster.length === 1 ? cluster.map(({ candidates }) => candidates) : null;
    const assigned = crews ? null : assignCrews(cluster, crowd, debts);
    isBest &&= assigned?.isBest ?? true;
    const given = (crews ?? assigned?.crews ?? []).map((crew, at) =>
      seatCrew(at, crew, cluster, assigned?.crews, { crowd, debts, ineligibleAt, nowMs }),
    );
    places.forEach((place, at) => {
      const index = order[place]?.index;
      const seating = given[at];
      if (index === undefined || !seating) return;
      seatings[index] = seating;
    });
    for (const seating of given) recordFairness(debts, placeOf, seating);
  }
  return { seatings, filled: seatings.reduce((sum, { seated }) => sum + seated.length, 0), isBest };
}

/** The facts that all missions of the week share. */
type Week = {
  readonly crowd: readonly SeatingPilot[];
  readonly debts: Float64Array;
  readonly ineligibleAt: ReturnType<typeof createIneligible>;
  readonly nowMs: number;
};

/** The pilot at a place with a reason of ineligibility, one object for all missions, as most pilots have the same in most. */
function createIneligible(crowd: readonly SeatingPilot[]) {
  const known = REASON_OF.map((): (IneligiblePilot | undefined)[] => Array.from({ length: crowd.length }));
  return (place: number, ineligibility: number): IneligiblePilot | undefined => {
    const reason = REASON_OF[ineligibility];
    const pilot = crowd[place];
    const ofReason = known[ineligibility];
    if (!reason || !pilot || !ofReason) return undefined;
    return (ofReason[place] ??= { pilotId: pilot.id, reason });
  };
}

function compareMissions({ mission: a }: WeekMission, { mission: b }: WeekMission): number {
  return a.startMs - b.startMs || a.endMs - b.endMs || compareText(a.id, b.id);
}

/** The crews of a cluster's missions: the places of their pilots. */
function assignCrews(cluster: readonly MissionMatrix[], crowd: readonly SeatingPilot[], debts: Float64Array) {
  const overlapCluster = createOverlapCluster(cluster, crowd, debts);
  const { flown, isBest } = assignCluster(overlapCluster);
  const crews = cluster.map((_, mission) =>
    overlapCluster.places.filter((_place, local) => ((flown[local] ?? 0) & (1 << mission)) !== 0),
  );
  return { crews, isBest };
}

/**
 * Give the seats of one mission to its crew; all other pilots get a reason of ineligibility.
 * @param crew places of the pilots, of whom as many as possible are seated
 * @param crews crews of all missions of the cluster; undefined if this is the only one
 */
function seatCrew(
  at: number,
  crew: Int32Array,
  cluster: readonly MissionMatrix[],
  crews: readonly Int32Array[] | undefined,
  { crowd, debts, ineligibleAt, nowMs }: Week,
): Seating {
  const matrix = cluster[at];
  if (!matrix) throw new RangeError('No such mission');
  const { mission, seats } = matrix;
  const assessed = Array.from(crew, (place) => crowd[place]).flatMap((pilot, index) => {
    const debt = debts[crew[index] ?? 0];
    return pilot && debt !== undefined ? [assessPilot({ ...pilot, debt }, mission, nowMs)] : [];
  });
  const { seated, open } = seatAssessed(seats, mission, assessed);

  const ineligibility = matrix.ineligibility.slice();
  crews?.forEach((others, index) => {
    const other = cluster[index];
    if (index === at || !other || !overlaps(other.mission, mission)) return;
    for (const place of others) {
      const reason = ineligibility[place];
      if (reason === INELIGIBILITY.NOT_AVAILABLE || reason === INELIGIBILITY.ON_LEAVE) continue;
      ineligibility[place] = INELIGIBILITY.COMMITTED;
    }
  });
  const isSeated = new Set(seated.map(({ pilotId }) => pilotId));
  for (const place of crew) if (isSeated.has(crowd[place]?.id ?? '')) ineligibility[place] = INELIGIBILITY.none;
  const ineligible: IneligiblePilot[] = [];
  for (let place = 0; place < crowd.length; place++) {
    const pilot = ineligibleAt(place, ineligibility[place] ?? INELIGIBILITY.none);
    if (pilot) ineligible.push(pilot);
  }
  return { seated, open, ineligible };
}

/** Add a mission to the fairness debts of its pilots. @param placeOf each pilot's place in `debts`, by id */
function recordFairness(debts: Float64Array, placeOf: ReadonlyMap<string, number>, seating: Seating): void {
  const seated = new Set(seating.seated.map(({ pilotId }) => pilotId));
  for (const { pilotId, change } of missionChanges(willingPilots(seating), seated)) {
    const place = placeOf.get(pilotId);
    if (place !== undefined) debts[place] = (debts[place] ?? 0) + change;
  }
}
