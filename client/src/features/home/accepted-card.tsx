import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { CopyButton } from '#client/components/copy-button.tsx';
import { Fact } from '#client/components/fact.tsx';
import { Placard } from '#client/components/placard.tsx';
import { StatusBadge } from '#client/components/status-badge.tsx';
import { ZTime } from '#client/components/z-time.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { fragLabel, seatLabel } from '#shared/labels.ts';
import { LATE_CANCEL_HOURS } from '#shared/limits.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { OrderCard } from './order-card.tsx';
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
  const now = useNow();
  const viewer = useSignedInViewer();
  const [isAsking, setAsking] = useState(false);
  const isConfirmed = mission.confirmedAt !== null || sending === 'accepted';
  const hoursLeft = (Date.parse(mission.startUtc) - now.getTime()) / HOUR_MS;
  const hasStarted = hoursLeft <= 0;

  return (
    <OrderCard
      order={mission}
      sending={sending}
      className={classes.card}
      aside={<StatusBadge kind="rsvp" value={sending ?? mission.rsvp} />}
      seat={`${mission.title} · ${mission.theater} · ${formatShortDate(mission.startUtc, viewer.timeZone)}`}
      facts={
        <>
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
        </>
      }
    >
      <div className={classes.package} role="group" aria-label={`Package ${mission.package.callsign}`}>
        <h4 className={classes.packageTitle}>
          <Placard>Package</Placard> {mission.package.callsign}: {mission.package.objective}
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
        {hasStarted && <span className={classes.started}>The mission has started.</span>}
      </div>
      <ConfirmModal
        opened={isAsking}
        title={`Cancel ${fragLabel(mission.seq)}?`}
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
    </OrderCard>
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
