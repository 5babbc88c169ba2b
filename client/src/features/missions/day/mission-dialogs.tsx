import { Suspense, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { MissionDto } from '#shared/schemas/missions.ts';
import { count } from '#shared/plural.ts';
import { groupOrders } from '#client/features/missions/seats/order-groups.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';

const PublishTogether = lazyPart(
  () => import('#client/features/missions/week-plan/publish-together.tsx'),
  (part) => part.PublishTogether,
);

const LIST = new Intl.ListFormat('en');

interface MissionDialogProps {
  mission: MissionDto;
  /** called with a sentence about the result */
  onDone: (said: string) => void;
  onClose: () => void;
}

/** Confirmation before a mission is cancelled, with the number of orders that end. */
export function CancelMission({
  mission,
  orders,
  now,
  onDone,
  onClose,
}: MissionDialogProps & { orders: readonly MissionOrderDto[] | undefined; now: Date }) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const cancel = trpc.admin.mission.cancel.useMutation({
    onSuccess: ({ ordersCancelled }) => {
      void utils.admin.invalidate();
      onDone(`Mission cancelled: ${count(ordersCancelled, 'order')} ended.`);
    },
    onError: (cause) => setError(failureOf(cause, workCopy.cancelFailed)),
  });
  const remove = trpc.admin.mission.removePractice.useMutation({
    onSuccess: () => {
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onDone('Practice mission removed.');
    },
    onError: (cause) => setError(failureOf(cause, workCopy.cancelFailed)),
  });
  const { isPractice } = mission;
  return (
    <ConfirmModal
      opened
      title={`${isPractice ? 'Remove' : 'Cancel'} ${mission.name}?`}
      confirmLabel={isPractice ? 'Remove' : 'Cancel mission'}
      cancelLabel="Keep it"
      signal="red"
      busy={cancel.isPending || remove.isPending}
      onConfirm={() => (isPractice ? remove : cancel).mutate({ id: mission.id })}
      onClose={onClose}
    >
      <FormError message={error} />
      {isPractice ? workCopy.practiceGoes : `${whatEnds(mission, orders, now)} This can't be undone.`}
    </ConfirmModal>
  );
}

function whatEnds(mission: MissionDto, orders: readonly MissionOrderDto[] | undefined, now: Date): string {
  if (mission.status === 'draft') {
    return 'This is a draft: no pilot has seen it.';
  }
  if (orders === undefined) {
    return 'All pilots with an order will be told.';
  }
  const { accepted, pending, standby } = groupOrders(orders, now);
  const told = [
    [accepted.length, 'who accepted'],
    [pending.length, pending.length === 1 ? 'who was asked' : 'who were asked'],
    [standby.length, 'on standby'],
  ] as const;
  const parts = told.filter(([number]) => number > 0);
  if (parts.length === 0) {
    return 'It has no open or accepted orders.';
  }
  const words = parts.map(([number, who], index) => `${index === 0 ? count(number, 'pilot') : number} ${who}`);
  return `${LIST.format(words)} will be told.`;
}

/** Confirmation before a draft is published, optionally together with drafts that compete for the same pilots. */
export function PublishMission({ mission, onDone, onClose }: MissionDialogProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const seats = mission.packages.flatMap(({ flights }) => flights).reduce((sum, { sizeCap }) => sum + sizeCap, 0);
  const rivals = trpc.admin.mission.rivals.useQuery({ id: mission.id }, { staleTime: 0, gcTime: 0 }).data ?? [];
  const publish = trpc.admin.mission.publish.useMutation({
    onSuccess: ({ issued: { orders, openSeats } }) => {
      void utils.admin.invalidate();
      onDone(`Published: ${count(orders, 'order')} issued, ${count(openSeats, 'seat')} open.`);
    },
    onError: (cause) => setError(failureOf(cause, workCopy.publishFailed)),
  });
  return (
    <ConfirmModal
      opened
      title={`Publish ${mission.name}?`}
      confirmLabel={rivals.length > 0 ? 'Publish alone' : 'Publish'}
      busy={publish.isPending}
      onConfirm={() => publish.mutate({ id: mission.id })}
      onClose={onClose}
    >
      <FormError message={error} />
      Orders for its {count(seats, 'seat')} go out to suitable pilots at once.
      {rivals.length > 0 && (
        <Suspense fallback={null}>
          <PublishTogether missionId={mission.id} rivals={rivals} onDone={onDone} />
        </Suspense>
      )}
    </ConfirmModal>
  );
}
