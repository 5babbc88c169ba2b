import { VisuallyHidden } from './visually-hidden.tsx';
import classes from './route-stepper.module.css';

interface RouteStepperProps {
  /** accessible name of the list */
  label: string;
  steps: readonly string[];
  /** index of the leg being flown; steps.length when all are behind */
  current: number;
}

function stateOf(index: number, current: number): 'flown' | 'current' | 'ahead' {
  return index < current ? 'flown' : index === current ? 'current' : 'ahead';
}

/** Waypoints on the magenta line: solid behind, dashed ahead. */
export function RouteStepper({ label, steps, current }: RouteStepperProps) {
  return (
    <ol className={classes.route} aria-label={label}>
      {steps.map((step, index) => {
        const state = stateOf(index, current);
        return (
          <li
            key={step}
            className={classes.waypoint}
            data-state={state}
            aria-current={state === 'current' ? 'step' : undefined}
          >
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
              <path d="m10 2 8 8-8 8-8-8z" />
            </svg>
            <span className={classes.label}>
              {step}
              {state === 'flown' && <VisuallyHidden> (done)</VisuallyHidden>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
