import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import type { RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import type { CreatedMissionDto, CreateMissionInput } from '#shared/schemas/missions.ts';
import type { Together } from '#client/features/missions/week-plan/together-note.tsx';

interface Outcome {
  /** @param together result of publishing it with other drafts; null when it was created alone */
  onCreated: (created: CreatedMissionDto, together: Together | null) => void;
  onError: (cause: unknown) => void;
}

interface Creation {
  request: CreateMissionInput;
  /** drafts to publish together with the new mission, which starts as a draft then; [] for none */
  rivals: readonly RivalDraftDto[];
}

/** Publishes the new draft together with others. A failure is returned, not thrown, because the draft exists already. */
async function publishTogether(missionId: string, rivals: readonly RivalDraftDto[]): Promise<Together> {
  const missionIds = [missionId, ...rivals.map((rival) => rival.missionId)];
  try {
    return { rivals, published: await trpcClient.admin.mission.publishWeek.mutate({ missionIds }), error: null };
  } catch (error) {
    return { rivals, published: null, error };
  }
}

/**
 * Creates a mission idempotently: sending the same form again after a lost answer returns the mission of the first request.
 * A changed form creates another mission.
 */
export function useCreateMission({ onCreated, onError }: Outcome) {
  const utils = trpc.useUtils();
  const last = useRef<{ form: string; key: string } | null>(null);
  return useMutation({
    mutationFn: async ({ request, rivals }: Creation) => {
      const form = JSON.stringify(request);
      if (last.current?.form !== form) {
        last.current = { form, key: newKey() };
      }
      const created = await onceClient.admin.createMission.mutate(request, keyed(last.current.key));
      return { created, together: rivals.length === 0 ? null : await publishTogether(created.mission.id, rivals) };
    },
    onSuccess: ({ created, together }) => {
      last.current = null;
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onCreated(created, together);
    },
    onError,
  });
}
