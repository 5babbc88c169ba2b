import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';

/** Prints a single mission of the page, once its orders have loaded; the browser's own print command prints all. */
export function usePrintedMission(): { printedId: string | null; print: (missionId: string) => void } {
  const utils = trpc.useUtils();
  const [printedId, setPrintedId] = useState<string | null>(null);
  useEffect(() => {
    const forget = (): void => setPrintedId(null);
    window.addEventListener('afterprint', forget);
    return () => window.removeEventListener('afterprint', forget);
  }, []);
  const print = async (missionId: string): Promise<void> => {
    try {
      await utils.admin.mission.orders.ensureData({ id: missionId });
    } catch (cause) {
      showFailure(cause, copy.unknownError);
      return;
    }
    // The browser captures the page synchronously.
    flushSync(() => setPrintedId(missionId));
    window.print();
  };
  return { printedId, print: (missionId) => void print(missionId) };
}
