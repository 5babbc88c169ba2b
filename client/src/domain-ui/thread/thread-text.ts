/** Sentences of a mission's thread. */
import { sideName } from '#shared/labels.ts';
import type { Thread } from '#client/lib/use-thread.ts';
import type { Side } from '#shared/vocabulary.ts';

export const threadCopy = {
  loading: 'Loading the thread...',
  failed: 'Failed to load the thread',
  empty: 'No comments yet.',
  closed: 'The sides are secret from one another. Once you have a seat, you read and write what your side does.',
  notYours: 'Only the pilots of this mission see its thread now.',
  everybody: 'Everybody who sees the crews of this mission reads it.',
  notSent: 'Not sent. Your text is still in the box.',
  removed: 'Removed by an admin',
  deleted: 'Comment deleted',
  markdown: '**bold**, *italic*, - list, [title](https://…)',
} as const;

export const audienceName = (audience: Side | null): string => (audience === null ? 'Both sides' : sideName(audience));

/** Readers of comments that are written now. */
export function readersSentence(audience: Side | null, { isSecret }: Pick<Thread, 'isSecret'>): string {
  if (!isSecret) return threadCopy.everybody;
  return audience === null
    ? 'Pilots with a seat on either side read it.'
    : `Only ${sideName(audience)} and admins read it.`;
}
