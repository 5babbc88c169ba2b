import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyButton } from './copy-button.tsx';
import classes from './shown-once.module.css';

interface ShownOnceProps {
  label: string;
  description: string;
  /** the secret, of which the server stores only a hash */
  secret: string;
  copyLabel: string;
  copiedLabel: string;
}

/** A new secret, shown once: focused and selected, ready to be copied. */
export function ShownOnce({ label, description, secret, copyLabel, copiedLabel }: ShownOnceProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <TextInput
      ref={field}
      label={label}
      description={description}
      readOnly
      value={secret}
      classNames={{ input: classes.secret }}
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton text={secret} label={copyLabel} copiedLabel={copiedLabel} />}
    />
  );
}
