/** Eligibility matrices of a week: pilots by mission and aircraft, computed once for the whole seating. */
import { INELIGIBILITY_REASONS, type IneligibilityReason } from '#shared/vocabulary.ts';
import {
  assessPilot,
  type Fit,
  fitInAny,
  isLeadSeat,
  isOnLeave,
  isSupportSeat,
  type SeatingMission,
  type SeatingPilot,
  type SeatingSeat,
} from '#server/orders/seating/rules/eligibility.ts';
import { overlaps } from '#server/time/intervals.ts';

/** Seats of one mission that differ only by the tie-breaker. */
export type SeatType = {
  readonly aircraftId: number;
  /** place of the aircraft in `aircraftIds` */
  readonly aircraft: number;
  /** true for lead seats where the pilot's level counts */
  readonly ranked: boolean;
  readonly seats: number;
  /** any one of the seats */
  readonly sample: SeatingSeat;
};

/** Reason of ineligibility as a byte; `none`: the pilot is seated. */
export const INELIGIBILITY = {
  none: 0,
  NOT_AVAILABLE: 1,
  COMMITTED: 2,
  DO_NOT_DISTURB: 3,
  AIRCRAFT: 4,
  OUTRANKED: 5,
  ON_LEAVE: 6,
} as const satisfies Record<IneligibilityReason | 'none', number>;

/** The reason for each byte of `INELIGIBILITY`; null for `none`. */
export const REASON_OF: readonly (IneligibilityReason | null)[] = [null, ...INELIGIBILITY_REASONS].toSorted(
  (a, b) => INELIGIBILITY[a ?? 'none'] - INELIGIBILITY[b ?? 'none'],
);

export const FIT = { none: 0, unlisted: 1, any: 2, exact: 3 } as const satisfies Record<Fit | 'none', number>;

export type MissionMatrix = {
  readonly mission: SeatingMission;
  readonly seats: readonly SeatingSeat[];
  readonly types: readonly SeatType[];
  readonly aircraftIds: readonly number[];
  /** `INELIGIBILITY` of each pilot before anybody is seated; candidates count as outranked */
  readonly ineligibility: Uint8Array;
  /** places of the pilots who could fly one of the seats, ascending */
  readonly candidates: Int32Array;
  /** `FIT` of each candidate for each aircraft: candidate x aircraft */
  readonly fits: Uint8Array;
};

/** The windows of all pilots in one list, which each mission can scan quickly. */
export type Crowd = {
  /** in a fixed order */
  readonly pilots: readonly SeatingPilot[];
  /** windows of pilot p are `first[p]` to `first[p + 1] - 1`; inactive pilots have none */
  readonly first: Int32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** places of the pilots with a leave: few, so that most are never looked at */
  readonly onLeave: readonly number[];
};

/** @param pilots in a fixed order */
export function createCrowd(pilots: readonly SeatingPilot[]): Crowd {
  const first = new Int32Array(pilots.length + 1);
  let many = 0;
  pilots.forEach((pilot, place) => {
    if (pilot.active) many += pilot.presences.length;
    first[place + 1] = many;
  });
  const startMs = new Float64Array(many);
  const endMs = new Float64Array(many);
  let window = 0;
  for (const pilot of pilots) {
    if (!pilot.active) continue;
    for (const presence of pilot.presences) {
      startMs[window] = presence.startMs;
      endMs[window] = presence.endMs;
      window += 1;
    }
  }
  const onLeave = pilots.flatMap(({ active, leave }, place) => (active && leave ? [place] : []));
  return { pilots, first, startMs, endMs, onLeave };
}

