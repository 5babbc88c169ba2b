/** Memory that a value takes in this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function used(): number {
  collect();
  // buffers are freed after the collection that finds them
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** @returns the value, and the bytes by which the heap and its buffers grew */
export function measureBytes<Value>(make: () => Value): { value: Value; bytes: number } {
  const before = used();
  const value = make();
  return { value, bytes: used() - before };
}
