import { useState } from 'react';
import { Annunciator, type Lamp } from '#client/components/annunciator.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { Term } from '#client/domain-ui/term.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useNow } from '#client/lib/use-now.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { homeCopy } from './home-text.ts';
import classes from './status-panel.module.css';

const LAMPS: readonly Lamp<StatusState>[] = [
  { value: 'available', label: 'Idle', signal: 'gray', shape: 'circle' },
  { value: 'dnd', label: 'Do Not Disturb', signal: 'red', shape: 'square' },
  { value: 'now', label: 'Find Flight', signal: 'green', shape: 'triangle' },
];

const MINUTES = [30, 60, 120].map((minutes) => ({ value: minutes, label: `${minutes} min` }));

const STEPS = [-STATUS_MINUTES.step, STATUS_MINUTES.step];

/** Update interval of the countdown, ms. */
const COUNTDOWN_STEP_MS = 15_000;

interface StatusPanelProps {
  status: Loadable<StatusDto>;
  /** minutes are null except for `now` */
  onChange: (state: StatusState, minutes: number | null) => void;
}

/** Panel of the pilot's live status (the stoplight). */
export function StatusPanel({ status, onChange }: StatusPanelProps) {
  return (
    <Panel
      title="Your Status"
      className={classes.panel}
      actions={
        <span className={classes.words}>
          <Term word="dnd" /> <Term word="findFlight" />
        </span>
      }
    >
      <Loaded query={status} loading={homeCopy.loadingStatus} failure={homeCopy.statusFailed} alwaysFailure rows={3}>
        {(current) => <Stoplight status={current} onChange={onChange} />}
      </Loaded>
    </Panel>
  );
}

function Stoplight({ status, onChange }: { status: StatusDto; onChange: StatusPanelProps['onChange'] }) {
  const now = useNow(COUNTDOWN_STEP_MS);
  const [chosen, setChosen] = useState<number>(STATUS_MINUTES.initial);
  const msLeft = status.expiresAt === null ? null : Date.parse(status.expiresAt) - now.getTime();
  const effective = msLeft !== null && msLeft <= 0 ? 'available' : status.effectiveState;
  const isFinding = effective === 'now';
  // The clock may be a step behind the server's answer, which would show one minute too many.
  const minutesLeft = msLeft === null ? chosen : Math.min(Math.ceil(msLeft / 60_000), status.minutes ?? Infinity);
  const current = isFinding ? minutesLeft : chosen;

  const setMinutes = (minutes: number): void => (isFinding ? onChange('now', minutes) : setChosen(minutes));

  return (
    <>
      <Annunciator
        label="Your Status"
        lamps={LAMPS}
        value={effective}
        onChange={(state) => onChange(state, state === 'now' ? chosen : null)}
      />
      <div className={classes.minutes} data-lit={isFinding || undefined}>
        <Segmented
          label="Find Flight for"
          segments={MINUTES}
          value={isFinding && status.minutes !== null ? status.minutes : chosen}
          onChange={setMinutes}
        />
      </div>
      <div className={classes.adjust} data-lit={isFinding || undefined}>
        <p className={classes.left} data-lit={isFinding || undefined}>
          {!isFinding && <span>Find Flight will run for </span>}
          <strong>{isFinding ? `${minutesLeft} min left` : `${chosen} min`}</strong>
          {isFinding && status.expiresAt !== null && (
            <span>
              {' '}
              until <ZTime iso={status.expiresAt} copyable={false} />
            </span>
          )}
        </p>
        <div className={classes.steps} role="group" aria-label="Change the minutes">
          {STEPS.map((step) => (
            <StepButton key={step} step={step} minutes={current + step} onChange={setMinutes} />
          ))}
        </div>
      </div>
    </>
  );
}

interface StepButtonProps {
  step: number;
  /** resulting minutes */
  minutes: number;
  onChange: (minutes: number) => void;
}

/** `−15` or `+15`. Uses `aria-disabled` at the end of the range, because a disabled button would lose the focus. */
function StepButton({ step, minutes, onChange }: StepButtonProps) {
  const isPossible = minutes >= STATUS_MINUTES.inputMin && minutes <= STATUS_MINUTES.max;
  return (
    <button
      type="button"
      className={classes.step}
      aria-label={`${Math.abs(step)} minutes ${step < 0 ? 'less' : 'more'}`}
      aria-disabled={!isPossible || undefined}
      onClick={() => {
        if (isPossible) {
          onChange(minutes);
        }
      }}
    >
      {step < 0 ? `−${-step}` : `+${step}`}
    </button>
  );
}
