import { useState } from 'react';
import { Annunciator, type Lamp } from '#client/components/annunciator.tsx';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Segmented } from '#client/components/segmented.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { useNow } from '#client/lib/use-now.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { homeCopy } from './home-copy.ts';
import classes from './status-panel.module.css';

const LAMPS: readonly Lamp<StatusState>[] = [
  { value: 'available', label: 'Idle', signal: 'gray', shape: 'circle' },
  { value: 'dnd', label: 'Do Not Disturb', signal: 'red', shape: 'square' },
  { value: 'now', label: 'Find Flight', signal: 'green', shape: 'triangle' },
];

const MINUTES = [30, 60, 120].map((minutes) => ({ value: minutes, label: `${minutes} min` }));

/** Often enough that the countdown is never a quarter minute behind. */
const COUNTDOWN_STEP_MS = 15_000;

interface StatusPanelProps {
  status: Loadable<StatusDto>;
  /** minutes are null for every state but `now` */
  onChange: (state: StatusState, minutes: number | null) => void;
}

/** The stoplight. */
export function StatusPanel({ status, onChange }: StatusPanelProps) {
  return (
    <Panel title="Your Status">
      <Loaded query={status} loading={homeCopy.loadingStatus} failure={homeCopy.statusFailed} rows={3}>
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
  // The clock here may be a step behind the answer, which would count one minute too many.
  const minutesLeft = msLeft === null ? null : Math.min(Math.ceil(msLeft / 60_000), status.minutes ?? Infinity);

  return (
    <>
      <Annunciator
        label="Your Status"
        lamps={LAMPS}
        value={effective}
        onChange={(state) => onChange(state, state === 'now' ? chosen : null)}
      />
      <div className={classes.minutes}>
        <Segmented
          label="Find Flight for"
          segments={MINUTES}
          value={isFinding && status.minutes !== null ? status.minutes : chosen}
          onChange={(minutes) => {
            setChosen(minutes);
            if (isFinding) {
              onChange('now', minutes);
            }
          }}
        />
        {isFinding && minutesLeft !== null && status.expiresAt !== null && (
          <p className={classes.left}>
            <strong>{minutesLeft} min left</strong>
            <span>
              until <ZTime iso={status.expiresAt} copyable={false} />
            </span>
          </p>
        )}
      </div>
    </>
  );
}
