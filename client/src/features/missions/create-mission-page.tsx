import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate, formatShortDate } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { CreatedMissionDto } from '#shared/schemas/missions.ts';
import { CreatedPanel } from './created-panel.tsx';
import { missionAgain } from './mission-again.ts';
import { newDraft, splitLocal } from './mission-draft.ts';
import { MissionForm } from './mission-form.tsx';

/** /admin/missions: build a mission from aircraft slots; then what came of it. */
export function CreateMissionPage() {
  const search = useSearch({ from: '/_signed-in/admin/missions/' });
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const [created, setCreated] = useState<CreatedMissionDto | null>(null);
  // A link with other times or another mission starts the form anew.
  const key = JSON.stringify(search);
  return (
    <>
      <PageHeader
        title="Create Mission"
        lead={created === null ? 'Frag orders go out to the pilots who fit as soon as the mission exists.' : undefined}
        actions={
          <LinkButton to="/admin" variant="default">
            Dashboard
          </LinkButton>
        }
      />
      {created !== null ? (
        <CreatedPanel created={created} onAgain={() => setCreated(null)} />
      ) : aircraft.data === undefined ? (
        <Panel>
          <Loaded query={aircraft} loading="Loading aircraft..." failure={copy.unknownError} rows={8}>
            {() => null}
          </Loaded>
        </Panel>
      ) : search.from !== undefined ? (
        <FormAgain key={key} id={search.from} aircraft={aircraft.data} onCreated={setCreated} />
      ) : (
        <MissionForm
          key={key}
          aircraft={aircraft.data}
          initial={newDraft(search, timeZone, now)}
          timeZone={timeZone}
          onCreated={setCreated}
        />
      )}
    </>
  );
}

interface FormAgainProps {
  /** of the mission to make another one of */
  id: string;
  aircraft: readonly AircraftDto[];
  onCreated: (created: CreatedMissionDto) => void;
}

/** The form filled from another mission, a week or more later. */
function FormAgain({ id, aircraft, onCreated }: FormAgainProps) {
  const { timeZone } = useSignedInViewer();
  const now = useNow();
  const mission = trpc.admin.mission.get.useQuery({ id });
  if (mission.data === undefined) {
    return (
      <Panel>
        <Loaded query={mission} loading="Loading the mission to copy..." failure={copy.unknownError} rows={8}>
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
  const { draft, leftOut } = missionAgain(mission.data, aircraft, timeZone, now);
  return (
    <>
      <FormNote>
        Copied from {mission.data.name} of {formatShortDate(mission.data.startUtc, timeZone)}, to the same weekday and
        hours on {formatCalendarDate(splitLocal(draft.startLocal).date)}.
        {leftOut > 0 &&
          ` ${leftOut === 1 ? 'One entry is' : `${leftOut} entries are`} left out: the aircraft is not offered any more.`}
      </FormNote>
      <MissionForm aircraft={aircraft} initial={draft} timeZone={timeZone} onCreated={onCreated} />
    </>
  );
}
