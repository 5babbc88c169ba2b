import classes from './why-pilot.module.css';

/** Collapsed seating reasons, as the pilot reads them on the order. */
export function WhyPilot({ name, reasons }: { name: string; reasons: readonly string[] }) {
  return (
    reasons.length > 0 && (
      <details className={classes.why}>
        <summary aria-label={`Why ${name}`}>Why</summary>
        <q>{reasons.join(' ')}</q>
      </details>
    )
  );
}
