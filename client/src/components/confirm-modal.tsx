import { Button } from '@mantine/core';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import type { Signal } from '#client/theme/tokens.ts';
import classes from './confirm-modal.module.css';

interface DialogProps {
  opened: boolean;
  /** the plate of the dialog and its accessible name */
  title: string;
  /** Esc, the backdrop, Cancel */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog on the browser's own: focus is held inside, Esc closes, focus returns to the opener. */
function Dialog({ opened, ...rest }: DialogProps) {
  return opened && <OpenDialog {...rest} />;
}

function OpenDialog({ title, onClose, children }: Omit<DialogProps, 'opened'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the element leaves the page: only a dialog that is closed in it gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the backdrop; Esc is the key
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) {
          onClose();
        }
      }}
    >
      <div className={classes.inside}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

interface ConfirmModalProps {
  opened: boolean;
  /** the question, e.g. `Remove admin role from user?` */
  title: string;
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** red for what cannot be undone */
  signal?: Signal;
  /** the confirmed work is under way */
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** A question with two answers; Cancel comes first in focus order. */
export function ConfirmModal({
  opened,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  signal = 'course',
  busy = false,
  onConfirm,
  onClose,
}: ConfirmModalProps) {
  return (
    <Dialog opened={opened} title={title} onClose={onClose}>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button color={signal} loading={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
