import classes from './why-pilot.module.css';

/** Why the seating chose this pilot, as the order says it to them; closed at first. */
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
