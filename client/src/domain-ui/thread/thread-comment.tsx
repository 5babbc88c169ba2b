import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { IconButton } from '#client/components/icon-button.tsx';
import { Avatar } from '#client/domain-ui/avatar.tsx';
import { Notes } from '#client/domain-ui/briefing/notes.tsx';
import { SideFlag } from '#client/domain-ui/side-flag.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { Failure } from '#client/lib/failure.ts';
import type { ThreadEntryDto } from '#shared/schemas/mission-thread.ts';
import { threadCopy } from './thread-text.ts';
import { WriteBox } from './write-box.tsx';
import classes from './thread.module.css';

interface ThreadCommentProps {
  comment: ThreadEntryDto;
  /** the reader is an admin, who removes what others write */
  isAdmin: boolean;
  onEdit: (text: string) => Promise<Failure | null>;
  /** asks first */
  onRemove: () => void;
}

/** A comment of a thread: who wrote it, when, for whom, and its text, which its author edits in place. */
export function ThreadComment({ comment, isAdmin, onEdit, onRemove }: ThreadCommentProps) {
  const { text, author, side, at, editedAt, isOwn } = comment;
  const place = useRef<HTMLElement>(null);
  const [isEditing, setEditing] = useState(false);
  const close = (): void => {
    setEditing(false);
    // the field that had the focus is gone
    place.current?.focus();
  };
  return (
    <article ref={place} tabIndex={-1} className={classes.comment} aria-label={`Comment by ${author}`}>
      <div className={classes.head}>
        {author !== null && <Avatar name={author} />}
        <strong className={classes.author} dir="auto">
          {author}
        </strong>
        {side !== null && <SideFlag side={side} />}
        <span className={classes.when}>
          <ZTime iso={at} withDate copyable={false} />
          {editedAt !== null && text !== null && ', edited'}
        </span>
        {text !== null && !isEditing && (
          <span className={classes.actions}>
            {isOwn && (
              <IconButton inline label="Edit your comment" onClick={() => setEditing(true)}>
                <IconPencil size={18} aria-hidden="true" />
              </IconButton>
            )}
            {(isOwn || isAdmin) && (
              <IconButton
                inline
                label={isOwn ? 'Delete your comment' : `Remove the comment by ${author}`}
                onClick={onRemove}
              >
                <IconTrash size={18} aria-hidden="true" />
              </IconButton>
            )}
          </span>
        )}
      </div>
      {text === null ? (
        <p className={classes.gone}>{threadCopy.removed}</p>
      ) : isEditing ? (
        <WriteBox
          label="Your comment"
          initial={text}
          submit="Save"
          onCancel={close}
          onSubmit={async (next) => {
            const failure = await onEdit(next);
            if (failure === null) close();
            return failure;
          }}
        />
      ) : (
        <div className={classes.text} dir="auto">
          <Notes texts={[text]} />
        </div>
      )}
    </article>
  );
}
