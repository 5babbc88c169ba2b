import classes from './pilot-face.module.css';

/** The first letters of a call sign's first two words, or its first two letters. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? words.map((word) => [...word][0] ?? '') : [...(words[0] ?? '')];
  return letters.slice(0, 2).join('').toUpperCase();
}

/** A pilot's initials in a circle. Hidden from screen readers, which read the call sign beside it. */
export function PilotFace({ name }: { name: string }) {
  return (
    <span className={classes.face} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
