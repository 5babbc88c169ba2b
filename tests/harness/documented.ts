/** Refusals that a REST call answers have to be in its documentation: every test that is refused looks. */
import { listCalls } from '#server/http/rest/openapi.ts';
import { refusalsOf } from '#server/http/rest/openapi-answers.ts';

const PARAMETER = /\{\w+\}/g;

/** Calls as patterns; one with fewer parameters comes first, as in the routes. */
const calls = listCalls()
  .map((call) => ({ call, pattern: new RegExp(`^${call.path.replaceAll(PARAMETER, '[^/]*')}$`) }))
  .toSorted((one, other) => one.call.path.split('{').length - other.call.path.split('{').length);

/**
 * @param path below /api/v1, with or without a query
 * @param code of a refusal
 * @throws Error for a code that the call does not document; calls of no procedure (files, unknown paths) are not looked at
 */
export function requireDocumented(method: string, path: string, code: unknown): void {
  const [bare = ''] = path.split('?');
  const found = calls.find(({ call, pattern }) => call.method === method.toLowerCase() && pattern.test(bare));
  if (!found) return;
  const documented: readonly unknown[] = refusalsOf(found.call, found.call.docs.refusals ?? []);
  if (documented.includes(code)) return;
  throw new Error(
    `${found.call.docs.id} (${method} ${found.call.path}) answers ${String(code)}, which it does not document`,
  );
}
