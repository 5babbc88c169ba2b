import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { fragLabel, seatLabel } from '#shared/labels.ts';
import { LATE_CANCEL_HOURS, STANDBY_CONSENT_HOURS } from '#shared/limits.ts';
import { STILL_FLYING } from '#shared/reminders.ts';
import type { FragOrderDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { OrderButton } from './answer-buttons.tsx';
import { WaitingAnswer } from './kept-answer.tsx';
import { openAnswers } from './order-state.ts';
import type { Answer } from './use-answers.ts';
import classes from './accepted-actions.module.css';

const HOUR_MS = 3_600_000;

interface AcceptedActionsProps {
  mission: FragOrderDto;
  /** accepted: a Confirm is being sent; standby or declined: the seat is being given back */
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** Confirm, Standby and Cancel, with the 24-hour rule stated here and in the confirmation. */
export function AcceptedActions({ mission, sending, onAnswer }: AcceptedActionsProps) {
  const now = useNow();
  const [asking, setAsking] = useState<'standby' | 'declined' | null>(null);
  const isConfirmed = mission.confirmedAt !== null || sending === 'accepted';
  const startMs = Date.parse(mission.startUtc);
  const answers = openAnswers(mission, now);
  const mayCancel = answers.includes('declined');
  const isInTime = startMs - now.getTime() >= LATE_CANCEL_HOURS * HOUR_MS;
  const giveBack = `You give back ${seatLabel(mission.seatIndex).toLowerCase()} of ${mission.flightCallsign} in ${mission.missionName}`;

  // an answer being sent takes the question away at once
  const isAsked = mission.asksConfirmation && !isConfirmed;

  return (
    <div className={classes.buttons}>
      <WaitingAnswer orderId={mission.id} />
      {isAsked && (
        <p className={classes.question}>
          <strong>{STILL_FLYING.question}</strong> {STILL_FLYING.meaning}
        </p>
      )}
      {isConfirmed ? (
        <span className={classes.confirmed}>
          <IconCheck size={20} aria-hidden="true" /> Confirmed
        </span>
      ) : (
        <OrderButton
          className={classes.button}
          signal="green"
          busy={sending !== undefined}
          onClick={() => onAnswer(mission, 'accepted')}
        >
          Confirm
        </OrderButton>
      )}
      {answers.includes('standby') && (
        <OrderButton className={classes.button} busy={sending !== undefined} onClick={() => setAsking('standby')}>
          Standby
        </OrderButton>
      )}
      <OrderButton
        className={classes.button}
        disabled={!mayCancel}
        busy={sending !== undefined}
        onClick={() => setAsking('declined')}
      >
        {isAsked ? STILL_FLYING.decline : 'Cancel'}
      </OrderButton>
      <span className={classes.rule}>
        {!mayCancel ? (
          copy.missionStarted
        ) : isInTime ? (
          <>
            Cancel without penalty until{' '}
            <ZTime iso={new Date(startMs - LATE_CANCEL_HOURS * HOUR_MS).toISOString()} withDate copyable={false} />
          </>
        ) : (
          `Less than ${LATE_CANCEL_HOURS} hours to go: cancelling now counts as late.`
        )}
      </span>
      <ConfirmModal
        opened={asking === 'standby'}
        title={`Go on standby for ${fragLabel(mission.seq)}?`}
        confirmLabel="Go on standby"
        cancelLabel="Keep my seat"
        onClose={() => setAsking(null)}
        onConfirm={() => {
          setAsking(null);
          onAnswer(mission, 'standby');
        }}
      >
        {giveBack} and join its queue. Until {STANDBY_CONSENT_HOURS} hours before the start, a seat that opens for you
        is yours right away; after that you are asked first.
      </ConfirmModal>
      <ConfirmModal
        opened={asking === 'declined'}
        title={`Cancel ${fragLabel(mission.seq)}?`}
        confirmLabel="Give seat back"
        cancelLabel="Keep my seat"
        signal="red"
        onClose={() => setAsking(null)}
        onConfirm={() => {
          setAsking(null);
          onAnswer(mission, 'declined');
        }}
      >
        {giveBack}.{' '}
        {isInTime
          ? `That is at least ${LATE_CANCEL_HOURS} hours' notice, so you are re-slotted in the next rotation.`
          : `The mission starts in less than ${LATE_CANCEL_HOURS} hours. Only pilots who give ${LATE_CANCEL_HOURS} hours' notice are re-slotted in the next rotation; this cancellation is late.`}
      </ConfirmModal>
    </div>
  );
}
