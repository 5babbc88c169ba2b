/**
 * The calls of the server, as the client for other programs sees them. The package contains a printed copy of this module
 * that needs nothing else of Marshal; `build.ts` writes it.
 */
import { REST_TABLE } from '#server/http/rest/read-operations.ts';

export type { AppRouter } from '#server/http/routers/app.ts';
export type { RefusalCode } from '#shared/refusals.ts';

/** Calls that change something, but never twice: PUT, DELETE, and POSTs that create, because of the Idempotency-Key. */
export const REPEATABLE_CALLS: ReadonlySet<string> = new Set(
  REST_TABLE.filter(([method, , , status]) => method !== 'get' && (method !== 'post' || status === 201)).map(
    ([, , name]) => name,
  ),
);
