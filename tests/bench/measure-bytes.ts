/** Memory that a value takes in this process, and its garbage collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Less is code that comes and goes. */
const SETTLED_BYTES = 10_000;

function used(): number {
  let last = Infinity;
  // buffers, and what only old code refers to, are freed by a later collection than the one that finds them
  for (;;) {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = heapUsed + arrayBuffers;
    if (now > last - SETTLED_BYTES) return now;
    last = now;
  }
}

/** @returns the value, and the bytes by which the heap and its buffers grew */
export function measureBytes<Value>(make: () => Value): { value: Value; bytes: number } {
  const before = used();
  const value = make();
  return { value, bytes: used() - before };
}
