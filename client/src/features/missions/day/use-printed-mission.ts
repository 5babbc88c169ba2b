import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Prints one mission of the page alone; the browser's own command prints them all. */
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
      // The browser takes its picture of the page at once.
      flushSync(() => setPrintedId(missionId));
      window.print();
    },
  };
}
