import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import { seatKey } from './order-groups.ts';
import type { SeatPlace } from './seats.tsx';
import { seatName, workCopy } from '#client/features/missions/mission-text.ts';

interface RemovePilotProps {
  missionId: string;
  place: SeatPlace;
  /** current orders by seat */
  holders: ReadonlyMap<string, MissionOrderDto> | undefined;
  onClose: () => void;
}

/** Confirmation before a pilot is removed from a seat. */
export function RemovePilot({ missionId, place: { flight, seatIndex, holder }, holders, onClose }: RemovePilotProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const seat = seatName(flight.callsign, seatIndex);
  const pilot = holder?.userDisplayName ?? '';
  // The seat changed hands: never remove another pilot than the dialog names. The call refuses it too.
  const isGone = holders !== undefined && holders.get(seatKey(flight.id, seatIndex))?.userId !== holder?.userId;
  const remove = trpc.admin.mission.removePilot.useMutation({
    onSuccess: () => {
      void utils.admin.invalidate();
      showToast(`${pilot} was removed from ${seat}.`);
      onClose();
    },
    onError: (cause) => {
      // Refresh the seat behind the dialog.
      void utils.admin.mission.orders.invalidate({ id: missionId });
      setError(failureOf(cause, workCopy.removeFailed));
    },
  });
  if (isGone && !remove.isPending) {
    return (
      <ConfirmModal
        opened
        title={`${pilot} no longer holds ${seat}`}
        confirmLabel="Close"
        onConfirm={onClose}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmModal
      opened
      title={`Remove ${pilot} from ${seat}?`}
      confirmLabel="Remove"
      signal="red"
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ id: missionId, flightId: flight.id, seatIndex, holderId: holder?.userId })}
      onClose={onClose}
    >
      <FormError message={error} />
      {pilot} will be notified, and the seat is offered to the next suitable pilot.
    </ConfirmModal>
  );
}
