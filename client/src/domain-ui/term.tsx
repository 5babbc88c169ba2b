import { Suspense, useId, useState, type ReactNode } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { GLOSSARY, type GlossaryWord } from '#shared/copy.ts';
import classes from './term.module.css';

/** Loads with the first definition: most visits open none. */
const Definition = lazyPart(
  () => import('./term-definition.tsx'),
  (part) => part.Definition,
);

interface TermProps {
  word: GlossaryWord;
  /** the word as it stands in its place; by default as in the glossary */
  children?: ReactNode;
}

/** A word with a dotted underline that explains itself on hover, focus and tap; Esc closes the explanation. */
export function Term({ word, children }: TermProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [name, meaning] = GLOSSARY[word];
  return (
    <button
      type="button"
      className={classes.term}
      aria-expanded={isOpen}
      aria-describedby={isOpen ? id : undefined}
      onClick={() => setOpen(true)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onPointerEnter={({ pointerType }) => setOpen(pointerType === 'mouse')}
      onPointerLeave={({ pointerType }) => setOpen((was) => was && pointerType !== 'mouse')}
      onKeyDown={(event) => {
        if (isOpen && event.key === 'Escape') {
          event.stopPropagation();
          setOpen(false);
        }
      }}
    >
      {children ?? name}
      {isOpen && (
        <Suspense>
          <Definition id={id} name={name} meaning={meaning} />
        </Suspense>
      )}
    </button>
  );
}
