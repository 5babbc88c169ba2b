import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './form-error.module.css';

/**
 * The error box above a form. Takes focus when its sentence appears, so that nobody misses it.
 * @param message null hides the box
 */
export function FormError({ message }: { message: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message !== null) {
      box.current?.focus();
    }
  }, [message]);
  if (message === null) {
    return null;
  }
  return (
    <div ref={box} role="alert" tabIndex={-1} className={classes.box} data-signal="red">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
      <span>{message}</span>
    </div>
  );
}

/** A quiet box in the same place: something to know, nothing went wrong. */
export function FormNote({ children }: { children: ReactNode }) {
  return <div className={classes.box}>{children}</div>;
}
