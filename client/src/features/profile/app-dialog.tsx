import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Dialog, DialogButtons, DialogForm } from '#client/components/dialog.tsx';
import { fieldIssues } from '#client/lib/errors.ts';
import { failureAbove } from '#client/lib/form-errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { OwnerField } from './owner-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { twoStepCopy } from './two-step-text.ts';
import { useRefreshTwoStep } from './use-refresh-two-step.ts';
import classes from './two-step.module.css';

interface AppDialogProps {
  hasPassword: boolean;
  onClose: () => void;
}

/** Set-up of an authenticator app: the password, the key as a QR code, the first code, and the recovery codes. */
export function AppDialog({ hasPassword, onClose }: AppDialogProps) {
  const refresh = useRefreshTwoStep();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isDone, setDone] = useState(false);
  const begin = trpc.auth.secondFactor.beginAuthenticator.useMutation();
  const confirm = trpc.auth.secondFactor.confirmAuthenticator.useMutation({
    onSuccess: async ({ recoveryCodes }) => {
      await refresh();
      if (recoveryCodes === null) onClose();
      else setDone(true);
    },
  });
  const codes = confirm.data?.recoveryCodes;
  if (isDone && codes) {
    return (
      <Dialog opened title="Your recovery codes" onClose={onClose}>
        <p className={classes.said} role="status">
          Two-step sign-in is on.
        </p>
        <RecoveryCodes codes={codes} />
        <DialogButtons>
          <Button onClick={onClose}>I have saved them</Button>
        </DialogButtons>
      </Dialog>
    );
  }
  if (begin.data === undefined) {
    return (
      <Dialog opened title="Set up an authenticator app" onClose={onClose}>
        <DialogForm
          error={failureAbove(begin.error, twoStepCopy.failed)}
          onClose={onClose}
          submit="Continue"
          isBusy={begin.isPending}
          onSubmit={(event) => {
            event.preventDefault();
            begin.mutate(hasPassword ? { currentPassword: password } : {});
          }}
        >
          <p className={classes.said}>
            You need an app such as Aegis, Google Authenticator, 1Password or Bitwarden, on your phone or computer.
          </p>
          {hasPassword && <OwnerField value={password} onChange={setPassword} cause={begin.error} />}
        </DialogForm>
      </Dialog>
    );
  }
  const { key, uri } = begin.data;
  const wrong = fieldIssues(confirm.error).find(({ path }) => path === 'code');
  return (
    <Dialog opened title="Set up an authenticator app" onClose={onClose}>
      <DialogForm
        error={failureAbove(confirm.error, twoStepCopy.failed)}
        onClose={onClose}
        submit="Confirm"
        isBusy={confirm.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          confirm.mutate({ code });
        }}
      >
        <KeyToScan keyText={key} uri={uri} />
        <CodeField value={code} onChange={setCode} error={wrong?.message} />
      </DialogForm>
    </Dialog>
  );
}

/** Readers need a quiet zone of four modules. */
const BORDER = 4;

function KeyToScan({ keyText, uri }: { keyText: string; uri: string }) {
  const { data, size } = encode(uri, { ecc: 'M', border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <>
      <p className={classes.said}>1. Scan this with the app, or enter the key by hand.</p>
      <div className={classes.scan}>
        <svg viewBox={`0 0 ${size} ${size}`} className={classes.qr} role="img" aria-label="QR code with the key">
          <path d={dark.join('')} shapeRendering="crispEdges" />
        </svg>
      </div>
      <dl className={classes.key}>
        <dt>Key</dt>
        <dd>
          <code>{keyText.match(/.{1,4}/g)?.join(' ') ?? keyText}</code>
          <CopyButton text={keyText} label="Copy key" copiedLabel="Key copied" />
        </dd>
      </dl>
    </>
  );
}

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  error: string | undefined;
}

function CodeField({ value, onChange, error }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <TextInput
      ref={input}
      mt="md"
      label="2. Code that the app shows now"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
