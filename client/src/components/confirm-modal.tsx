import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Signal } from '#client/theme/tokens.ts';
import { Dialog, DialogButtons } from './dialog.tsx';
import classes from './confirm-modal.module.css';

interface ConfirmModalProps {
  opened: boolean;
  /** the question, e.g. `Remove admin role from user?` */
  title: string;
  children?: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  /** red for actions that cannot be undone */
  signal?: Signal;
  /** true when the confirmed action is running */
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirmation dialog; Cancel comes first in the focus order. */
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
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button color={signal} loading={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
