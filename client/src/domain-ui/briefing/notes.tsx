/** Notes in Markdown. The parser is a chunk of its own; until it has loaded, the text stands as it was typed. */
import { Suspense } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import classes from './notes.module.css';

const MarkdownText = lazyPart(
  () => import('./markdown-text.tsx'),
  (part) => part.MarkdownText,
);

/** @param texts one per author's field, each read separately */
export function Notes({ texts }: { texts: readonly string[] }) {
  return (
    <Suspense fallback={<div className={`${classes.notes} ${classes.typed}`}>{texts.join('\n')}</div>}>
      <MarkdownText texts={texts} />
    </Suspense>
  );
}
