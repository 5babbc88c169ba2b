import '@mantine/notifications/styles.css';
import { Notifications, type NotificationData } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { dismissToast, type ToastSignal } from '#client/lib/toast.ts';
import { Mark, type Shape } from '#client/components/marks.tsx';
import classes from './toast-stack.module.css';

const SHAPES: Record<ToastSignal, Shape> = {
  green: 'triangle',
  red: 'cross',
  yellow: 'bar',
  cyan: 'circle',
};

/** Mantine's notifications in Marshal's look. */
export function ToastStack() {
  return (
    <Notifications
      withinPortal={false}
      containerWidth={384}
      zIndex={300}
      transitionDuration={200}
      classNames={{ root: classes.stack, notification: classes.toast }}
      renderNotification={(toast) => <ToastPlate toast={toast} />}
    />
  );
}

function ToastPlate({ toast }: { toast: NotificationData }) {
  const signal: ToastSignal = toast['data-signal'];
  return (
    <>
      <span className={classes.mark}>
        <Mark shape={SHAPES[signal]} filled={signal === 'green'} size={18} />
      </span>
      <span className={classes.message}>{toast.title}</span>
      {toast.message}
      <button type="button" className={classes.close} aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
        <IconX size={18} aria-hidden="true" />
      </button>
    </>
  );
}
