/** The operations of the REST API, one row per procedure, as the procedures describe themselves (`server/http/operation.ts`). */
import { appRouter, metaOf } from '#server/http/routers/app.ts';
import type { Method, Operation } from '#server/http/operation.ts';

export type Row = readonly [method: Method, path: string, procedure: string, status: 200 | 201];

/** A procedure as an operation. @throws Error for one that does not describe itself */
export function operationOf(procedure: string): Operation {
  const operation = metaOf(procedure)?.operation;
  if (!operation) throw new Error(`${procedure} has no operation: it needs .meta(rest(…)).`);
  return operation;
}

/** In the order of the routers. */
export const REST_TABLE: readonly Row[] = Object.keys(appRouter._def.procedures).map((procedure) => {
  const { method, path, status } = operationOf(procedure);
  return [method, path, procedure, status];
});
