/**
 * A form whose values the server checks by a schema: the one state of every form that Mantine's form holds and one call sends.
 * Others stand apart: short forms of pages that should load fast (`plain-form.ts`), the profile, which merges with what was
 * saved elsewhere, the mission, which is sent in two ways, and the landing page, which sends nothing.
 */
// oxlint-disable-next-line no-restricted-imports -- the one form
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import type { Told } from './failure.ts';
import { focusFirstError, showServerError } from './form.ts';

type Schema = Parameters<typeof schemaResolver>[0];

interface ServerFormInput<Values, Input> {
  /** as Mantine's */
  mode?: 'controlled' | 'uncontrolled';
  initialValues: Values;
  onValuesChange?: (values: Values) => void;
  /** the call's schema, or the part of it that the form fills in */
  schema: Schema;
  /** The input of the call, which the schema checks; the values themselves if left out. */
  toInput?: (values: Values) => Input;
  /** sentences by field, for fields whose value is made from what was typed */
  sentences?: Readonly<Record<string, string>>;
  /** sentence for a failed call when the server sent none, or the sentence for each failure */
  failure: string | ((cause: unknown) => string);
  /** as in `failureOf` */
  before?: string;
}

/**
 * @returns Mantine's form; `submit` for the form's onSubmit, which sends the checked input or focuses the first wrong field; `refuse` for a
 * failed call, which shows the server's sentences at their fields; and `refusal` for the box above the form
 */
export function useServerForm<Values extends object, Input = Values>({
  schema,
  toInput = (values) => values as unknown as Input,
  sentences = {},
  failure,
  before = '',
  ...options
}: ServerFormInput<Values, Input>) {
  const [refusal, setRefusal] = useState<Told>(null);
  const check = schemaResolver(schema, { sync: true });
  const validate = (values: Values) => {
    const wrong = check(toInput(values));
    for (const [field, sentence] of Object.entries(sentences)) if (field in wrong) wrong[field] = sentence;
    return wrong;
  };
  const form = useForm<Values>({ ...options, validate });
  return {
    ...form,
    refusal,
    refuse: (cause: unknown): void => {
      const told = showServerError(form, cause, typeof failure === 'string' ? failure : '', before);
      setRefusal(typeof failure === 'string' ? told : failure(cause));
    },
    submit: (send: (input: Input) => unknown) =>
      form.onSubmit((values) => {
        setRefusal(null);
        void send(toInput(values));
      }, focusFirstError(form)),
  };
}
