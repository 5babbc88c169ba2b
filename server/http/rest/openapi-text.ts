/** The OpenAPI document as JSON, made from the procedures once, in a thread: that takes the processor a moment. */
import { createThreads } from '#server/platform/threads.ts';

const LIMITS = { threads: 1, tasksMax: 1, limitMs: 60_000, idleMs: 1_000 };

let made: Promise<string> | null = null;

/** Made with the first call: a start should not wait for it. */
export function readOpenApi(): Promise<string> {
  made ??= createThreads<null, string>(new URL('./openapi-worker.ts', import.meta.url), LIMITS)
    .run(() => null)
    .catch((error: unknown) => {
      made = null;
      throw error;
    });
  return made;
}
