import type { ReactNode } from 'react';
import classes from './fact.module.css';

interface FactProps {
  label: ReactNode;
  children: ReactNode;
  /** monospaced, for times, callsigns, frequencies and ids */
  mono?: boolean;
}

/** Description list of `Fact`s, such as `FLIGHT VIPER 1`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** A label with its value, inside `Facts`. */
export function Fact({ label, children, mono = false }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd data-mono={mono || undefined}>{children}</dd>
    </div>
  );
}
