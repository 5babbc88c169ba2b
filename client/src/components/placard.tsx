import classes from './placard.module.css';

/** A word of placard lettering before what it names: `PACKAGE ALPHA`. */
export function Placard({ children }: { children: string }) {
  return <span className={classes.placard}>{children}</span>;
}
