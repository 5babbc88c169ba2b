import type { ReactNode } from 'react';
import classes from './fact.module.css';

interface FactProps {
  label: string;
  children: ReactNode;
  /** times, callsigns, frequencies and ids are set in the cockpit face */
  mono?: boolean;
}

/** A row of facts: `FLIGHT VIPER 1`. Children are `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

/** One label with its value; stands in `Facts`. */
export function Fact({ label, children, mono = false }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd data-mono={mono || undefined}>{children}</dd>
    </div>
  );
}
