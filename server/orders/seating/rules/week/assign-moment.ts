/**
 * Assigns pilots to missions that all run at one moment: one exact transport of pilots to types of seats, with the
 * priorities (1) to (9) of `seatMission` added up over the missions, and a hash of mission and pilot to break ties.
 */
import type { SeatingPilot } from '#server/orders/seating/rules/eligibility.ts';
import { hashText, mixHash } from '#server/time/hash.ts';
import {
  debtSteps,
  emptyCost,
  levelOf,
  packListing,
  PROFICIENT,
  RELIABILITY_STEPS,
  unreliabilitySteps,
} from '#server/orders/seating/rules/solver/seating-costs.ts';
import { solveTransport } from '#server/orders/seating/rules/solver/transport.ts';
import type { Mask } from './cluster.ts';
import { FIT, type MissionMatrix } from './week-matrix.ts';

/** The pilots who are candidates for a mission of a cluster, with the values that do not depend on the seat. */
export type OverlapCluster = {
  readonly missions: readonly MissionMatrix[];
  /** places among all pilots, ascending */
  readonly places: Int32Array;
  readonly pilots: readonly SeatingPilot[];
  /** missions that each pilot could fly */
  readonly fitting: Int32Array;
  /** the row of each pilot in the candidates of each mission, -1 for none: mission x pilot */
  readonly rowOf: Int32Array;
  /** level of each candidate of each mission on each aircraft, as an index into `PROFICIENCY_LEVELS` */
  readonly levels: readonly Uint8Array[];
  readonly debts: Float64Array;
  readonly unreliability: Float64Array;
  readonly hashes: Int32Array;
};

const NO_LEVELS = new Uint8Array(0);

/** @param debts current debts of all pilots, in seats */
export function createOverlapCluster(
  missions: readonly MissionMatrix[],
  crowd: readonly SeatingPilot[],
  debts: Float64Array,
): OverlapCluster {
  const localOf = new Int32Array(crowd.length).fill(-1);
  for (const { candidates } of missions) for (const place of candidates) localOf[place] = 0;
  const listed: number[] = [];
  const pilots: SeatingPilot[] = [];
  for (let place = 0; place < localOf.length; place++) {
    const pilot = crowd[place];
    if (localOf[place] === -1 || !pilot) continue;
    localOf[place] = listed.length;
    listed.push(place);
    pilots.push(pilot);
  }
  const places = new Int32Array(listed);
  const fitting = new Int32Array(places.length);
  const rowOf = new Int32Array(missions.length * places.length).fill(-1);
  missions.forEach(({ candidates }, mission) => {
    for (let row = 0; row < candidates.length; row++) {
      const local = localOf[candidates[row] ?? 0] ?? 0;
      fitting[local] = (fitting[local] ?? 0) | (1 << mission);
      rowOf[mission * places.length + local] = row;
    }
  });
  return {
    missions,
    places,
    pilots,
    fitting,
    rowOf,
    levels: missions.map((matrix) => levelsOf(matrix, crowd)),
    debts: new Float64Array(listed.map((place) => debtSteps(debts[place] ?? 0))),
    unreliability: new Float64Array(pilots.map(unreliabilitySteps)),
    hashes: new Int32Array(pilots.map(({ id }) => hashText(id))),
  };
}

function levelsOf({ candidates, fits, aircraftIds, types }: MissionMatrix, crowd: readonly SeatingPilot[]): Uint8Array {
  const levels = new Uint8Array(fits.length);
  const ranked = types.filter((type) => type.ranked);
  candidates.forEach((place, row) => {
    const pilot = crowd[place];
    for (const { aircraft, sample } of ranked) {
      const cell = row * aircraftIds.length + aircraft;
      if (pilot && fits[cell] !== FIT.none) levels[cell] = levelOf(pilot, sample);
    }
  });
  return levels;
}

/**
 * Assign pilots to the seats of missions that all overlap.
 * @param allowed missions that each pilot may be assigned to; pilots without any are left out
 * @param bonusOf look-ahead bonus of a mission for a pilot, a whole number; only the number of seats has priority over it
 * @returns the mission of each pilot, -1 for none; an exact optimum
 */
