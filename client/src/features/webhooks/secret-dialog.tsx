import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import classes from './webhooks.module.css';

interface SecretDialogProps {
  secret: string;
  host: string;
  /** the former secret signs, too, for a day */
  isRotated: boolean;
  onClose: () => void;
}

/** Dialog that shows a signing secret, once. */
export function SecretDialog({ secret, host, isRotated, onClose }: SecretDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <Dialog opened title={`Signing secret for ${host}`} onClose={onClose}>
      <div className={classes.form}>
        <TextInput
          ref={field}
          label="Signing secret"
          description="Copy it now: it won't be shown again. The receiver verifies requests with it."
          readOnly
          value={secret}
          classNames={{ input: classes.secret }}
          onFocus={(event) => event.currentTarget.select()}
          rightSection={<CopyButton text={secret} label="Copy signing secret" copiedLabel="Signing secret copied" />}
        />
      </div>
      {isRotated && (
        <p className={classes.text}>
          For 24 hours each request is signed by both secrets, so the receiver can switch without losing events.
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
