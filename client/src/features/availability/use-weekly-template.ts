import { errorCode, refusedStates } from '#client/lib/errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { copy } from '#shared/copy.ts';
import { weekStates, type SlotInput, type TemplateDto } from '#shared/schemas/availability.ts';

/** The result of a save: stored, or refused because of a week that the pilot has not seen. */
export type SavedWeek = { stored: TemplateDto } | { theirs: TemplateDto | undefined };

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
    /**
     * Saves the slots in the active template, or creates one.
     * @param seen the active week that the pilot changed
     * @returns the stored week; or, with nothing saved, the one that was saved elsewhere meanwhile
     */
    save: async (slots: SlotInput[], seen: TemplateDto | undefined): Promise<SavedWeek> => {
      const week = { id, name: copy.templateName, isActive: true, slots };
      try {
        const stored =
          seen === undefined
            ? await create.mutateAsync({ ...week, version: null })
            : await update.mutateAsync({ ...week, templateId: seen.id, version: seen.version });
        return { stored };
      } catch (cause) {
        // a template that is gone was a change of the week, too
        if (!['CHANGED', 'TEMPLATE_NOT_FOUND'].includes(errorCode(cause) ?? '')) throw cause;
        const states = weekStates.safeParse(refusedStates(cause));
        if (states.success) return { theirs: states.data.theirs ?? undefined };
        return { theirs: findActive(await utils.availability.templates.fetch({ id }, { staleTime: 0 })) };
      }
    },
  };
}

function findActive(templates: readonly TemplateDto[] | undefined): TemplateDto | undefined {
  return templates?.find(({ isActive }) => isActive);
}
