import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpcClient } from '#client/lib/trpc.ts';
import { weekPlanInput, type DryRunInput } from '#shared/schemas/mission-work.ts';

/** The mission that drafts are seated together with: a stored one, or the form's. */
export type OwnMission = { missionId: string } | { request: DryRunInput };

/** What seating these drafts together comes to; asked again when missions change. Without a draft nothing is asked. */
export function useWeekPlan(own: OwnMission, draftIds: readonly string[]) {
  const asked = JSON.stringify(
    'request' in own ? { missionIds: draftIds, request: own.request } : { missionIds: [own.missionId, ...draftIds] },
  );
  return useQuery({
    // As tRPC builds its keys, so that news about missions make it old.
    queryKey: [['admin', 'mission', 'weekPlan'], { input: asked }],
    queryFn: ({ signal }) =>
      trpcClient.admin.mission.weekPlan.mutate(weekPlanInput.parse(JSON.parse(asked)), { signal }),
    enabled: draftIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
