import type { FlightDto } from '#shared/schemas/missions.ts';
import classes from './seat-meter.module.css';

/** `Pilots 1/4 · 2 asked`, and the seats of a flight as marks: filled, half filled, empty. */
export function SeatMeter({ flight }: { flight: FlightDto }) {
  const { assignments, sizeCap, pendingCount } = flight;
  const seats = Array.from({ length: sizeCap }, (_seat, index) => ({
    number: index + 1,
    state: index < assignments.length ? 'accepted' : index < assignments.length + pendingCount ? 'asked' : 'open',
  }));
  return (
    <span className={classes.meter}>
      <span className={classes.marks} aria-hidden="true">
        {seats.map(({ number, state }) => (
          <span key={number} data-state={state} />
        ))}
      </span>
      <span>
        Pilots{' '}
        <span className={classes.count}>
          {assignments.length}/{sizeCap}
        </span>
        {pendingCount > 0 && ` · ${pendingCount} asked`}
      </span>
    </span>
  );
}
