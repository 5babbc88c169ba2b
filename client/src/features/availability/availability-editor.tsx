import { useRef, useState, type ReactNode } from 'react';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { Panel } from '#client/components/panel.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import type { SlotInput, TemplateDto } from '#shared/schemas/availability.ts';
import { useWeeklyTemplate } from './use-weekly-template.ts';
import { rowsOfTemplate } from './week.ts';
import { WeekForm, type Conflict } from './week-form.tsx';

interface AvailabilityEditorProps {
  /** sentence when saving fails without one of the server */
  failure: string;
  onSaved: () => unknown;
  /** the button's words while nothing is being saved */
  submitLabel: string;
  /** the way out without saving */
  back: ReactNode;
}

/** The week of the viewer, loaded and saved: on /availability and in the wizard. */
export function AvailabilityEditor(props: AvailabilityEditorProps) {
  const template = useWeeklyTemplate();
  const { active, aircraft, isLoading, error, retry } = template;
  // Once the form stands it stays, with what is not saved yet, when a later reading fails.
  const [hasBegun, setBegun] = useState(false);
  if (!hasBegun && error === null && !isLoading) {
    setBegun(true);
  }
  if (!hasBegun && error !== null) {
    return (
      <Panel>
        <ErrorState message={errorMessage(error, screenCopy.availabilityLoadFailed)} onRetry={retry} />
      </Panel>
    );
  }
  if (!hasBegun && isLoading) {
    return (
      <Panel>
        <LoadingState text={screenCopy.loadingAvailability} rows={7} />
      </Panel>
    );
  }
  return <LoadedEditor {...props} {...template} active={active} aircraft={aircraft} />;
}

type LoadedEditorProps = AvailabilityEditorProps & ReturnType<typeof useWeeklyTemplate>;

function LoadedEditor({ active, readActive, save, isSaving, aircraft, ...form }: LoadedEditorProps) {
  const [initialRows] = useState(() => rowsOfTemplate(active));
  /** the slots on the server that the pilot has seen */
  const known = useRef(slotsText(active));
  const [isChecking, setChecking] = useState(false);

  const saveUnlessChanged = async (slots: SlotInput[]): Promise<Conflict | null> => {
    setChecking(true);
    try {
      const now = await readActive();
      if (slotsText(now) !== known.current) {
        known.current = slotsText(now);
        return { rows: rowsOfTemplate(now) };
      }
      await save(slots, now);
      return null;
    } finally {
      setChecking(false);
    }
  };

  return (
    <WeekForm
      {...form}
      initialRows={initialRows}
      aircraft={aircraft}
      isSaving={isSaving || isChecking}
      save={saveUnlessChanged}
    />
  );
}

function slotsText(template: TemplateDto | undefined): string {
  return JSON.stringify(template?.slots ?? []);
}
