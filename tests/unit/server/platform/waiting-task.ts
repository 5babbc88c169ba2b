/** A task for threads that waits until the test opens its gate. */
import { threadId } from 'node:worker_threads';

let tasks = 0;

/** @param gate [0] is 1 once it is open, [1] once the task has begun; null for no gate */
export function run(gate: Int32Array | null): { threadId: number; tasks: number } {
  tasks += 1;
  if (gate) {
    Atomics.store(gate, 1, 1);
    Atomics.notify(gate, 1);
    Atomics.wait(gate, 0, 0);
  }
  return { threadId, tasks };
}