export function assignMoment(
  cluster: OverlapCluster,
  allowed: Int32Array,
  bonusOf: ((pilot: number, mission: number) => number) | null,
): Int32Array {
  const { missions, pilots, rowOf, debts } = cluster;
  const many = pilots.length;
  let used: Mask = 0;
  let highest = -Infinity;
  let lowest = Infinity;
  for (let pilot = 0; pilot < many; pilot++) {
    const mask = allowed[pilot] ?? 0;
    if (mask === 0) continue;
    used |= mask;
    highest = Math.max(highest, debts[pilot] ?? 0);
    lowest = Math.min(lowest, debts[pilot] ?? 0);
  }
  const firstType: number[] = [];
  const missionOf: number[] = [];
  const capacity: number[] = [];
  let edgesAtMost = 0;
  missions.forEach(({ types, candidates }, mission) => {
    firstType.push(capacity.length);
    if ((used & (1 << mission)) === 0) return;
    edgesAtMost += types.length * candidates.length;
    for (const { seats } of types) {
      missionOf.push(mission);
      capacity.push(seats);
    }
  });
  const rows = capacity.reduce((sum, seats) => sum + seats, 0);
  const count = rows + 1;
  const debtScale = rows * Math.max(0, highest - lowest) + 1;
  const reliabilityScale = rows * RELIABILITY_STEPS + 1;
  const missionHashes = missions.map(({ mission }) => Math.imul(hashText(mission.id), 0x9e3779b1));

  const columnStart = new Int32Array(many + 1);
  const typeOf = new Int32Array(edgesAtMost);
  const word0 = new Float64Array(edgesAtMost);
  const word1 = new Float64Array(edgesAtMost);
  const word2 = new Float64Array(edgesAtMost);
  const word3 = new Float64Array(edgesAtMost);
  let edge = 0;
  for (let local = 0; local < many; local++) {
    const mask = allowed[local] ?? 0;
    const pilot = pilots[local];
    if (mask !== 0 && pilot) {
      const notFirst = pilot.goesFirst ? 0 : 1;
      const own1 = highest - (debts[local] ?? 0);
      const own2 = cluster.unreliability[local] ?? 0;
      for (let mission = 0; mission < missions.length; mission++) {
        const matrix = missions[mission];
        if ((mask & (1 << mission)) === 0 || !matrix) continue;
        const row = (rowOf[mission * many + local] ?? 0) * matrix.aircraftIds.length;
        const hash = mixHash(((cluster.hashes[local] ?? 0) + (missionHashes[mission] ?? 0)) | 0);
        const bonus = bonusOf?.(local, mission);
        const { types } = matrix;
        const levels = cluster.levels[mission] ?? NO_LEVELS;
        for (let place = 0; place < types.length; place++) {
          const type = types[place];
          if (!type) continue;
          const fit = matrix.fits[row + type.aircraft];
          if (fit === FIT.none) continue;
          // an empty lead seat costs more than any level
          const level = type.ranked ? (levels[row + type.aircraft] ?? 0) : -1;
          typeOf[edge] = (firstType[mission] ?? 0) + place;
          // an empty lead seat is no better than one whose pilot has not listed the aircraft
          const listed = packListing(notFirst, fit === FIT.unlisted ? 'unlisted' : 'any', type.ranked, count);
          word0[edge] = bonus === undefined ? listed - (type.ranked ? 1 : 0) : -bonus;
          word1[edge] = own1 - (level >= PROFICIENT ? debtScale : 0);
          word2[edge] = ((fit === FIT.exact ? 0 : 1) - (level + 1) * count) * reliabilityScale + own2;
          word3[edge] = hash;
          edge += 1;
        }
      }
    }
    columnStart[local + 1] = edge;
  }
  const types = solveTransport({
    capacity: new Int32Array(capacity),
    columns: many,
    columnStart,
    typeOf: typeOf.subarray(0, edge),
    cost: [word0.subarray(0, edge), word1.subarray(0, edge), word2.subarray(0, edge), word3.subarray(0, edge)],
    emptyCost: Math.max(emptyCost(count), rows * missions.length + 1),
  });
  return types.map((type) => missionOf[type] ?? -1);
}
