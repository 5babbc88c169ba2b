import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { CreatedMissionDto } from '#shared/schemas/missions.ts';
import { CreatedPanel } from './created-panel.tsx';
import { MissionForm } from './mission-form.tsx';

/** /admin/missions: build a mission from aircraft slots; then what came of it. */
export function CreateMissionPage() {
  const search = useSearch({ from: '/_signed-in/admin/missions/' });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const [created, setCreated] = useState<CreatedMissionDto | null>(null);
  return (
    <>
      <PageHeader
        title="Create Mission"
        lead={created === null ? 'Frag orders go out to the pilots who fit as soon as the mission exists.' : undefined}
      />
      {created !== null ? (
        <CreatedPanel created={created} onAgain={() => setCreated(null)} />
      ) : aircraft.data === undefined ? (
        <Panel>
          <Loaded query={aircraft} loading="Loading aircraft..." failure={copy.unknownError} rows={8}>
            {() => null}
          </Loaded>
        </Panel>
      ) : (
        <MissionForm
          // A link with other times starts the form anew.
          key={`${search.start}/${search.end}`}
          aircraft={aircraft.data}
          search={search}
          onCreated={setCreated}
        />
      )}
    </>
  );
}
