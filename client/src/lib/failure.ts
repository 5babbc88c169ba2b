/** Failed calls as people see them: the sentence, and the link to where its reason is removed. */
import { wayOn, type WayOn } from '#shared/ways-on.ts';
import { errorCode, errorMessage } from './errors.ts';
import { showToast } from './toast.ts';

export interface Failure {
  sentence: string;
  /** null where the sentence is enough */
  way: WayOn | null;
}

/** Message of the box above a form: a failed call, another sentence, or null for none. */
export type Told = Failure | string | null;

/**
 * @param fallback sentence when no answer came at all
 * @param before put before the sentence, as some of the specification's sentences have it
 */
export function failureOf(error: unknown, fallback: string, before = ''): Failure {
  const code = errorCode(error);
  const reader = location.pathname.startsWith('/admin') ? 'admin' : 'pilot';
  return {
    sentence: `${before}${errorMessage(error, fallback)}`,
    way: code === undefined ? null : wayOn(code, reader),
  };
}

/** Shows a failure as a toast. */
export function toastFailure(failure: Failure | string): void {
  const { sentence, way } = typeof failure === 'string' ? { sentence: failure, way: null } : failure;
  showToast(sentence, { signal: 'red', ...(way && { action: way }) });
}

/** Shows a failed call as a toast. The parameters are those of `failureOf`. */
export function showFailure(error: unknown, fallback: string, before = ''): void {
  toastFailure(failureOf(error, fallback, before));
}
