import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import type { Failure } from '#client/lib/failure.ts';
import { THREAD } from '#shared/limits.ts';
import { commentEmpty, commentTooLong } from '#shared/fixed-text.ts';
import { threadCopy } from './thread-text.ts';
import classes from './thread.module.css';

interface WriteBoxProps {
  label: string;
  /** the text to edit; '' for a new comment */
  initial: string;
  submit: string;
  /** resolves to why it failed, or null: the box is empty then */
  onSubmit: (text: string) => Promise<Failure | null>;
  /** for an edit: Cancel and Esc */
  onCancel?: () => void;
  /** who reads it, above the buttons */
  children?: ReactNode;
}

/** Text box for a comment in Markdown, sent by its button or Ctrl+Enter. A text that could not be sent stays in it. */
export function WriteBox({ label, initial, submit, onSubmit, onCancel, children }: WriteBoxProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  const [isSending, setSending] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const isEdit = onCancel !== undefined;
  useEffect(() => {
    if (isEdit) field.current?.focus();
  }, [isEdit]);

  const send = async (): Promise<void> => {
    if (isSending) return;
    const words = text.trim();
    const problem =
      words === '' ? commentEmpty : Array.from(words).length > THREAD.commentLength ? commentTooLong : null;
    setWrong(problem);
    setFailure(null);
    if (problem !== null) {
      field.current?.focus();
      return;
    }
    setSending(true);
    const failed = await onSubmit(words);
    setSending(false);
    setFailure(failed);
    if (failed === null) {
      setText('');
      field.current?.focus();
    }
  };

  return (
    <form
      noValidate
      className={classes.box}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <FormError message={failure} />
      <Textarea
        ref={field}
        label={label}
        rows={3}
        resize="vertical"
        dir="auto"
        value={text}
        error={wrong}
        readOnly={isSending}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setWrong(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            void send();
          }
          if (event.key === 'Escape' && isEdit) {
            event.stopPropagation();
            onCancel();
          }
        }}
      />
      {children}
      <div className={classes.send}>
        {isEdit && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant="default" aria-keyshortcuts="Control+Enter" disabled={isSending}>
          {isSending ? 'Sending...' : submit}
        </Button>
        <span className={classes.hint}>
          {failure === null ? `Ctrl+Enter. ${threadCopy.markdown}` : threadCopy.notSent}
        </span>
      </div>
    </form>
  );
}
