import { errorMessage } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { POLL_MS } from '#shared/limits.ts';
import { chosenStatus, presentStatus } from '#shared/pilot-status.ts';
import type { StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';

/** The viewer's status, read every 10 s. A change shows at once; when the server refuses it, the old one shows again. */
export function useStatus(userId: string) {
  const utils = trpc.useUtils();
  const query = trpc.pilot.status.useQuery(
    { id: userId },
    { refetchInterval: POLL_MS.status, staleTime: POLL_MS.status },
  );
  const change = trpc.pilot.setStatus.useMutation({
    // One after the other: the last light that was pressed is the one that stays.
    scope: { id: 'pilot-status' },
    onMutate: () => utils.pilot.status.cancel({ id: userId }),
    onSuccess: (status) => {
      utils.pilot.status.setData({ id: userId }, status);
      // While a pilot looks for a flight, now counts as available.
      void utils.availability.window.invalidate({ id: userId });
    },
    onError: (cause) => showToast(errorMessage(cause, screenCopy.statusFailed), { signal: 'red' }),
  });

  const pressed = change.isPending ? change.variables : undefined;
  return {
    status:
      pressed === undefined || query.data === undefined
        ? query
        : { ...query, data: expectStatus(pressed.state, pressed.minutes ?? null, change.submittedAt) },
    /** @param minutes for `now` only */
    setStatus: (state: StatusState, minutes: number | null) => change.mutate({ id: userId, state, minutes }),
  };
}

/** What the server will answer, as far as the page can know. */
const expectStatus = (state: StatusState, minutes: number | null, sentAt: number): StatusDto =>
  presentStatus(chosenStatus(state, minutes, sentAt), sentAt);
