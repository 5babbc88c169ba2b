/** Memory that a value takes in this process, and its garbage collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

function used(): number {
  collectGarbage();
  // buffers are freed after the collection that finds them
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** @returns the value, and the bytes by which the heap and its buffers grew */
export function measureBytes<Value>(make: () => Value): { value: Value; bytes: number } {
  const before = used();
  const value = make();
  return { value, bytes: used() - before };
}
