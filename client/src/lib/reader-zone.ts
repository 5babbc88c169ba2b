import { createContext, useContext } from 'react';
import { useViewer } from './session.ts';

/** Time zone of `L` times for a reader without a profile, as in the demo; null uses the profile's. */
export const ReaderZone = createContext<string | null>(null);

/** The reader's time zone: from the context above, the profile, or UTC when signed out. */
export function useReaderZone(): string {
  const viewer = useViewer();
  return useContext(ReaderZone) ?? viewer?.timeZone ?? 'UTC';
}
