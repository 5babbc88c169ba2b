import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '#client/lib/failure.ts';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import classes from './not-sent.module.css';

interface NotSentProps {
  /** yellow while it waits, red once it was refused */
  signal: 'yellow' | 'red';
  action?: { label: string; onClick: () => void };
  children: ReactNode;
}

/** A line about something that is kept on this device, with its button. */
export function NotSent({ signal, action, children }: NotSentProps) {
  const open = useFastLinks();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for the link in it
    <div role="status" className={classes.line} data-signal={signal} onClick={open}>
      <span className={classes.words}>{children}</span>
      {action !== undefined && (
        <Button variant="default" className={classes.button} onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

/** A refusal and its way on. */
export function Refusal({ sentence, way }: Failure) {
  return (
    <>
      {sentence} {way !== null && <a href={way.path}>{way.label}</a>}
    </>
  );
}
