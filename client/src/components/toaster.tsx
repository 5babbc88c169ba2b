import { IconX } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { dismissToast, readToasts, subscribeToasts, type Toast } from '#client/lib/toast.ts';
import { Mark, type Shape } from './marks.tsx';
import classes from './toaster.module.css';

const SHAPES: Record<Toast['signal'], Shape> = {
  green: 'triangle',
  red: 'cross',
  yellow: 'bar',
  cyan: 'circle',
};

/** Where toasts appear: a live region that exists from the start, so that they are announced. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToasts, readToasts);
  return (
    <section className={classes.stack} aria-label="Notifications" aria-live="polite">
      {toasts.map((toast) => (
        <ToastPlate key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastPlate({ toast }: { toast: Toast }) {
  const { id, message, signal, action, durationMs } = toast;
  useEffect(() => {
    const timer = setTimeout(() => dismissToast(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs]);
  return (
    <div className={classes.toast} data-signal={signal}>
      <span className={classes.mark}>
        <Mark shape={SHAPES[signal]} filled={signal === 'green'} size={18} />
      </span>
      <span className={classes.message}>{message}</span>
      {action !== undefined && (
        <button
          type="button"
          className={classes.action}
          onClick={() => {
            dismissToast(id);
            action.onClick();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={classes.close} aria-label="Dismiss" onClick={() => dismissToast(id)}>
        <IconX size={18} stroke={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}