/** @param seats in a fixed order */
export function createMatrix(
  mission: SeatingMission,
  seats: readonly SeatingSeat[],
  { pilots, first, startMs: starts, endMs: ends, onLeave }: Crowd,
  nowMs: number,
): MissionMatrix {
  const aircraftIds = [...new Set(seats.map(({ aircraftId }) => aircraftId))];
  const placeOf = new Map(aircraftIds.map((id, place) => [id, place]));
  const kinds = aircraftIds.length;
  const ineligibility = new Uint8Array(pilots.length);
  const candidates: number[] = [];
  let fits = new Uint8Array(64 * kinds);
  const { startMs, endMs } = mission;

  for (let place = 0; place < pilots.length; place++) {
    let earliest = Infinity;
    let latest = -Infinity;
    let touching = 0;
    let covering = 0;
    for (let window = first[place] ?? 0, end = first[place + 1] ?? 0; window < end; window++) {
      const from = starts[window] ?? 0;
      const to = ends[window] ?? 0;
      if (from >= endMs || to <= startMs || from >= to) continue;
      touching += 1;
      if (from <= startMs && to >= endMs) covering += 1;
      if (from < earliest) earliest = from;
      if (to > latest) latest = to;
    }
    const pilot = pilots[place];
    if (touching === 0 || earliest > startMs || latest < endMs || !pilot) {
      ineligibility[place] = INELIGIBILITY.NOT_AVAILABLE;
      continue;
    }
    const row = candidates.length * kinds;
    if (row + kinds > fits.length) {
      const more = new Uint8Array(2 * fits.length);
      more.set(fits);
      fits = more;
    }
    fits.fill(FIT.none, row, row + kinds);
    // windows that each cover the whole mission need no merging, so most pilots need no full assessment
    const isPlain = covering === touching && pilot.commitments.length === 0 && pilot.state !== 'dnd';
    const assessment = isPlain && startMs < endMs ? null : assessPilot(pilot, mission, nowMs);
    if (assessment && assessment.reason !== null) {
      ineligibility[place] = INELIGIBILITY[assessment.reason];
      continue;
    }
    let fitting = 0;
    if (assessment) {
      aircraftIds.forEach((aircraftId, aircraft) => {
        const fit = assessment.fitFor(aircraftId);
        if (fit === null) return;
        fits[row + aircraft] = FIT[fit];
        fitting += 1;
      });
    } else {
      for (const { startMs: from, endMs: to, aircraftId } of pilot.presences) {
        if (from > startMs || to < endMs) continue;
        if (aircraftId === null) {
          aircraftIds.forEach((id, aircraft) => {
            const fit = fits[row + aircraft] === FIT.none ? fitInAny(pilot, id) : null;
            if (fit === null) return;
            fits[row + aircraft] = FIT[fit];
            fitting += 1;
          });
        } else {
          const aircraft = placeOf.get(aircraftId);
          if (aircraft === undefined) continue;
          fits[row + aircraft] = FIT.exact;
          fitting += 1;
        }
      }
    }
    ineligibility[place] = fitting > 0 || kinds === 0 ? INELIGIBILITY.OUTRANKED : INELIGIBILITY.AIRCRAFT;
    if (fitting > 0) candidates.push(place);
  }
  for (const place of onLeave) {
    const pilot = pilots[place];
    const isAway = ineligibility[place] === INELIGIBILITY.NOT_AVAILABLE && pilot && isOnLeave(pilot, mission);
    if (isAway) ineligibility[place] = INELIGIBILITY.ON_LEAVE;
  }
  return {
    mission,
    seats,
    types: typesOf(seats, placeOf),
    aircraftIds,
    ineligibility,
    candidates: new Int32Array(candidates),
    fits: fits.slice(0, candidates.length * kinds),
  };
}

function typesOf(seats: readonly SeatingSeat[], placeOf: ReadonlyMap<number, number>): SeatType[] {
  const types = new Map<string, SeatType>();
  for (const seat of seats) {
    const { aircraftId } = seat;
    const ranked = isLeadSeat(seat) && !isSupportSeat(seat);
    const key = `${aircraftId} ${ranked}`;
    const known = types.get(key);
    if (known) types.set(key, { ...known, seats: known.seats + 1 });
    else types.set(key, { aircraftId, aircraft: placeOf.get(aircraftId) ?? 0, ranked, seats: 1, sample: seat });
  }
  return [...types.values()];
}

/** Clusters of missions that are connected, directly or through others: they overlap, and a pilot could fly either. */
export function findClusters(matrices: readonly MissionMatrix[]): number[][] {
  const clusterOf = matrices.map((_, index) => index);
  matrices.forEach((one, a) => {
    for (let b = 0; b < a; b++) {
      const other = matrices[b];
      const [from, to] = [clusterOf[a] ?? a, clusterOf[b] ?? b];
      if (!other || other.candidates.length === 0 || from === to || !overlaps(one.mission, other.mission)) continue;
      if (!one.candidates.some((pilot) => other.ineligibility[pilot] === INELIGIBILITY.OUTRANKED)) continue;
      clusterOf.forEach((cluster, index) => {
        if (cluster === from) clusterOf[index] = to;
      });
    }
  });
  const clusters = new Map<number, number[]>();
  clusterOf.forEach((cluster, index) => clusters.set(cluster, [...(clusters.get(cluster) ?? []), index]));
  return [...clusters.values()];
}
