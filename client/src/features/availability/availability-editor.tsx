import type { ReactNode } from 'react';
import { ErrorState, LoadingState } from '#client/components/query-states.tsx';
import { Panel } from '#client/components/panel.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { screenCopy } from '#client/lib/screen-copy.ts';
import { copy } from '#shared/copy.ts';
import { useWeeklyTemplate } from './use-weekly-template.ts';
import { rowsOfTemplate } from './week.ts';
import { WeekForm } from './week-form.tsx';

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
export function AvailabilityEditor({ failure, onSaved, submitLabel, back }: AvailabilityEditorProps) {
  const { active, aircraft, isLoading, error, retry, isSaving, save } = useWeeklyTemplate();
  if (error !== null) {
    return (
      <Panel>
        <ErrorState message={errorMessage(error, copy.unknownError)} onRetry={retry} />
      </Panel>
    );
  }
  if (isLoading) {
    return (
      <Panel>
        <LoadingState text={screenCopy.loadingAvailability} rows={7} />
      </Panel>
    );
  }
  return (
    <WeekForm
      // A template that came from elsewhere starts the form anew.
      key={active?.id ?? 'new'}
      initialRows={rowsOfTemplate(active)}
      aircraft={aircraft}
      failure={failure}
      isSaving={isSaving}
      save={save}
      onSaved={onSaved}
      submitLabel={submitLabel}
      back={back}
    />
  );
}
