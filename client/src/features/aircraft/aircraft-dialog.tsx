import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox, TextInput } from '@mantine/core';
import { useId } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { type AircraftTypeDto, createAircraftInput } from '#shared/schemas/aircraft.ts';
import { MISSION_ROLES, type MissionRole } from '#shared/vocabulary.ts';
import { aircraftCopy } from './aircraft-text.ts';
import classes from './aircraft.module.css';

interface AircraftDialogProps {
  /** null to add one */
  type: AircraftTypeDto | null;
  onClose: () => void;
}

/** Dialog that adds an aircraft type of the community's own, or changes one. */
export function AircraftDialog({ type, onClose }: AircraftDialogProps) {
  const utils = trpc.useUtils();
  const wrongId = useId();
  const form = useServerForm({
    schema: createAircraftInput,
    mode: 'controlled',
    initialValues: {
      name: type?.name ?? '',
      code: type?.code ?? '',
      seats: String(type?.seats ?? 1),
      roles: type?.roles ?? [],
    },
    toInput: payloadOf,
    failure: copy.unknownError,
  });
  const settings = (sentence: (name: string) => string) => ({
    onSuccess: async ({ name }: AircraftTypeDto) => {
      void utils.admin.audit.invalidate();
      void utils.availability.aircraft.invalidate();
      await utils.admin.aircraft.invalidate();
      showToast(sentence(name));
      onClose();
    },
    onError: form.refuse,
  });
  const create = trpc.admin.aircraft.create.useMutation(settings(aircraftCopy.added));
  const update = trpc.admin.aircraft.update.useMutation(settings(aircraftCopy.changed));
  const { roles } = form.values;
  const wrong = form.errors['roles'];
  return (
    <Dialog opened title={type ? `Edit ${type.name}` : 'Add aircraft'} onClose={onClose}>
      <DialogForm
        error={form.refusal}
        onClose={onClose}
        submit={type ? 'Save' : 'Add Aircraft'}
        isBusy={create.isPending || update.isPending}
        onSubmit={form.submit((input) => (type ? update.mutate({ ...input, id: type.id }) : create.mutate(input)))}
      >
        <div className={classes.form}>
          <TextInput label="Name" autoComplete="off" required {...form.getInputProps('name')} />
          <TextInput
            label="Code"
            description={aircraftCopy.codeHint}
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('code')}
          />
          <TextInput
            label="Seats"
            description={aircraftCopy.seatsHint}
            inputMode="numeric"
            autoComplete="off"
            required
            {...form.getInputProps('seats')}
          />
          <fieldset className={classes.choices} aria-describedby={wrong === undefined ? undefined : wrongId}>
            <legend>Usual roles</legend>
            <p className={classes.hint}>{aircraftCopy.rolesHint}</p>
            <div className={classes.grid}>
              {MISSION_ROLES.map((role) => (
                <Checkbox
                  key={role}
                  label={role}
                  color="cyan"
                  size="md"
                  classNames={{ root: classes.role }}
                  checked={roles.includes(role)}
                  onChange={({ currentTarget }) => {
                    form.setFieldValue(
                      'roles',
                      currentTarget.checked ? [...roles, role] : roles.filter((one) => one !== role),
                    );
                    form.clearFieldError('roles');
                  }}
                />
              ))}
            </div>
          </fieldset>
          {wrong !== undefined && (
            <p id={wrongId} role="alert" className={classes.wrong}>
              {wrong}
            </p>
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}

/** The call's input; text that is not a number stays invalid. */
function payloadOf({ seats, ...values }: { name: string; code: string; seats: string; roles: MissionRole[] }) {
  return { ...values, seats: /^\s*\d+\s*$/.test(seats) ? Number(seats) : Number.NaN };
}
