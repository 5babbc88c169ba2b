import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpcClient } from '#client/lib/trpc.ts';
import { weekPlanInput, type DryRunInput } from '#shared/schemas/mission-plan.ts';

/** The mission to seat together with drafts: a stored one, or the create form's. */
export type OwnMission = { missionId: string } | { request: DryRunInput };

/** Query for seating drafts together; refetched when missions change, disabled without drafts. */
export function useWeekPlan(own: OwnMission, draftIds: readonly string[]) {
  const asked = JSON.stringify(
    'request' in own ? { missionIds: draftIds, request: own.request } : { missionIds: [own.missionId, ...draftIds] },
  );
  return useQuery({
    // tRPC's key format, so that live updates about missions invalidate it.
    queryKey: [['admin', 'mission', 'weekPlan'], { input: asked }],
    queryFn: ({ signal }) =>
      trpcClient.admin.mission.weekPlan.mutate(weekPlanInput.parse(JSON.parse(asked)), { signal }),
    enabled: draftIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}
