import { trpc } from '#client/lib/trpc.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { copy } from '#shared/copy.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';

/** The viewer's active template and the aircraft to choose from, and how to save a week. */
export function useWeeklyTemplate() {
  const { id } = useSignedInViewer();
  const utils = trpc.useUtils();
  // Read anew whenever the page is opened: a form must not begin with an old week.
  const templates = trpc.availability.templates.useQuery({ id }, { refetchOnMount: 'always' });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });

  // Days of the home screen, the editor itself and every suggestion made from them are old now.
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
    /** What the server holds now, not what was read some time ago. */
    readActive: async () => findActive(await utils.availability.templates.fetch({ id }, { staleTime: 0 })),
    /** The active template takes the slots; without one a new template is made. */
    save: (slots: SlotInput[], active: TemplateDto | undefined) => {
      const week = { id, name: copy.templateName, isActive: true, slots };
      return active === undefined ? create.mutateAsync(week) : update.mutateAsync({ ...week, templateId: active.id });
    },
  };
}

function findActive(templates: readonly TemplateDto[] | undefined): TemplateDto | undefined {
  return templates?.find(({ isActive }) => isActive);
}
