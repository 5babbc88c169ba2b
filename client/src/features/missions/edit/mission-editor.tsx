import { Button } from '@mantine/core';
import { Loaded } from '#client/components/loaded.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { MissionOrderDto } from '#shared/schemas/mission-admin.ts';
import type { EditedMissionDto } from '#shared/schemas/mission-edit.ts';
import { EditForm } from './edit-form.tsx';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './mission-editor.module.css';

interface MissionEditorProps {
  missionId: string;
  orders: readonly MissionOrderDto[];
  onSaved: (edited: EditedMissionDto) => void;
  onClose: () => void;
}

/** Loads a mission's latest version and the aircraft list for the edit form. */
export function MissionEditor({ missionId, orders, onSaved, onClose }: MissionEditorProps) {
  const { timeZone } = useSignedInViewer();
  // The form keeps the version that it was opened with; saving detects newer changes.
  const mission = trpc.admin.mission.get.useQuery(
    { id: missionId, tz: timeZone },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  );
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  // An earlier fetch may return an older version: wait for one that began after mounting.
  const state = mission.isFetchedAfterMount ? mission.data : undefined;
  const missing = [...(state === undefined ? [mission] : []), ...(aircraft.data === undefined ? [aircraft] : [])];
  return (
    <div className={classes.editor}>
      {state === undefined || aircraft.data === undefined ? (
        <>
          <Loaded
            query={{
              data: undefined,
              error: missing.find(({ error }) => error !== null)?.error ?? null,
              refetch: () => Promise.all(missing.map((query) => query.refetch())),
            }}
            loading={workCopy.loadingMission}
            failure={copy.unknownError}
            prefix={workCopy.missionFailed}
            rows={6}
          >
            {() => null}
          </Loaded>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </>
      ) : (
        <EditForm
          mission={state}
          aircraft={aircraft.data}
          orders={orders}
          timeZone={timeZone}
          onReload={async () => {
            const { data, error } = await mission.refetch();
            return data === undefined || error !== null ? { error } : { newer: data };
          }}
          onSaved={onSaved}
          onClose={onClose}
        />
      )}
    </div>
  );
}
