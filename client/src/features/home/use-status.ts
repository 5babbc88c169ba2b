import { screenCopy } from '#client/lib/screen-text.ts';
import { polled } from '#client/lib/polling.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { chosenStatus, presentStatus } from '#shared/pilot-status.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';

/** The viewer's status, polled every 10 s. A change shows at once and is reverted if the call fails. */
export function useStatus(userId: string) {
  const utils = trpc.useUtils();
  const query = trpc.pilot.status.useQuery({ id: userId }, polled(POLL_MS.status));
  const change = trpc.pilot.setStatus.useMutation({
    // Sequential calls, so that the last choice wins.
    scope: { id: 'pilot-status' },
    onMutate: () => utils.pilot.status.cancel({ id: userId }),
    onSuccess: (status) => {
      utils.pilot.status.setData({ id: userId }, status);
      // Find Flight counts as available now.
      void utils.availability.window.invalidate({ id: userId });
    },
    onError: (cause) => showFailure(cause, screenCopy.statusFailed),
  });

  const pressed = change.isPending ? change.variables : undefined;
  return {
    status:
      pressed === undefined || query.data === undefined
        ? query
        : { ...query, data: expectStatus(pressed.state, pressed.minutes ?? null, change.submittedAt) },
    /** @param minutes length of Find Flight; null for the other states */
    setStatus: (state: StatusState, minutes: number | null) => change.mutate({ id: userId, state, minutes }),
  };
}

/** The expected answer of the server. */
const expectStatus = (state: StatusState, minutes: number | null, sentAt: number): StatusDto =>
  presentStatus(chosenStatus(state, minutes, sentAt), sentAt);
