import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { keyed, newKey, onceClient } from '#client/lib/once.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { CreatedMissionDto, CreateMissionInput } from '#shared/schemas/missions.ts';

interface Outcome {
  onCreated: (created: CreatedMissionDto) => void;
  onError: (cause: unknown) => void;
}

/**
 * Create the mission that the form says, once: whoever sends the same form again, because the answer never came, gets
 * the mission that the first request made. A form that changed is another mission.
 */
export function useCreateMission({ onCreated, onError }: Outcome) {
  const utils = trpc.useUtils();
  const last = useRef<{ form: string; key: string } | null>(null);
  return useMutation({
    mutationFn: (request: CreateMissionInput) => {
      const form = JSON.stringify(request);
      if (last.current?.form !== form) {
        last.current = { form, key: newKey() };
      }
      return onceClient.admin.createMission.mutate(request, keyed(last.current.key));
    },
    onSuccess: (created) => {
      last.current = null;
      void utils.admin.invalidate();
      void utils.pilot.invalidate();
      onCreated(created);
    },
    onError,
  });
}
