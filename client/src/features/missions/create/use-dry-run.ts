import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpcClient } from '#client/lib/trpc.ts';
import { dryRunInput, type DryRunInput } from '#shared/schemas/mission-plan.ts';
import { findTimesProblem, payloadOf, readTimes, type MissionDraft } from './mission-draft.ts';

/** Debounce, ms: long enough for repeated clicks on plus, short enough to look immediate. */
const TYPING_MS = 350;

/** Dry run input of an unfinished form; null when times or aircraft are missing or invalid. */
export function dryRunRequest(draft: MissionDraft, timeZone: string, now: Date): DryRunInput | null {
  const times = readTimes(draft.startLocal, draft.endLocal, timeZone);
  if (times === undefined || findTimesProblem(times, now) !== undefined) {
    return null;
  }
  const { startLocal, endLocal, aircraftSlots } = payloadOf(draft, timeZone);
  // Additional notes do not affect seating, so a change of them must not trigger a new request.
  const slots = aircraftSlots.map(({ aircraftId, slotCount, side, notes }) => ({ aircraftId, slotCount, side, notes }));
  const request = dryRunInput.safeParse({ startLocal, endLocal, timeZone, aircraftSlots: slots });
  return request.success ? request.data : null;
}

/** Dry run of the current form, debounced; refetched when missions change. */
export function useDryRun(draft: MissionDraft, timeZone: string, now: Date) {
  const text = JSON.stringify(dryRunRequest(draft, timeZone, now));
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const isAsked = asked !== 'null';
  const query = useQuery({
    // tRPC's key format, so that live updates about missions invalidate it.
    queryKey: [['admin', 'mission', 'dryRun'], { input: asked }],
    queryFn: ({ signal }) => trpcClient.admin.mission.dryRun.mutate(dryRunInput.parse(JSON.parse(asked)), { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    // There are no live updates for other pilots' statuses and levels.
    staleTime: 0,
  });
  return {
    /** input of the last or pending dry run; null for none */
    asked: isAsked ? dryRunInput.parse(JSON.parse(asked)) : null,
    /** true when the form is too incomplete for a dry run */
    isIdle: text === 'null',
    /** true when the shown result belongs to an earlier state of the form */
    isOld: text !== asked || query.isPlaceholderData || !isAsked,
    query,
  };
}
