import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { keyed, newKey, onceClient } from '#client/lib/idempotent-client.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import type { RivalDraftDto } from '#shared/schemas/mission-work.ts';
import type { CreatedMissionDto, CreateMissionInput } from '#shared/schemas/missions.ts';
import type { Together } from '#client/features/missions/week-plan/together-note.tsx';

interface Outcome {
  /** @param together null: it was created for itself */
  onCreated: (created: CreatedMissionDto, together: Together | null) => void;
  onError: (cause: unknown) => void;
}

interface Creation {
  request: CreateMissionInput;
  /** drafts to publish together with it, which makes it a draft at first; [] for none */
  rivals: readonly RivalDraftDto[];
}

/** Once the mission is a draft, it is there: a publishing that fails is told with it, and can be tried again. */
async function publishTogether(missionId: string, rivals: readonly RivalDraftDto[]): Promise<Together> {
  const missionIds = [missionId, ...rivals.map((rival) => rival.missionId)];
  try {
    return { rivals, published: await trpcClient.admin.mission.publishWeek.mutate({ missionIds }), error: null };
  } catch (error) {
    return { rivals, published: null, error };
  }
}

/**
 * Create the mission that the form says, once: whoever sends the same form again, because the answer never came, gets
 * the mission that the first request made. A form that changed is another mission.
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
