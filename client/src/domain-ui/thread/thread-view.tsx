import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { VisuallyHidden } from '#client/components/visually-hidden.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { errorStatus } from '#client/lib/errors.ts';
import { toastFailure } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import type { Thread, ThreadActions } from '#client/lib/use-thread.ts';
import type { ThreadEntryDto } from '#shared/schemas/mission-thread.ts';
import type { Side } from '#shared/vocabulary.ts';
import { ThreadComment } from './thread-comment.tsx';
import { audienceName, readersSentence, threadCopy } from './thread-text.ts';
import { WriteBox } from './write-box.tsx';
import classes from './thread.module.css';

interface ThreadViewProps {
  thread: Loadable<Thread>;
  actions: ThreadActions;
  /** the reader is an admin, who removes what others write */
  isAdmin: boolean;
}

/** A mission's thread: comments and what changed, the newest last, and the box to write in. */
export function ThreadView({ thread, actions, isAdmin }: ThreadViewProps) {
  if (thread.data === undefined && errorStatus(thread.error) === 404) {
    return <p className={classes.none}>{threadCopy.notYours}</p>;
  }
  return (
    <Loaded query={thread} loading={threadCopy.loading} failure={threadCopy.failed} rows={3}>
      {(data) =>
        data.audiences.length === 0 && data.entries.length === 0 ? (
          <p className={classes.none}>{threadCopy.closed}</p>
        ) : (
          <OpenThread thread={data} actions={actions} isAdmin={isAdmin} />
        )
      }
    </Loaded>
  );
}

/** Characters of a comment that a screen reader hears with its author. */
const HEARD = 160;

/** `New comment by Goose: Ready`, for screen readers, once there is one that the reader has not written. */
function useNews(entries: readonly ThreadEntryDto[]): string {
  const newest = entries.at(-1);
  const [known, setKnown] = useState(newest?.id ?? '');
  const [news, setNews] = useState('');
  if (newest !== undefined && newest.id > known) {
    setKnown(newest.id);
    if (!newest.isOwn)
      setNews(
        newest.kind === 'change'
          ? `Changed: ${newest.text}`
          : `New comment by ${newest.author}: ${(newest.text ?? '').slice(0, HEARD)}`,
      );
  }
  return news;
}

function OpenThread({ thread, actions, isAdmin }: Omit<ThreadViewProps, 'thread'> & { thread: Thread }) {
  const { entries, hasEarlier, audiences } = thread;
  const list = useRef<HTMLDivElement>(null);
  const news = useNews(entries);
  const [chosen, setChosen] = useState<Side | null | undefined>(undefined);
  const [asked, setAsked] = useState<ThreadEntryDto | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [usual = null] = audiences;
  // what was chosen may no longer be possible
  const audience = chosen !== undefined && audiences.includes(chosen) ? chosen : usual;

  const remove = async ({ id, isOwn }: ThreadEntryDto): Promise<void> => {
    setBusy(true);
    const failure = await actions.remove(id);
    setBusy(false);
    setAsked(null);
    if (failure !== null) toastFailure(failure);
    else showToast(isOwn ? threadCopy.deleted : threadCopy.removed);
    // the clicked button is gone, and the dialog returns the focus to it when this renders
    requestAnimationFrame(() => list.current?.focus());
  };

  return (
    <div className={classes.thread}>
      {hasEarlier && (
        <Button
          variant="default"
          size="xs"
          className={classes.earlier}
          onClick={() => {
            list.current?.focus();
            actions.showEarlier();
          }}
        >
          Show earlier
        </Button>
      )}
      {/* announced below: the whole log would be read again with each page of earlier entries */}
      <div ref={list} role="log" aria-label="Thread" aria-live="off" tabIndex={-1}>
        {entries.length === 0 ? (
          <p className={classes.none}>{threadCopy.empty}</p>
        ) : (
          <ol className={classes.entries}>
            {entries.map((entry) => (
              <li key={entry.id}>
                {entry.kind === 'change' ? (
                  <p className={classes.change}>
                    <IconHistory size={18} aria-hidden="true" />
                    <span className={classes.what}>{entry.text}</span>
                    <span className={classes.when}>
                      <ZTime iso={entry.at} withDate copyable={false} />
                    </span>
                  </p>
                ) : (
                  <ThreadComment
                    comment={entry}
                    isAdmin={isAdmin}
                    onEdit={(text) => actions.edit(entry.id, text)}
                    onRemove={() => setAsked(entry)}
                  />
                )}
              </li>
            ))}
          </ol>
        )}
      </div>
      <VisuallyHidden>
        <output>{news}</output>
      </VisuallyHidden>
      {audiences.length > 0 && (
        <WriteBox label="Write a comment" initial="" submit="Send" onSubmit={(text) => actions.write(text, audience)}>
          {audiences.length > 1 && (
            <Segmented
              label="Who reads it"
              segments={audiences.map((one) => ({ value: String(one), label: audienceName(one) }))}
              value={String(audience)}
              onChange={(value) => setChosen(audiences.find((one) => String(one) === value) ?? null)}
            />
          )}
          <p className={classes.hint}>{readersSentence(audience, thread)}</p>
        </WriteBox>
      )}
      <ConfirmModal
        opened={asked !== null}
        title={asked?.isOwn ? 'Delete your comment?' : `Remove the comment by ${asked?.author}?`}
        confirmLabel={asked?.isOwn ? 'Delete' : 'Remove'}
        signal="red"
        busy={isBusy}
        onConfirm={() => asked && void remove(asked)}
        onClose={() => setAsked(null)}
      >
        {asked?.isOwn
          ? 'It disappears for everybody.'
          : 'Its text is deleted for good. The thread says that an admin has removed it, and the audit log says who.'}
      </ConfirmModal>
    </div>
  );
}
