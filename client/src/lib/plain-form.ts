/**
 * State of a short form of text fields, on pages that should load fast: the inputs keep the values, and the schema is loaded at
 * the first focus. All other forms use Mantine's form, which a page loads with zod: 24 KB.
 */
import { useRef, useState, type ChangeEvent, type FormEvent } from 'react';
import type { FieldIssue } from './errors.ts';
import { focusFirstError } from './form-errors.ts';

type Values<Name extends string> = Record<Name, string>;
type Check<Name extends string> = (values: Values<Name>) => readonly FieldIssue[];

/**
 * @param names of the inputs, in the order in which they stand
 * @param loadCheck loads the function that lists what is wrong with the values
 */
export function usePlainForm<const Name extends string>(names: readonly Name[], loadCheck: () => Promise<Check<Name>>) {
  const element = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({});

  const inputOf = (name: string): HTMLInputElement | null => {
    const input = element.current?.elements.namedItem(name);
    return input instanceof HTMLInputElement ? input : null;
  };
  const getValues = (): Values<Name> => {
    const pairs = names.map((name) => [name, inputOf(name)?.value ?? ''] as const);
    return Object.fromEntries(pairs) as Values<Name>;
  };
  const setFieldError = (name: string, message: string | undefined): void =>
    setErrors((all) => ({ ...all, [name]: message }));
  const handle = { getValues, setFieldError, getInputNode: inputOf };

  return {
    ...handle,
    /** Properties of the input of a field. */
    inputProps: (name: Name) => ({
      name,
      error: errors[name],
      onChange: (_event: ChangeEvent) => setFieldError(name, undefined),
    }),
    /** Properties of the form. @param send called with values that the check finds nothing wrong with */
    formProps: (send: (values: Values<Name>) => void) => ({
      ref: element,
      noValidate: true,
      onFocus: () => void loadCheck().catch(() => undefined),
      onSubmit: async (event: FormEvent) => {
        event.preventDefault();
        const values = getValues();
        // without the check, which cannot be loaded offline, the server's answer names the same faults
        const check = await loadCheck().catch(() => () => []);
        const found: Record<string, string> = {};
        for (const { path, message } of check(values)) found[path] ??= message;
        setErrors(found);
        if (Object.keys(found).length === 0) send(values);
        else focusFirstError(handle)(found);
      },
    }),
  };
}
