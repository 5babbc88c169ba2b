/** When what is kept on this device is sent: with each new answer or week, when the server is back, and again after a failure. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Kept } from './kept.ts';
import { refreshTopic } from './live-topics.ts';

/** Back-off between attempts while nothing says that the network is gone, ms. */
const RETRY = { firstMs: 5_000, longestMs: 60_000 } as const;

/** Reads orders and weeks again when something has been sent, here or in another tab. */
function useRefreshAfter(waiting: string, isReachable: boolean): void {
  const client = useQueryClient();
  const before = useRef(waiting);
  useEffect(() => {
    const isLess = before.current.split(' ').some((key) => !waiting.includes(key));
    before.current = waiting;
    // without a network it was taken back
    if (!isLess || !isReachable) return;
    refreshTopic(client, 'orders');
    refreshTopic(client, 'availability');
  }, [client, waiting, isReachable]);
}

/** Sends what is kept for an account. @param isReachable whether the server is, as far as this page knows */
export function useSendKept(userId: string, all: readonly Kept[], isReachable: boolean): void {
  const client = useQueryClient();
  const waiting = all.flatMap(({ key, refused }) => (refused === undefined ? key : [])).join(' ');
  const [tries, setTries] = useState(0);
  useRefreshAfter(waiting, isReachable);
  useEffect(() => {
    if (waiting === '' || !isReachable) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = async (): Promise<void> => {
      const isSent = await import('./send-kept.ts').then(
        ({ sendKept }) => sendKept(client, userId),
        () => false,
      );
      if (isSent || isOver) return;
      timer = setTimeout(() => setTries(tries + 1), Math.min(RETRY.longestMs, RETRY.firstMs * 2 ** tries));
    };
    void send();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, userId, waiting, isReachable, tries]);
}
