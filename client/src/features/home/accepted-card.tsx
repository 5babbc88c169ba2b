import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { SideFlag } from '#client/components/side-flag.tsx';
import { StatusBadge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { fragLabel, seatLabel } from '#shared/labels.ts';
import { LATE_CANCEL_HOURS } from '#shared/limits.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import type { Answer } from './use-rsvp.ts';
import classes from './accepted-card.module.css';

const HOUR_MS = 3_600_000;

interface AcceptedCardProps {
  mission: AcceptedMissionDto;
  /** accepted: a Confirm is on its way; declined: a Cancel is */
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** One accepted mission: what a pilot needs in the cockpit, Confirm and Cancel. */
export function AcceptedCard({ mission, sending, onAnswer }: AcceptedCardProps) {
  const id = useId();
  const now = useNow();
  const viewer = useSignedInViewer();
  const [isAsking, setAsking] = useState(false);
  const label = fragLabel(mission.seq);
  const isConfirmed = mission.confirmedAt !== null || sending === 'accepted';
  const hoursLeft = (Date.parse(mission.startUtc) - now.getTime()) / HOUR_MS;
  const hasStarted = hoursLeft <= 0;

  return (
    <article
      tabIndex={-1}
      aria-labelledby={id}
      aria-busy={sending !== undefined}
      data-order={mission.id}
      data-answer={sending}
      className={classes.card}
    >
      <div className={classes.head}>
        <h3 id={id} className={classes.title}>
          <span className={classes.label}>{label}</span> {mission.missionName}
        </h3>
        <StatusBadge kind="rsvp" value={sending ?? mission.rsvp} />
      </div>
      <p className={classes.seat}>
        {mission.title} · {mission.theater} · {formatShortDate(mission.startUtc, viewer.timeZone)}
      </p>
      <div className={classes.facts}>
        <Facts>
          <Fact label="Flight" mono>
            {mission.flightCallsign}
          </Fact>
          <Fact label="Aircraft">{mission.aircraftName}</Fact>
          <Fact label="Side">
            <SideFlag side={mission.side} />
          </Fact>
          <Fact label="Level">
            <StatusBadge kind="level" value={mission.level} />
          </Fact>
          <Fact label="Brief">
            <ZTime iso={mission.startUtc} copyable={false} />
          </Fact>
          {mission.launchUtc !== null && (
            <Fact label="Launch">
              <ZTime iso={mission.launchUtc} />
            </Fact>
          )}
          {mission.totUtc !== null && (
            <Fact label="TOT">
              <ZTime iso={mission.totUtc} copyable={false} />
            </Fact>
          )}
          <Fact label="Radio">
            <Radio frequency={mission.radioFreq} />
          </Fact>
        </Facts>
      </div>
      <div className={classes.package} role="group" aria-label={`Package ${mission.package.callsign}`}>
        <h4 className={classes.packageTitle}>
          <span className={classes.plate}>Package</span> {mission.package.callsign}: {mission.package.objective}
        </h4>
        <ul className={classes.composition}>
          {mission.package.composition.map((flight) => (
            <li key={flight.callsign} data-own={flight.callsign === mission.flightCallsign || undefined}>
              <span className={classes.callsign}>{flight.callsign}</span>
              <span>
                {flight.seats} × {flight.aircraftName}
              </span>
            </li>
          ))}
        </ul>
      </div>
      {mission.notes !== null && <p className={classes.notes}>{mission.notes}</p>}
      <div className={classes.buttons}>
        {isConfirmed ? (
          <span className={classes.confirmed}>
            <IconCheck size={20} stroke={2} aria-hidden="true" /> Confirmed
          </span>
        ) : (
          <Button className={classes.button} color="green" onClick={() => onAnswer(mission, 'accepted')}>
            Confirm
          </Button>
        )}
        <Button
          variant="default"
          className={classes.button}
          disabled={hasStarted}
          // Not `disabled` while an answer is on its way: a disabled button would lose the keyboard's place.
          aria-disabled={sending !== undefined || undefined}
          data-disabled={sending !== undefined || undefined}
          onClick={() => setAsking(sending === undefined)}
        >
          Cancel
        </Button>
        {hasStarted && <span className={classes.seat}>The mission has started.</span>}
      </div>
      <ConfirmModal
        opened={isAsking}
        title={`Cancel ${label}?`}
        confirmLabel="Give seat back"
        cancelLabel="Keep my seat"
        signal="red"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          onAnswer(mission, 'declined');
        }}
      >
        You give back {seatLabel(mission.seatIndex).toLowerCase()} of {mission.flightCallsign} in {mission.missionName}.{' '}
        {hoursLeft >= LATE_CANCEL_HOURS
          ? `That is at least ${LATE_CANCEL_HOURS} hours' notice, so you are re-slotted in the next rotation.`
          : `The mission starts in less than ${LATE_CANCEL_HOURS} hours. Only pilots who give ${LATE_CANCEL_HOURS} hours' notice are re-slotted in the next rotation; this cancellation is late.`}
      </ConfirmModal>
    </article>
  );
}

function Radio({ frequency }: { frequency: string | null }) {
  return frequency === null ? (
    <>not assigned</>
  ) : (
    <span className={classes.radio}>
      {frequency}
      <CopyButton text={frequency} label={`Copy frequency ${frequency}`} copiedLabel="Frequency copied" />
    </span>
  );
}
