import { useDeferredValue, useEffect, useRef, useState, type ReactNode } from 'react';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { Panel } from '#client/components/panel.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import type { KeptWeek } from '#client/lib/kept.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';
import { useKeptWeek } from './use-kept-week.ts';
import { useWeeklyTemplate } from './use-weekly-template.ts';
import { rowsOfTemplate } from './week.ts';
import { WeekForm, type Conflict } from './week-form.tsx';

interface AvailabilityEditorProps {
  /** sentence for a failed save when the server sent none */
  failure: string;
  onSaved: () => unknown;
  /** label of the submit button */
  submitLabel: string;
  /** button or link that leaves without saving */
  back: ReactNode;
  /** further panels, shown with the week */
  children?: ReactNode;
}

/** Editor of the viewer's weekly availability, on /availability and in the wizard. */
export function AvailabilityEditor(props: AvailabilityEditorProps) {
  const template = useWeeklyTemplate();
  const { active, aircraft, isLoading, error, retry } = template;
  // Once shown, the form keeps unsaved changes even if a later refetch fails.
  const [hasBegun, setBegun] = useState(false);
  if (!hasBegun && error === null && !isLoading) {
    setBegun(true);
  }
  // React renders the week with its hundreds of cells in slices.
  const isShown = useDeferredValue(hasBegun);
  if (!hasBegun && error !== null) {
    const { sentence, way } = failureOf(error, screenCopy.availabilityLoadFailed);
    return (
      <Panel>
        <ErrorState message={sentence} way={way} onRetry={retry} />
      </Panel>
    );
  }
  if (!isShown) {
    return (
      <Panel>
        <LoadingState text={screenCopy.loadingAvailability} rows={7} />
      </Panel>
    );
  }
  return <LoadedEditor {...props} {...template} active={active} aircraft={aircraft} />;
}

type LoadedEditorProps = AvailabilityEditorProps & ReturnType<typeof useWeeklyTemplate>;

function LoadedEditor({ active, save, readActive, isSaving, aircraft, ...form }: LoadedEditorProps) {
  const [initialRows] = useState(() => rowsOfTemplate(active));
  const { kept, keptRows, news, drop } = useKeptWeek(readActive);
  /** the week that the pilot changes; a later one is only known once the pilot has been asked about it */
  const seen = useRef(kept && !kept.isConflict ? changedIn(kept, active) : active);
  useEffect(() => {
    if (news) seen.current = news.active;
  }, [news]);

  const saveUnlessChanged = async (slots: SlotInput[]): Promise<Conflict | 'kept' | null> => {
    const saved = await save(slots, seen.current);
    if ('kept' in saved) return 'kept';
    if ('stored' in saved) {
      seen.current = saved.stored;
      return null;
    }
    seen.current = saved.theirs;
    return { rows: rowsOfTemplate(saved.theirs) };
  };

  return (
    <WeekForm
      {...form}
      initialRows={initialRows}
      keptRows={keptRows}
      isWaiting={kept !== undefined && kept.refused === undefined}
      news={news}
      onTakeTheirs={drop}
      aircraft={aircraft}
      isSaving={isSaving}
      save={saveUnlessChanged}
    />
  );
}

/** The week that a kept one changes, which need not be the stored one any more. */
function changedIn({ version }: KeptWeek, active: TemplateDto | undefined): TemplateDto | undefined {
  return version === null ? undefined : active && { ...active, version };
}
