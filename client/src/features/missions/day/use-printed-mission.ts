import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Prints a single mission of the page; the browser's own print command prints all. */
export function usePrintedMission(): { printedId: string | null; print: (missionId: string) => void } {
  const [printedId, setPrintedId] = useState<string | null>(null);
  useEffect(() => {
    const forget = (): void => setPrintedId(null);
    window.addEventListener('afterprint', forget);
    return () => window.removeEventListener('afterprint', forget);
  }, []);
  return {
    printedId,
    print: (missionId) => {
      // The browser captures the page synchronously.
      flushSync(() => setPrintedId(missionId));
      window.print();
    },
  };
}
