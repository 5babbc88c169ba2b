import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpcClient } from '#client/lib/trpc.ts';
import { dryRunInput, type DryRunInput } from '#shared/schemas/mission-work.ts';
import { findTimesProblem, payloadOf, readTimes, type MissionDraft } from './mission-draft.ts';

/** Long enough for the next click on a plus, short enough to look immediate. */
const TYPING_MS = 350;

/** What can be asked of the server about a form that is not finished; null while times or aircraft are missing or wrong. */
export function dryRunRequest(draft: MissionDraft, timeZone: string, now: Date): DryRunInput | null {
  const times = readTimes(draft.startLocal, draft.endLocal, timeZone);
  if (times === undefined || findTimesProblem(times, now) !== undefined) {
    return null;
  }
  const { startLocal, endLocal, aircraftSlots } = payloadOf(draft, timeZone);
  // What is written beside the aircraft changes nothing, and must not ask again.
  const slots = aircraftSlots.map(({ aircraftId, slotCount, side, notes }) => ({ aircraftId, slotCount, side, notes }));
  const request = dryRunInput.safeParse({ startLocal, endLocal, timeZone, aircraftSlots: slots });
  return request.success ? request.data : null;
}

/** The dry run of the form as it stands, a moment after the last change; asked again when missions change. */
export function useDryRun(draft: MissionDraft, timeZone: string, now: Date) {
  const text = JSON.stringify(dryRunRequest(draft, timeZone, now));
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const isAsked = asked !== 'null';
  const query = useQuery({
    // As tRPC builds its keys, so that news about missions make it old.
    queryKey: [['admin', 'mission', 'dryRun'], { input: asked }],
    queryFn: ({ signal }) => trpcClient.admin.mission.dryRun.mutate(dryRunInput.parse(JSON.parse(asked)), { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    // Live statuses and levels change without this page hearing of it.
    staleTime: 0,
  });
  return {
    /** what the last answer is about, or the next one will be; null when nothing was asked */
    asked: isAsked ? dryRunInput.parse(JSON.parse(asked)) : null,
    /** nothing can be said about such a form */
    isIdle: text === 'null',
    /** what is shown is about an earlier state of the form */
    isOld: text !== asked || query.isPlaceholderData || !isAsked,
    query,
  };
}
