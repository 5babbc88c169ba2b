import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { TOKEN_DAYS, TOKEN_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { createTokenInput, type NewAccessTokenDto } from '#shared/schemas/tokens.ts';
import { ADMIN_TOKEN_SCOPES, TOKEN_SCOPES, type TokenScope } from '#shared/vocabulary.ts';
import { profileCopy, SCOPE_MEANINGS, SCOPE_NAMES } from './profile-text.ts';
import classes from './tokens-panel.module.css';

const DAY_MS = 86_400_000;
const ON_DATE = 'date';
const INITIAL: { name: string; scopes: readonly TokenScope[]; expiry: string; expiresAt: string } = {
  name: '',
  scopes: ['read'],
  expiry: String(TOKEN_DAYS.initial),
  /** a date, for the choice of one */
  expiresAt: '',
};

const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A form's input of the call: a chosen date counts to its end, in UTC. */
function toInput({ expiry, expiresAt, ...rest }: typeof INITIAL, id: string) {
  const instant =
    expiry === ON_DATE ? `${expiresAt}T23:59:59Z` : new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
  return { ...rest, id, scopes: [...rest.scopes], expiresAt: instant };
}

/** Form that makes a token. */
export function TokenForm({ onMade, onCancel }: { onMade: (made: NewAccessTokenDto) => void; onCancel: () => void }) {
  const viewer = useSignedInViewer();
  const utils = trpc.useUtils();
  const now = useNow();
  const scopesError = useId();
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);
  const form = useServerForm({
    schema: createTokenInput,
    mode: 'controlled',
    initialValues: INITIAL,
    toInput: (values) => toInput(values, viewer.id),
    // a date is the only part of the expiry that is typed
    sentences: { expiresAt: copy.invalidDate },
    failure: profileCopy.tokenMakeFailed,
  });
  const create = trpc.auth.tokens.create.useMutation({
    onSuccess: async (made) => {
      onMade(made);
      await utils.auth.tokens.list.invalidate();
    },
    onError: form.refuse,
  });
  const { scopes, expiry } = form.values;
  const toggle = (scope: TokenScope, isOn: boolean): void =>
    form.setFieldValue(
      'scopes',
      TOKEN_SCOPES.filter((one) => {
        if (one === scope) return isOn;
        // the scope of a game server stands alone
        return scopes.includes(one) && !(isOn && (scope === 'server') !== (one === 'server'));
      }),
    );

  return (
    <form
      noValidate
      className={classes.form}
      aria-label="Create token"
      onSubmit={form.submit((input) => create.mutate(input))}
    >
      <FormError message={form.refusal} />
      <TextInput
        label="Name"
        description="So that you recognize it later"
        maxLength={TOKEN_NAME_MAX_LENGTH}
        autoComplete="off"
        {...form.getInputProps('name')}
        ref={name}
      />
      <fieldset className={classes.scopes} aria-describedby={form.errors['scopes'] ? scopesError : undefined}>
        <legend>Scopes: what it may do</legend>
        {TOKEN_SCOPES.filter((scope) => isAdmin(viewer) || !ADMIN_TOKEN_SCOPES.includes(scope)).map((scope) => (
          <Choice
            key={scope}
            label={SCOPE_NAMES[scope]}
            meaning={SCOPE_MEANINGS[scope]}
            checked={scopes.includes(scope)}
            onChange={(isOn) => toggle(scope, isOn)}
          />
        ))}
        {form.errors['scopes'] !== undefined && (
          <p id={scopesError} className={classes.wrong} role="alert">
            {form.errors['scopes']}
          </p>
        )}
      </fieldset>
      <div className={classes.expiry}>
        <NativeSelect
          label="Expires"
          data={[
            ...TOKEN_DAYS.choices.map((days) => ({ value: String(days), label: `In ${days} days` })),
            { value: ON_DATE, label: 'On a date' },
          ]}
          {...form.getInputProps('expiry')}
        />
        {expiry === ON_DATE && (
          <TextInput
            type="date"
            label="Last day"
            min={utcDate(now.getTime())}
            max={utcDate(now.getTime() + (TOKEN_DAYS.max - 1) * DAY_MS)}
            {...form.getInputProps('expiresAt')}
          />
        )}
      </div>
      <Group gap="sm">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={create.isPending}>
          {create.isPending ? 'Creating...' : 'Create token'}
        </Button>
      </Group>
    </form>
  );
}
