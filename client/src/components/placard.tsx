import type { ReactNode } from 'react';
import classes from './placard.module.css';

/** Label in placard lettering before a name: `PACKAGE ALPHA`. */
export function Placard({ children }: { children: ReactNode }) {
  return <span className={classes.placard}>{children}</span>;
}
