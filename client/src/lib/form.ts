import { looksLikeSentence } from '#shared/copy.ts';
import { showToast } from './toast.ts';
import type { ReactNode } from 'react';
import { errorMessage, fieldIssues } from './errors.ts';

/** The part of Mantine's form that is needed here; its own generic type differs with every validator. */
interface FormHandle {
  getInputNode(path: string): HTMLElement | null;
  getValues(): object;
  setFieldError(path: string, error: ReactNode): void;
}

/** Focus the first field that was refused. For `form.onSubmit(submit, focusFirstError(form))`. */
export function focusFirstError(form: FormHandle): (errors: Record<string, ReactNode>) => void {
  return (errors) => {
    const path = Object.keys(errors)[0];
    if (path !== undefined) {
      form.getInputNode(path)?.focus();
    }
  };
}

/**
 * Put the server's refusal where it belongs: field sentences at their fields.
 * @returns the sentence for the box above the form
 */
export function showServerError(form: FormHandle, error: unknown, fallback: string): string {
  const values = form.getValues();
  for (const { path, message } of fieldIssues(error)) {
    if ((path.split('.')[0] ?? '') in values) {
      form.setFieldError(path, message);
    }
  }
  return errorMessage(error, fallback);
}

/** Tell somebody that the call sign just saved can be taken for these. */
export function pointOut(looksLike: readonly string[]): void {
  if (looksLike.length > 0) {
    showToast(looksLikeSentence(looksLike), { signal: 'yellow', action: { label: 'OK', onClick: () => undefined } });
  }
}
