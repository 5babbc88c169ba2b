import { trpc } from '#client/lib/trpc.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { copy } from '#shared/copy.ts';
import type { SlotInput } from '#shared/schemas/availability.ts';

/** The viewer's active template and the aircraft to choose from, and how to save a week. */
export function useWeeklyTemplate() {
  const { id } = useSignedInViewer();
  const utils = trpc.useUtils();
  const templates = trpc.availability.templates.useQuery({ id });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const active = templates.data?.find(({ isActive }) => isActive);

  // Days of the home screen, the editor itself and every suggestion made from them are old now.
  const onSuccess = () => utils.availability.invalidate();
  const create = trpc.availability.createTemplate.useMutation({ onSuccess });
  const update = trpc.availability.updateTemplate.useMutation({ onSuccess });

  return {
    /** undefined while loading or when there is none */
    active,
    aircraft: aircraft.data ?? [],
    isLoading: templates.isPending || aircraft.isPending,
    error: templates.error ?? aircraft.error,
    retry: () => void Promise.all([templates.refetch(), aircraft.refetch()]),
    isSaving: create.isPending || update.isPending,
    /** The active template takes the slots; without one a new template is made. */
    save: (slots: SlotInput[]) => {
      const week = { id, name: copy.templateName, isActive: true, slots };
      return active === undefined ? create.mutateAsync(week) : update.mutateAsync({ ...week, templateId: active.id });
    },
  };
}
