/**
 * State of a form that is checked by a call's schema and sent by that call: Mantine's form, and what the server refused. Four forms
 * use Mantine's form directly and say why; short forms on pages that should load fast use `plain-form.ts`.
 */
// oxlint-disable-next-line no-restricted-imports -- every other form gets it from here
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import type { Told } from './failure.ts';
import { focusFirstError, showServerError } from './form-errors.ts';

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
 * @returns Mantine's form with three additions. `submit` makes the handler of the form's onSubmit: it sends the checked input, or focuses the
 * first wrong field. `refuse` takes the error of a failed call and shows the server's sentences at their fields. `refusal`
 * is the message of the box above the form.
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
