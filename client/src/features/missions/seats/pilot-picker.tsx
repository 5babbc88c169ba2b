import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { SeatCandidateDto } from '#shared/schemas/mission-admin.ts';
import { CandidateList } from './candidate-list.tsx';
import { candidateWords } from './candidate-text.ts';
import type { SeatPlace } from './seats.tsx';
import { seatName, workCopy } from '#client/features/missions/mission-text.ts';
import classes from './pilot-picker.module.css';

interface PilotPickerProps {
  missionId: string;
  place: SeatPlace;
  onClose: () => void;
}

/** Dialog that assigns a pilot to a seat: choose a candidate, read the warnings, confirm. */
export function PilotPicker({ missionId, place, onClose }: PilotPickerProps) {
  const { flight, seatIndex, holder } = place;
  const input = { id: missionId, flightId: flight.id, seatIndex };
  const candidates = trpc.admin.mission.candidates.useQuery(input, { staleTime: 0, gcTime: 0 });
  const [chosen, setChosen] = useState<SeatCandidateDto | null>(null);
  const seat = seatName(flight.callsign, seatIndex);
  return (
    <Dialog
      opened
      title={holder === undefined ? `Assign a pilot to ${seat}` : `Replace ${holder.userDisplayName} on ${seat}`}
      onClose={onClose}
    >
      <p className={classes.seat}>
        {flight.aircraftName}, {flight.role}
      </p>
      {chosen === null ? (
        <>
          <Loaded
            query={candidates}
            loading={workCopy.loadingCandidates}
            failure={copy.unknownError}
            prefix={workCopy.candidatesFailed}
            rows={5}
          >
            {(list) => <CandidateList seat={input} candidates={list} exceptId={holder?.userId} onChoose={setChosen} />}
          </Loaded>
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </DialogButtons>
        </>
      ) : (
        <Assign missionId={missionId} place={place} pilot={chosen} onBack={() => setChosen(null)} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface AssignProps {
  missionId: string;
  place: SeatPlace;
  pilot: SeatCandidateDto;
  onBack: () => void;
  onDone: () => void;
}

/** Confirmation of an assignment with its warnings. */
function Assign({ missionId, place: { flight, seatIndex, holder }, pilot, onBack, onDone }: AssignProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const seat = seatName(flight.callsign, seatIndex);
  const assign = trpc.admin.mission.assignPilot.useMutation({
    onSuccess: () => {
      void utils.admin.invalidate();
      showToast(`${pilot.userDisplayName} has an order for ${seat}.`);
      onDone();
    },
    onError: (cause) => {
      void utils.admin.mission.orders.invalidate({ id: missionId });
      setError(failureOf(cause, workCopy.assignFailed));
    },
  });
  const warnings = [...(holder === undefined ? [] : [`${holder.userDisplayName} loses this seat.`]), ...pilot.warnings];
  return (
    <>
      <FormError message={error} />
      <div className={classes.chosen}>
        <strong className={classes.name}>{pilot.userDisplayName}</strong>
        <StatusBadge kind="level" value={pilot.level} />
        <span>{candidateWords(pilot)}</span>
      </div>
      {warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <DialogButtons>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focused list is gone; this is the next step
          autoFocus
          color={warnings.length > 0 ? 'yellow' : 'course'}
          loading={assign.isPending}
          onClick={() =>
            assign.mutate({
              id: missionId,
              flightId: flight.id,
              seatIndex,
              userId: pilot.userId,
              ...(holder !== undefined && { replace: true, holderId: holder.userId }),
            })
          }
        >
          {warnings.length > 0 ? 'Assign anyway' : 'Assign'}
        </Button>
      </DialogButtons>
    </>
  );
}
