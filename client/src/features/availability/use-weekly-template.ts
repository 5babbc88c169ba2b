import { trpc } from '#client/lib/trpc.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { copy } from '#shared/copy.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';

/** The viewer's active template, the aircraft list, and saving. */
export function useWeeklyTemplate() {
  const { id } = useSignedInViewer();
  const utils = trpc.useUtils();
  // Refetch whenever the page opens, so that the form does not start with stale data.
  const templates = trpc.availability.templates.useQuery({ id }, { refetchOnMount: 'always' });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });

  // A saved week affects the days on the home screen and the editor itself.
  const onSuccess = () => utils.availability.invalidate();
  const create = trpc.availability.createTemplate.useMutation({ onSuccess });
  const update = trpc.availability.updateTemplate.useMutation({ onSuccess });

  return {
    /** undefined while loading or when there is none */
    active: findActive(templates.data),
    aircraft: aircraft.data ?? [],
    isLoading: !templates.isFetchedAfterMount || aircraft.isPending,
    error: templates.error ?? aircraft.error,
    retry: () => void Promise.all([templates.refetch(), aircraft.refetch()]),
    isSaving: create.isPending || update.isPending,
    /** Fetches the current template, bypassing the cache. */
    readActive: async () => findActive(await utils.availability.templates.fetch({ id }, { staleTime: 0 })),
    /** Saves the slots in the active template, or creates one. */
    save: (slots: SlotInput[], active: TemplateDto | undefined) => {
      const week = { id, name: copy.templateName, isActive: true, slots };
      return active === undefined ? create.mutateAsync(week) : update.mutateAsync({ ...week, templateId: active.id });
    },
  };
}

function findActive(templates: readonly TemplateDto[] | undefined): TemplateDto | undefined {
  return templates?.find(({ isActive }) => isActive);
}
