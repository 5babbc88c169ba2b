import { useRef, useState } from 'react';
import { isUtcDoubtful } from '#client/lib/time.ts';

/**
 * Asks once, before a form with a time zone is saved, whether UTC is meant in a browser that reports another zone.
 * @returns `ask`, which calls `then` with the zone to save, at once or after the answer; and the props of `ZoneQuestion`
 */
export function useZoneQuestion() {
  const wasAsked = useRef(false);
  const [go, setGo] = useState<((timeZone: string) => void) | null>(null);

  /** @param isPicked false for a zone that was saved before and stays as it is */
  const ask = (timeZone: string, isPicked: boolean, then: (timeZone: string) => void): void => {
    if (wasAsked.current || !isPicked || !isUtcDoubtful(timeZone)) then(timeZone);
    else setGo(() => then);
  };
  const onAnswer = (timeZone: string): void => {
    wasAsked.current = true;
    setGo(null);
    go?.(timeZone);
  };
  return { ask, dialog: { opened: go !== null, onAnswer, onClose: () => setGo(null) } };
}
