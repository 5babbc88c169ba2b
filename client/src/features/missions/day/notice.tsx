import { IconCircleCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { CloseButton } from '#client/components/icon-button.tsx';
import classes from './notice.module.css';

/** Result message of an action on a mission. Takes the focus, whose old target is gone, and stays until it is closed. */
export function Notice({ children, onClose }: { children: string; onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className={classes.notice}>
      <IconCircleCheck size={20} aria-hidden="true" />
      <span className={classes.text}>{children}</span>
      <CloseButton label="Close this message" onClick={onClose} />
    </div>
  );
}
