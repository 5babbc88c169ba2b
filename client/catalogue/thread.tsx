/** Catalogue entries for a mission's thread. */
import { ThreadComment } from '#client/domain-ui/thread/thread-comment.tsx';
import { ThreadView } from '#client/domain-ui/thread/thread-view.tsx';
import { WriteBox } from '#client/domain-ui/thread/write-box.tsx';
import type { Thread } from '#client/lib/use-thread.ts';
import type { ThreadEntryDto } from '#shared/schemas/mission-thread.ts';
import { SIDES } from '#shared/vocabulary.ts';
import { LONG, noop, type Specimens } from './specimens.tsx';

const done = () => Promise.resolve(null);
const COMMENT: ThreadEntryDto = {
  id: 'b',
  kind: 'comment',
  at: '2026-11-20T19:05:00.000Z',
  side: null,
  author: 'Goose',
  isOwn: true,
  text: `Tanker track moved **north**.\n\n- Texaco 1, 251.000 AM\n- ${LONG}`,
  editedAt: '2026-11-20T19:09:00.000Z',
};
const CHANGE: ThreadEntryDto = {
  ...COMMENT,
  id: 'a',
  kind: 'change',
  author: null,
  isOwn: false,
  text: 'Start: Nov 21 1900Z to Nov 21 2000Z',
  editedAt: null,
};
const NO_ACTIONS = { write: done, edit: done, remove: done, showEarlier: noop };
const threadOf = (thread: Thread) => (
  <ThreadView thread={{ data: thread, error: null, refetch: done }} actions={NO_ACTIONS} isAdmin />
);
const THREADS = {
  'with entries': threadOf({
    entries: [CHANGE, COMMENT, { ...COMMENT, id: 'c', text: null, isOwn: false, author: 'Maverick' }],
    hasEarlier: true,
    audiences: [null],
    isSecret: false,
  }),
  'to both sides or one': threadOf({ entries: [], hasEarlier: false, audiences: [null, 0, 1], isSecret: true }),
  'of secret sides, without a seat': threadOf({ entries: [], hasEarlier: false, audiences: [], isSecret: true }),
};

export const THREAD: Specimens = {
  'domain-ui/thread/thread-panel': { 'on the pages of a mission': <p>A panel with the thread below.</p> },
  'domain-ui/thread/mission-thread': { 'with the calls of a mission': <p>The thread below, of one mission.</p> },
  'domain-ui/thread/thread-view': THREADS,
  'domain-ui/thread/thread-comment': {
    'own, edited': <ThreadComment comment={COMMENT} isAdmin={false} onEdit={done} onRemove={noop} />,
    'of one side, to an admin': (
      <ThreadComment
        comment={{ ...COMMENT, author: LONG, side: SIDES.red, isOwn: false, text: 'הגענו **now**', editedAt: null }}
        isAdmin
        onEdit={done}
        onRemove={noop}
      />
    ),
    removed: <ThreadComment comment={{ ...COMMENT, text: null }} isAdmin onEdit={done} onRemove={noop} />,
  },
  'domain-ui/thread/write-box': {
    'fails when it is sent': (
      <WriteBox
        label="Write a comment"
        initial={LONG}
        submit="Send"
        onSubmit={() => Promise.resolve({ sentence: LONG, way: null })}
      />
    ),
    edit: <WriteBox label="Your comment" initial="" submit="Save" onSubmit={done} onCancel={noop} />,
  },
};
