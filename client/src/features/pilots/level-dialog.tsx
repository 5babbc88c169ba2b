import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogButtons } from '#client/components/dialog.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import { PROFICIENCY_LEVELS } from '#shared/vocabulary.ts';
import classes from './level-dialog.module.css';
import { pilotCopy } from './pilot-text.ts';

interface LevelDialogProps {
  pilotId: string;
  /** proficiency to edit; null to choose an aircraft in the dialog */
  edited: ProficiencyDto | null;
  /** aircraft to choose from */
  catalogue: readonly AircraftDto[];
  onClose: () => void;
}

/** Dialog that sets a pilot's level in one aircraft or removes the aircraft from the list. */
export function LevelDialog({ pilotId, edited, catalogue, onClose }: LevelDialogProps) {
  const viewer = useSignedInViewer();
  const trpcUtils = trpc.useUtils();
  const [aircraftId, setAircraftId] = useState(edited?.aircraftId ?? 0);
  const [level, setLevel] = useState(edited?.level ?? 'basic');
  const [error, setError] = useState<Told>(null);

  const settle = async (said: string): Promise<void> => {
    void trpcUtils.admin.audit.invalidate();
    await Promise.all([trpcUtils.admin.pilot.invalidate(), trpcUtils.pilot.proficiencies.invalidate()]);
    showToast(said);
    onClose();
  };
  const put = trpc.pilot.setProficiency.useMutation({
    onSuccess: () => settle(pilotCopy.levelSet),
    onError: (failed) => setError(failureOf(failed, pilotCopy.levelFailed)),
  });
  const remove = trpc.pilot.removeProficiency.useMutation({
    onSuccess: () => settle(pilotCopy.levelRemoved),
    onError: (failed) => setError(failureOf(failed, pilotCopy.levelRemoveFailed)),
  });
  const isBusy = put.isPending || remove.isPending;

  return (
    <Dialog opened title={edited ? `Level in ${edited.aircraftName}` : 'Set a level'} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setError(null);
          if (aircraftId === 0) {
            setError(pilotCopy.chooseAircraft);
          } else if (!isBusy) {
            put.mutate({ id: pilotId, aircraftId, level });
          }
        }}
      >
        <FormError message={error} />
        {edited === null && (
          <NativeSelect
            label="Aircraft"
            value={String(aircraftId)}
            data={[
              { value: '0', label: 'Choose an aircraft' },
              ...catalogue.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            onChange={({ currentTarget }) => setAircraftId(Number(currentTarget.value))}
          />
        )}
        <NativeSelect
          label="Level"
          value={level}
          data={[...PROFICIENCY_LEVELS]}
          onChange={({ currentTarget }) =>
            setLevel(PROFICIENCY_LEVELS.find((one) => one === currentTarget.value) ?? level)
          }
        />
        {pilotId !== viewer.id && <p className={classes.note}>{pilotCopy.levelStands}</p>}
        <DialogButtons>
          {edited !== null && (
            <Button
              variant="outline"
              color="red"
              className={classes.remove}
              loading={remove.isPending}
              onClick={() => {
                setError(null);
                remove.mutate({ id: pilotId, aircraftId });
              }}
            >
              Remove from list
            </Button>
          )}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={put.isPending}>
            Set level
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
