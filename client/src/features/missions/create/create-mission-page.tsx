import { useSearch } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { LoadingState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate, formatShortDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { MissionDetailDto } from '#shared/schemas/mission-admin.ts';
import type { CreatedMissionDto } from '#shared/schemas/missions.ts';
import { CreatedPanel } from './created-panel.tsx';
import { missionAgain } from './mission-again.ts';
import { newDraft, slotsOf, splitLocal } from './mission-draft.ts';
import { MissionForm } from './mission-form.tsx';
import { TemplateChoice, TemplateForm } from './template-form.tsx';
import type { Together } from '#client/features/missions/week-plan/together-note.tsx';

const LOADING = 'Loading aircraft...';

/** /admin/missions: creates a mission from aircraft slots and shows the result. */
export function CreateMissionPage() {
  const search = useSearch({ from: '/_signed-in/admin/missions/' });
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const query = trpc.availability.aircraft.useQuery({ activeOnly: true });
  // React renders the form in slices: its scripts have just taken long.
  const aircraft = useDeferredValue(query.data ?? null, null);
  // A link with other times or another mission resets the form.
  const key = JSON.stringify(search);
  const [last, setMade] = useState<{ key: string; created: CreatedMissionDto; together: Together | null } | null>(null);
  const made = last?.key === key ? last : null;
  const setCreated: FormAgainProps['onCreated'] = (created, together) => setMade({ key, created, together });
  return (
    <>
      <PageHeader
        title="Create Mission"
        lead={made === null ? 'Frag orders go to suitable pilots as soon as the mission is created.' : undefined}
        actions={
          <LinkButton to="/admin" variant="default">
            Board
          </LinkButton>
        }
      />
      {made === null && aircraft !== null && <TemplateChoice chosen={search.template} date={search.date} />}
      {made !== null ? (
        <CreatedPanel created={made.created} together={made.together} onAgain={() => setMade(null)} />
      ) : aircraft === null ? (
        <Panel>
          <Loaded query={query} loading={LOADING} failure={copy.unknownError} rows={8}>
            {() => <LoadingState text={LOADING} rows={8} />}
          </Loaded>
        </Panel>
      ) : search.from !== undefined ? (
        <FormAgain key={key} id={search.from} aircraft={aircraft} onCreated={setCreated} />
      ) : search.template !== undefined ? (
        <TemplateForm key={key} id={search.template} date={search.date} aircraft={aircraft} onCreated={setCreated} />
      ) : (
        <MissionForm
          key={key}
          aircraft={aircraft}
          initial={{ ...newDraft(search, timeZone, now), aircraftSlots: slotsOf(search, aircraft) }}
          timeZone={timeZone}
          onCreated={setCreated}
        />
      )}
    </>
  );
}

interface FormAgainProps {
  /** id of the mission to copy */
  id: string;
  aircraft: readonly AircraftDto[];
  onCreated: (created: CreatedMissionDto, together: Together | null) => void;
}

/** Create form filled from another mission, moved by a week or more. */
function FormAgain({ id, aircraft, onCreated }: FormAgainProps) {
  // The form keeps its initial values, so they must not come from a stale cache.
  const mission = trpc.admin.mission.get.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  if (mission.data === undefined || !mission.isFetchedAfterMount) {
    return (
      <Panel>
        <Loaded
          query={{ data: undefined, error: mission.error, refetch: mission.refetch }}
          loading="Loading the mission to copy..."
          failure={copy.unknownError}
          rows={8}
        >
          {() => null}
        </Loaded>
        {mission.error !== null && (
          <LinkButton to="/admin/missions" variant="default">
            Start with an empty form
          </LinkButton>
        )}
      </Panel>
    );
  }
  return <FormOf mission={mission.data} aircraft={aircraft} onCreated={onCreated} />;
}

/** @param mission initial state; later changes are ignored */
function FormOf({ mission, aircraft, onCreated }: Omit<FormAgainProps, 'id'> & { mission: MissionDetailDto }) {
  const { timeZone } = useSignedInViewer();
  const [{ name, startUtc, draft, leftOut }] = useState(() => ({
    name: mission.name,
    startUtc: mission.startUtc,
    ...missionAgain(mission, aircraft, timeZone, new Date()),
  }));
  return (
    <>
      <FormNote>
        Copied from {name} of {formatShortDate(startUtc, timeZone)}, to the same weekday and hours on{' '}
        {formatCalendarDate(splitLocal(draft.startLocal).date)}.
        {leftOut > 0 &&
          ` ${leftOut === 1 ? 'One entry is' : `${leftOut} entries are`} left out: the aircraft is no longer available.`}
      </FormNote>
      <MissionForm aircraft={aircraft} initial={draft} timeZone={timeZone} onCreated={onCreated} />
    </>
  );
}
