import { looksLikeSentence } from '#shared/copy.ts';
import { showToast } from './toast.ts';
import type { ReactNode } from 'react';
import { fieldIssues } from './errors.ts';
import { failureOf, type Failure } from './failure.ts';

/** The part of Mantine's form used here; the full generic type differs for every validator. */
export interface FormHandle {
  getInputNode(path: string): HTMLElement | null;
  getValues(): object;
  setFieldError(path: string, error: ReactNode): void;
}

/** Focuses the first invalid field. For `form.onSubmit(submit, focusFirstError(form))`. */
export function focusFirstError(form: FormHandle): (errors: Record<string, ReactNode>) => void {
  return (errors) => {
    const path = Object.keys(errors)[0];
    if (path !== undefined) {
      form.getInputNode(path)?.focus();
    }
  };
}

/**
 * Shows the server's messages about single fields at those fields.
 * @param before as in `failureOf`
 * @returns for the box above the form
 */
export function showServerError(form: FormHandle, error: unknown, fallback: string, before = ''): Failure {
  const values = form.getValues();
  for (const { path, message } of fieldIssues(error)) {
    if ((path.split('.')[0] ?? '') in values) {
      form.setFieldError(path, message);
    }
  }
  return failureOf(error, fallback, before);
}

/** For the box above a form: nothing where the fields say it, such as a wrong password. */
export const failureAbove = (error: unknown, fallback: string): Failure | null =>
  error === null || fieldIssues(error).length > 0 ? null : failureOf(error, fallback);

/** Shows a toast that the saved call sign looks like others. */
export function pointOut(looksLike: readonly string[]): void {
  if (looksLike.length > 0) {
    showToast(looksLikeSentence(looksLike), { signal: 'yellow', action: { label: 'OK', onClick: () => undefined } });
  }
}
