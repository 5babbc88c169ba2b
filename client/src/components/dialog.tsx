import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  /** the plate of the dialog and its accessible name */
  title: string;
  /** Esc, the backdrop, Cancel */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog on the browser's own: focus is held inside, Esc closes, focus returns to the opener. */
export function Dialog({ opened, ...rest }: DialogProps) {
  return opened && <OpenDialog {...rest} />;
}

function OpenDialog({ title, onClose, children }: Omit<DialogProps, 'opened'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** where the pointer went down: text that is marked from a field out over the edge ends in a click on the backdrop */
  const pressed = useRef<EventTarget>(null);
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
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={(event) => {
        if (event.target === dialog.current && pressed.current === dialog.current) {
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

/** What a dialog ends with: the way out, then the step on. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
