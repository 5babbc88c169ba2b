import classes from './placard.module.css';

/** Label in placard lettering before a name: `PACKAGE ALPHA`. */
export function Placard({ children }: { children: string }) {
  return <span className={classes.placard}>{children}</span>;
}
