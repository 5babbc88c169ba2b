import { createContext, useContext } from 'react';
import { useViewer } from './session.ts';

/** The zone of `L` times where the reader is no signed-in pilot, as in the demo; null leaves it to the profile. */
export const ReaderZone = createContext<string | null>(null);

/** The zone in which this reader thinks: the profile's, UTC when signed out. */
export function useReaderZone(): string {
  const viewer = useViewer();
  return useContext(ReaderZone) ?? viewer?.timeZone ?? 'UTC';
}
