import { IconCircleCheck } from '@tabler/icons-react';
import { CloseButton } from '#client/components/icon-button.tsx';
import classes from './done-box.module.css';

/** Success message that stays until it is closed and does not take the focus. */
export function DoneBox({ children, onClose }: { children: string; onClose: () => void }) {
  return (
    <div className={classes.box}>
      <IconCircleCheck size={20} aria-hidden="true" />
      <span role="alert" className={classes.sentence}>
        {children}
      </span>
      <CloseButton label="Close this message" onClick={onClose} />
    </div>
  );
}
