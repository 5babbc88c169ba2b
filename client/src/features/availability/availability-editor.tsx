import { useDeferredValue, useRef, useState, type ReactNode } from 'react';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { Panel } from '#client/components/panel.tsx';
import { failureOf } from '#client/lib/failure.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import type { SlotInput } from '#shared/schemas/availability.ts';
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

function LoadedEditor({ active, save, isSaving, aircraft, ...form }: LoadedEditorProps) {
  const [initialRows] = useState(() => rowsOfTemplate(active));
  /** the week that the pilot changes; a later one is only known once the pilot has been asked about it */
  const seen = useRef(active);

  const saveUnlessChanged = async (slots: SlotInput[]): Promise<Conflict | null> => {
    const saved = await save(slots, seen.current);
    if ('stored' in saved) {
      seen.current = saved.stored;
      return null;
    }
    seen.current = saved.theirs;
    return { rows: rowsOfTemplate(saved.theirs) };
  };

  return (
    <WeekForm {...form} initialRows={initialRows} aircraft={aircraft} isSaving={isSaving} save={saveUnlessChanged} />
  );
}
