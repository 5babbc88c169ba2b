import { VisuallyHidden } from './visually-hidden.tsx';
import classes from './route-stepper.module.css';

interface RouteStepperProps {
  /** accessible name of the list */
  label: string;
  steps: readonly string[];
  /** index of the current step; steps.length when all are done */
  current: number;
}

function stateOf(index: number, current: number): 'flown' | 'current' | 'ahead' {
  return index < current ? 'flown' : index === current ? 'current' : 'ahead';
}

/** Progress steps drawn as waypoints on a route: solid line for done steps, dashed for the rest. */
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
