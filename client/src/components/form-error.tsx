import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './form-error.module.css';

/**
 * Error box above a form. It takes the focus when a message appears.
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

/** Information box in the same place as the error box. */
export function FormNote({ children }: { children: ReactNode }) {
  return <div className={classes.box}>{children}</div>;
}
