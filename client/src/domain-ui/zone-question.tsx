import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { clockTime, detectedTimeZone, isUtcDoubtful, zuluOfWallTime } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';

/**
 * Asks once, before a form with a time zone is saved, whether UTC is meant in a browser that reports another zone.
 * @returns `ask`, which calls `then` with the zone to save, at once or after the answer; and the dialog to render
 */
export function useZoneQuestion() {
  const now = useNow();
  const wasAsked = useRef(false);
  const [go, setGo] = useState<((timeZone: string) => void) | null>(null);
  const detected = detectedTimeZone();

  /** @param isPicked false for a zone that was saved before and stays as it is */
  const ask = (timeZone: string, isPicked: boolean, then: (timeZone: string) => void): void => {
    if (wasAsked.current || !isPicked || !isUtcDoubtful(timeZone)) then(timeZone);
    else setGo(() => then);
  };
  const answer = (timeZone: string): void => {
    wasAsked.current = true;
    setGo(null);
    go?.(timeZone);
  };

  const dialog = (
    <Dialog opened={go !== null} title="Keep UTC?" onClose={() => setGo(null)}>
      <p>
        Your browser is in {detected}, where it is {clockTime(now, detected)} now. With UTC, the hours you enter are UTC
        hours; with {detected}, 18:00 is {zuluOfWallTime('18:00', detected, now)}.
      </p>
      <DialogButtons>
        <Button variant="default" onClick={() => answer('UTC')}>
          Keep UTC
        </Button>
        <Button onClick={() => answer(detected)}>Use {detected}</Button>
      </DialogButtons>
    </Dialog>
  );
  return { ask, dialog };
}
