import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { Told } from '#client/lib/failure.ts';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import classes from './form-error.module.css';

/**
 * Error box above a form, with the link to where the reason is removed. It takes the focus when a message appears.
 * @param message null hides the box
 */
export function FormError({ message }: { message: Told }) {
  const open = useFastLinks();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message !== null) {
      box.current?.focus();
    }
  }, [message]);
  if (message === null) {
    return null;
  }
  const { sentence, way } = typeof message === 'string' ? { sentence: message, way: null } : message;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for the link in it
    <div ref={box} role="alert" tabIndex={-1} className={classes.box} data-signal="red" onClick={open}>
      <IconAlertTriangle size={20} aria-hidden="true" />
      <span>
        {sentence} {way !== null && <a href={way.path}>{way.label}</a>}
      </span>
    </div>
  );
}

/** Information box in the same place as the error box. */
export function FormNote({ children }: { children: ReactNode }) {
  return <div className={classes.box}>{children}</div>;
}
