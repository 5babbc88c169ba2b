/**
 * The request that the running code belongs to, for log lines and jobs: from the HTTP request, through the jobs that it
 * enqueued and those that they enqueue. Code in between need not pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The fields of every log line in the scope. */
interface RequestScope {
  /** the X-Request-Id of the answer */
  requestId?: string;
  /** the job's name and number, while one is executed */
  job?: string;
  jobId?: string;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** Run a function, and everything that it starts, in a scope. */
export const runInScope = <Result>(scope: RequestScope, run: () => Result): Result => scopes.run(scope, run);

/** The scope of the running code; empty outside of requests and jobs. */
export const currentScope = (): RequestScope => scopes.getStore() ?? {};
