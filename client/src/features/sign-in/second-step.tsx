import { Button, Stack, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { errorCode, errorMessage, fieldIssues, type FieldIssue } from '#client/lib/errors.ts';
import { askPasskey, passkeyFailure } from '#client/lib/passkeys.ts';
import { usePlainForm } from '#client/lib/plain-form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { REMEMBERED_DEVICE } from '#shared/limits.ts';
import type { SecondFactor } from '#shared/vocabulary.ts';
import classes from './second-step.module.css';

interface SecondStepProps {
  onDone: () => Promise<void>;
  /** back to the first step, with a sentence if that was not the person's choice */
  onOver: (sentence: string | null) => void;
}

const ANOTHER_WAY: Record<SecondFactor, string> = {
  authenticator: 'Use the authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
};

/** The second step of a sign-in: one of the account's second factors. */
export function SecondStep({ onDone, onOver }: SecondStepProps) {
  const step = trpc.auth.secondFactor.step.useQuery(undefined, { staleTime: 0, gcTime: 0 });
  const isOver = step.data === null;
  useEffect(() => {
    if (isOver) onOver(copy.secondStepOver);
  }, [isOver, onOver]);
  return (
    <Loaded query={step} loading="Loading..." failure={copy.unknownError} rows={4}>
      {(found) => found !== null && <Factors factors={found.factors} onDone={onDone} onOver={onOver} />}
    </Loaded>
  );
}

function Factors({ factors, onDone, onOver }: SecondStepProps & { factors: readonly SecondFactor[] }) {
  const [factor, setFactor] = useState(factors[0] ?? 'authenticator');
  const [isRemembered, setRemembered] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const finish = trpc.auth.secondFactor.finish.useMutation({
    onSuccess: onDone,
    onError: (cause) => {
      const sentence = errorMessage(cause, screenCopy.loginFailed);
      if (errorCode(cause) === 'SECOND_STEP_OVER') onOver(sentence);
      const named = fieldIssues(cause);
      setIssues(named);
      setError(named.length > 0 ? null : sentence);
    },
  });
  const challenge = trpc.auth.secondFactor.challenge.useMutation();
  const isPending = finish.isPending || finish.isSuccess || challenge.isPending;

  const begin = (): void => {
    setError(null);
    setIssues([]);
  };
  const answerByPasskey = async (): Promise<void> => {
    begin();
    try {
      finish.mutate({ passkey: await askPasskey(await challenge.mutateAsync()), isRemembered });
    } catch (cause) {
      if (errorCode(cause) === 'SECOND_STEP_OVER') onOver(copy.secondStepOver);
      else setError(passkeyFailure(cause));
    }
  };

  return (
    <>
      <FormError message={error} />
      {factor === 'passkey' ? (
        <PasskeyStep isPending={isPending} onAsk={() => void answerByPasskey()}>
          <Remember isRemembered={isRemembered} onChange={setRemembered} />
        </PasskeyStep>
      ) : (
        <CodeForm
          key={factor}
          kind={factor}
          issues={issues}
          isPending={isPending}
          onAnswer={(answer) => {
            begin();
            finish.mutate({ ...answer, isRemembered });
          }}
        >
          <Remember isRemembered={isRemembered} onChange={setRemembered} />
        </CodeForm>
      )}
      <div className={classes.others}>
        {factors
          .filter((other) => other !== factor)
          .map((other) => (
            <Button
              key={other}
              variant="default"
              disabled={isPending}
              onClick={() => {
                begin();
                setFactor(other);
              }}
            >
              {ANOTHER_WAY[other]}
            </Button>
          ))}
        <Button variant="subtle" disabled={isPending} onClick={() => onOver(null)}>
          Back
        </Button>
      </div>
    </>
  );
}

interface PasskeyStepProps {
  isPending: boolean;
  onAsk: () => void;
  children: ReactNode;
}

function PasskeyStep({ isPending, onAsk, children }: PasskeyStepProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Stack gap="md">
      <p className={classes.lead}>Confirm that it is you with a passkey or security key.</p>
      {children}
      <Button
        ref={button}
        fullWidth
        disabled={isPending}
        leftSection={<IconFingerprint size={20} aria-hidden="true" />}
        onClick={onAsk}
      >
        {isPending ? 'Signing In...' : 'Use a passkey'}
      </Button>
    </Stack>
  );
}

function Remember({ isRemembered, onChange }: { isRemembered: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <Choice
      label={`Remember this device for ${REMEMBERED_DEVICE.days} days`}
      meaning="Then signing in here takes one step. Not for shared computers."
      checked={isRemembered}
      onChange={onChange}
    />
  );
}

const FIELDS = {
  authenticator: {
    name: 'code',
    label: 'Code',
    description: 'The 6 digits that your authenticator app shows now',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: 10,
  },
  recovery_code: {
    name: 'recoveryCode',
    label: 'Recovery code',
    description: 'One of the codes that you saved. Each works once.',
    inputMode: 'text',
    autoComplete: 'off',
    maxLength: 40,
  },
} as const;

interface CodeFormProps {
  kind: keyof typeof FIELDS;
  /** what the server found wrong with the last answer */
  issues: readonly FieldIssue[];
  isPending: boolean;
  onAnswer: (answer: { code: string } | { recoveryCode: string }) => void;
  children: ReactNode;
}

function CodeForm({ kind, issues, isPending, onAnswer, children }: CodeFormProps) {
  const { name, ...field } = FIELDS[kind];
  const input = useRef<HTMLInputElement>(null);
  const form = usePlainForm(['code', 'recoveryCode'], async () => {
    const { secondStepInput } = await import('#shared/schemas/second-factor.ts');
    return (values) =>
      (secondStepInput.safeParse({ [name]: values[name] }).error?.issues ?? []).map(({ path, message }) => ({
        path: path.join('.'),
        message,
      }));
  });
  const { setFieldError } = form;
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    for (const { path, message } of issues) if (path === name) setFieldError(name, message);
    if (issues.length > 0) input.current?.select();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new answer of the server marks the field
  }, [issues]);
  return (
    <form
      {...form.formProps((values) =>
        onAnswer(name === 'code' ? { code: values.code } : { recoveryCode: values.recoveryCode }),
      )}
    >
      <Stack gap="md">
        <TextInput ref={input} autoCorrect="off" spellCheck={false} {...field} {...form.inputProps(name)} />
        {children}
        <Button type="submit" fullWidth disabled={isPending}>
          {isPending ? 'Signing In...' : 'Confirm'}
        </Button>
      </Stack>
    </form>
  );
}
