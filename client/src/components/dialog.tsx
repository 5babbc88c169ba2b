import { Button } from '@mantine/core';
import { useId, useLayoutEffect, useRef, type ReactNode, type SubmitEventHandler } from 'react';
import type { Told } from '#client/lib/failure.ts';
import { FormError } from './form-error.tsx';
import classes from './dialog.module.css';

interface DialogProps {
  opened: boolean;
  /** heading and accessible name of the dialog */
  title: string;
  /** Esc, the backdrop, Cancel */
  onClose: () => void;
  children: ReactNode;
}

/** Modal dialog on the native `<dialog>`: it traps the focus, Esc closes it, and the focus returns to the opener. */
export function Dialog({ opened, ...rest }: DialogProps) {
  return opened && <OpenDialog {...rest} />;
}

function OpenDialog({ title, onClose, children }: Omit<DialogProps, 'opened'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** target of pointerdown: dragging a text selection out of a field ends in a click on the backdrop */
  const pressed = useRef<EventTarget>(null);
  const id = useId();
  // A layout effect closes the dialog before it leaves the page: only then does it return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The focus went to a button at the end of a long text, which is read from its beginning.
    const heading = element?.querySelector('h2');
    if (element && heading && element.scrollTop > 0) {
      heading.tabIndex = -1;
      heading.focus();
      element.scrollTop = 0;
    }
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

/** Button row of a dialog: Cancel first, then the action. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}

interface DialogFormProps {
  /** a sentence above the fields; null for none */
  error: Told;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onClose: () => void;
  /** label of the button that submits */
  submit: string;
  /** `red` for a deletion */
  color?: 'red';
  isBusy: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** Form in a dialog: an error above its fields, and a row with Cancel and the button that submits. */
export function DialogForm({ error, onSubmit, onClose, submit, color, isBusy, disabled, children }: DialogFormProps) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <FormError message={error} />
      {children}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color={color} loading={isBusy} disabled={disabled}>
          {submit}
        </Button>
      </DialogButtons>
    </form>
  );
}
