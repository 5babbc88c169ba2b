import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpcClient } from '#client/lib/trpc.ts';
import { editMissionInput, type EditMissionInput, type MisfitDto } from '#shared/schemas/mission-edit.ts';

/** Debounce, ms. */
const TYPING_MS = 350;

/**
 * The pilots who would no longer fit, for the form as it is; debounced, and refetched when missions change.
 * @param input null when the form cannot be read, or asks nobody again
 */
export function useEditPreview(input: EditMissionInput | null) {
  const text = JSON.stringify(input);
  const [asked] = useDebouncedValue(text, TYPING_MS);
  const query = useQuery({
    // tRPC's key format, so that live updates about missions invalidate it.
    queryKey: [['admin', 'mission', 'previewEdit'], { input: asked }],
    queryFn: ({ signal }) =>
      trpcClient.admin.mission.previewEdit.mutate(editMissionInput.parse(JSON.parse(asked)), { signal }),
    enabled: asked !== 'null',
    placeholderData: keepPreviousData,
    // There are no live updates for other pilots' statuses and availability.
    staleTime: 0,
    retry: false,
  });
  const none: MisfitDto[] = [];
  return {
    misfits: input === null ? none : (query.data?.misfits ?? none),
    /** true while the answer for this state of the form is on its way */
    isOld: input !== null && (text !== asked || query.isFetching) && query.error === null,
  };
}
