/** How a procedure describes itself as an operation of the REST API: `.meta(rest(…))`, beside its guard, input and output. */
import type { RefusalCode } from '#shared/refusals.ts';
import type { Tag } from './tags.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What the reference says about an operation. */
export interface OperationWords {
  /** operationId, which generated clients use as the name of a function */
  id: string;
  tag: Tag;
  /** imperative, without a full stop */
  summary: string;
  /** side effects, order, limits: what the summary and the schemas do not say */
  description?: string;
  /** description of the successful answer, for lists and other answers whose schema has no name */
  answer?: string;
  /** codes beyond those that follow from guard, method and body (`server/http/rest/openapi-answers.ts`) */
  refusals?: readonly RefusalCode[];
  /** true when the answer sets or ends the session cookie */
  setsCookie?: true;
  /** true for a call that takes an Idempotency-Key although it creates nothing */
  takesKey?: true;
  /** where a POST or PUT reads its input; the body by default */
  inputIn?: 'query';
}

export interface Operation extends OperationWords {
  method: Method;
  /** below /api/v1, with `:name` for parameters */
  path: string;
  /** the success status: 200 unless it creates */
  status: 200 | 201;
}

/** `.meta(rest('get', '/missions/:id', { … }))` */
export const rest = (
  method: Method,
  path: string,
  words: OperationWords & { status?: 201 },
): { operation: Operation } => ({ operation: { status: 200, method, path, ...words } });
