/** The maximum flow of pilots' turns over the seats of overlapping missions, with turns of one pilot as independent. */
import { type Cluster, type Mask, turnsOf } from './cluster.ts';

/** A number of pilots of a group, and the missions that they fly. */
export type Allocation = { readonly group: number; readonly missions: Mask; readonly pilots: number };

/** A number of pilots of a group, and the missions that they may fly. */
export type Part = { readonly group: number; readonly allowed: Mask; readonly pilots: number };

/** `used`: seats by part and type */
export type Flow = { readonly filled: number; readonly used: Int32Array };

/** Seats as many turns as possible, as if a pilot's turns were independent of each other. */
export function flowTurns(cluster: Cluster, parts: readonly Part[]): Flow {
  const { types, typesIn } = cluster;
  const columns = parts.flatMap(({ group, allowed, pilots }, part) =>
    turnsOf(cluster, allowed).map((turn) => ({
      part,
      left: pilots,
      types: (typesIn[group] ?? []).flatMap((inMission, index) => ((turn & (1 << index)) === 0 ? [] : inMission)),
    })),
  );
  const free = Int32Array.from(types, ({ seats }) => seats);
  /** columns that hold seats of each type, with the number of seats */
  const held = types.map(() => new Map<number, number>());
  const used = new Int32Array(parts.length * types.length);
  const isDead = new Uint8Array(types.length);
  let filled = 0;
  const put = (column: number, type: number, amount: number): void => {
    const now = (held[type]?.get(column) ?? 0) + amount;
    if (now === 0) held[type]?.delete(column);
    else held[type]?.set(column, now);
    const cell = (columns[column]?.part ?? 0) * types.length + type;
    used[cell] = (used[cell] ?? 0) + amount;
  };
  let tried = new Uint8Array(types.length);
  /** Make room on one of the types by moving turns to others. @returns the type that then has room; null if none has */
  const makeRoom = (fitting: readonly number[]): number | null => {
    for (const type of fitting) {
      if (tried[type] === 0 && isDead[type] === 0 && (free[type] ?? 0) > 0) return type;
    }
    for (const type of fitting) {
      if (tried[type] === 1 || isDead[type] === 1) continue;
      tried[type] = 1;
      for (const column of held[type]?.keys() ?? []) {
        const other = makeRoom(columns[column]?.types ?? []);
        if (other === null) continue;
        put(column, type, -1);
        put(column, other, 1);
        free[other] = (free[other] ?? 0) - 1;
        free[type] = (free[type] ?? 0) + 1;
        return type;
      }
    }
    return null;
  };
  columns.forEach((column, index) => {
    while (column.left > 0) {
      tried = new Uint8Array(types.length);
      const type = makeRoom(column.types);
      if (type === null) {
        // the types just tried cannot get room later either
        tried.forEach((was, at) => {
          if (was === 1) isDead[at] = 1;
        });
        break;
      }
      put(index, type, 1);
      free[type] = (free[type] ?? 0) - 1;
      column.left -= 1;
      filled += 1;
    }
  });
  return { filled, used };
}

/** The number of pilots of a part that fly each mission. */
export function flownBy({ missions, types }: Cluster, part: number, { used }: Flow): Int32Array {
  const flown = new Int32Array(missions.length);
  for (let type = 0; type < types.length; type++) {
    const mission = types[type]?.mission ?? 0;
    flown[mission] = (flown[mission] ?? 0) + (used[part * types.length + type] ?? 0);
  }
  return flown;
}

/** Give the pilots of each part the missions that the flow gave it, except those for which there are not enough pilots. */
export function allocatePilots(cluster: Cluster, parts: readonly Part[], found: Flow): Allocation[] {
  const { byStart, clashes } = cluster;
  return parts.flatMap(({ group, pilots }, part): Allocation[] => {
    const flown = flownBy(cluster, part, found);
    const allocations = new Map<Mask, number>([[0, pilots]]);
    // by start, so that only pilots who fly at that moment are unavailable
    for (const index of byStart) {
      let left = flown[index] ?? 0;
      for (const [mask, count] of allocations) {
        if (left === 0) break;
        if ((mask & (clashes[index] ?? 0)) !== 0) continue;
        const moved = Math.min(left, count);
        left -= moved;
        if (moved === count) allocations.delete(mask);
        else allocations.set(mask, count - moved);
        const more = mask | (1 << index);
        allocations.set(more, (allocations.get(more) ?? 0) + moved);
      }
    }
    allocations.delete(0);
    return [...allocations].map(([mask, count]) => ({ group, missions: mask, pilots: count }));
  });
}
