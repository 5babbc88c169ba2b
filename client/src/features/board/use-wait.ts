import { useEffect, useState } from 'react';

/** The board waits no longer than this for what stands above its panels. */
const PATIENCE_MS = 500;

/** True until the query has an answer, but not for long. */
export function useWait({ isPending }: { isPending: boolean }): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}
