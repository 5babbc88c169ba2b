/** A mission's thread, which live updates refresh, and the calls that change it. */
import { useMemo, useRef, useState } from 'react';
import type { MissionThreadDto } from '#shared/schemas/mission-thread.ts';
import { POLL_MS, THREAD } from '#shared/limits.ts';
import type { Side } from '#shared/vocabulary.ts';
import { failureOf, type Failure } from './failure.ts';
import { keyed, newKey, onceClient } from './idempotent-client.ts';
import { polled } from './polling.ts';
import { trpc } from './trpc.ts';

/** Entries that a page shows at first, and how many times as many with each "Show earlier". */
const SHOWN = 20;
const GROWTH = 5;

export interface Thread extends Pick<MissionThreadDto, 'entries' | 'audiences' | 'isSecret'> {
  hasEarlier: boolean;
}

/** Actions of a reader; calls resolve to why they failed, or null. */
export interface ThreadActions {
  write: (text: string, side: Side | null) => Promise<Failure | null>;
  edit: (commentId: string, text: string) => Promise<Failure | null>;
  remove: (commentId: string) => Promise<Failure | null>;
  showEarlier: () => void;
}

/** A new key, except for the comment that was tried last: an answer that got lost does not write it twice. */
function useKeyOf(): (comment: string) => string {
  const last = useRef({ comment: '', key: '' });
  return (comment) => {
    if (last.current.comment !== comment) last.current = { comment, key: newKey() };
    return last.current.key;
  };
}

export function useThread(missionId: string) {
  const utils = trpc.useUtils();
  // one query that grows, so that a live update refreshes all that is shown
  const [pageSize, setPageSize] = useState(SHOWN);
  const query = trpc.pilot.thread.list.useQuery(
    { id: missionId, pageSize },
    { placeholderData: (shown) => shown, ...polled(POLL_MS.inbox) },
  );
  const keyOf = useKeyOf();
  const { mutateAsync: edit } = trpc.pilot.thread.edit.useMutation();
  const { mutateAsync: remove } = trpc.pilot.thread.remove.useMutation();
  const changed = async (call: Promise<unknown>, fallback: string): Promise<Failure | null> => {
    try {
      await call;
      return null;
    } catch (cause) {
      return failureOf(cause, fallback);
    } finally {
      // also after a refusal: what it was about may be gone
      await utils.pilot.thread.list.invalidate({ id: missionId });
    }
  };
  const actions: ThreadActions = {
    write: async (text, side) => {
      const key = keyOf(JSON.stringify([text, side]));
      const call = onceClient.pilot.thread.add.mutate({ id: missionId, text, side }, keyed(key));
      const failure = await changed(call, 'Failed to send your comment');
      // the same words again are another comment
      if (failure === null) keyOf('');
      return failure;
    },
    edit: (commentId, text) => changed(edit({ id: missionId, commentId, text }), 'Failed to save your comment'),
    remove: (commentId) => changed(remove({ id: missionId, commentId }), 'Failed to remove the comment'),
    showEarlier: () => setPageSize(Math.min(pageSize * GROWTH, THREAD.pageMax)),
  };
  const canGrow = pageSize < THREAD.pageMax;
  const { data } = query;
  // the same object until something changes, since `Loaded` defers it
  const thread = useMemo(
    (): Thread | undefined => data && { ...data, hasEarlier: canGrow && data.earlier !== null },
    [data, canGrow],
  );
  return { thread: { data: thread, error: query.error, refetch: query.refetch }, actions };
}
