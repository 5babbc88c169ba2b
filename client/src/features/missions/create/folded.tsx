import type { ReactNode } from 'react';
import classes from './folded.module.css';

/** Longer lists are collapsed: a mission file can fill in a hundred slots. */
export const LONG_LIST = 12;

interface FoldedProps {
  summary: string;
  children: ReactNode;
}

/** Content that is shown on request. */
export function Folded({ summary, children }: FoldedProps) {
  return (
    <details>
      <summary className={classes.summary}>{summary}</summary>
      {children}
    </details>
  );
}

/** A list that is collapsed when it is long. */
export function LongList({ length, ...folded }: FoldedProps & { length: number }) {
  return length <= LONG_LIST ? folded.children : <Folded {...folded} />;
}
