/** Faults to inject into requests. */
import type { FaultSpec } from './types.ts';

export interface Faults {
  add: (spec: FaultSpec) => void;
  clear: () => void;
  /** The first fault that fits, used up by one. */
  take: (method: string, path: string) => FaultSpec | null;
}

export function createFaults(): Faults {
  let waiting: { spec: FaultSpec; left: number }[] = [];
  return {
    add: (spec) => {
      waiting.push({ spec, left: spec.times ?? 1 });
    },
    clear: () => {
      waiting = [];
    },
    take: (method, path) => {
      const found = waiting.find(({ spec }) => (spec.method ?? method) === method && spec.path.test(path));
      if (found === undefined) return null;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((one) => one !== found);
      return found.spec;
    },
  };
}
