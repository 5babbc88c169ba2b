/** The shape of the catalogue: every component file with its states. */
import type { ReactNode } from 'react';

/** File below `client/src` without its ending, then the states it can be seen in, by their names. */
export type Specimens = Record<string, Record<string, ReactNode>>;

export const LONG =
  'A text of a length that nobody planned for: Donaudampfschifffahrtsgesellschaft, four aircraft, three packages and a pilot whose call sign takes two lines';

export const noop = (): void => undefined;
