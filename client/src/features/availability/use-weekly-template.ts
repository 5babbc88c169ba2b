import { isAnswering, isNoAnswer } from '#client/lib/connection.ts';
import { errorCode, refusedStates } from '#client/lib/errors.ts';
import { newKey } from '#client/lib/idempotent-client.ts';
import { dropKept, findWeek, keep, listKept } from '#client/lib/kept.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { copy } from '#shared/copy.ts';
import { weekStates, type SlotInput, type TemplateDto } from '#shared/schemas/availability.ts';

/**
 * The result of a save: stored, or refused because of a week that the pilot has not seen; or it is kept on this device until it can
 * be sent.
 */
export type SavedWeek = { stored: TemplateDto } | { theirs: TemplateDto | undefined } | { kept: true };

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

  /** The active week as it is stored now. */
  const readActive = async (): Promise<TemplateDto | undefined> =>
    findActive(await utils.availability.templates.fetch({ id }, { staleTime: 0 }));

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
     */
    save: async (slots: SlotInput[], seen: TemplateDto | undefined): Promise<SavedWeek> => {
      const week = { id, name: copy.templateName, isActive: true, slots };
      try {
        const stored =
          seen === undefined
            ? await create.mutateAsync({ ...week, version: null })
            : await update.mutateAsync({ ...week, templateId: seen.id, version: seen.version });
        const kept = findWeek(listKept(id));
        if (kept) dropKept(id, kept);
        return { stored };
      } catch (cause) {
        // A call that fails alone is no reason to wait: the form says so.
        const isWaiting = isNoAnswer(cause) && (!navigator.onLine || !(await isAnswering()));
        if (isWaiting && keep(id, { key: newKey(), slots, version: seen?.version ?? null })) return { kept: true };
        // a template that is gone was a change of the week, too
        if (!['CHANGED', 'TEMPLATE_NOT_FOUND'].includes(errorCode(cause) ?? '')) throw cause;
        const states = weekStates.safeParse(refusedStates(cause));
        if (states.success) return { theirs: states.data.theirs ?? undefined };
        return { theirs: await readActive() };
      }
    },
    readActive,
  };
}

function findActive(templates: readonly TemplateDto[] | undefined): TemplateDto | undefined {
  return templates?.find(({ isActive }) => isActive);
}
