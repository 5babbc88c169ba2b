import { Button } from '@mantine/core';
import { Loaded } from '#client/components/loaded.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { EditedMissionDto, MissionOrderDto } from '#shared/schemas/mission-work.ts';
import { EditForm } from './edit-form.tsx';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './mission-editor.module.css';

interface MissionEditorProps {
  missionId: string;
  orders: readonly MissionOrderDto[];
  onSaved: (edited: EditedMissionDto) => void;
  onClose: () => void;
}

/** A mission opened to be edited: its newest state and the aircraft to choose from. */
export function MissionEditor({ missionId, orders, onSaved, onClose }: MissionEditorProps) {
  const { timeZone } = useSignedInViewer();
  // The form stands on the state it was opened with; what changes meanwhile is found when it is saved.
  const mission = trpc.admin.mission.get.useQuery(
    { id: missionId, tz: timeZone },
    { staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  );
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  // A fetch that outlived the last opening holds the state from before it: the form waits for the answer to this one.
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
