import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Checkbox.css';
import { Checkbox, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useId, useState } from 'react';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { type AircraftTypeDto, createAircraftInput } from '#shared/schemas/aircraft.ts';
import { MISSION_ROLES, type MissionRole } from '#shared/vocabulary.ts';
import { aircraftCopy } from './aircraft-text.ts';
import classes from './aircraft.module.css';
import type { Told } from '#client/lib/failure.ts';

interface AircraftDialogProps {
  /** null to add one */
  type: AircraftTypeDto | null;
  onClose: () => void;
}

/** Dialog that adds an aircraft type of the community's own, or changes one. */
export function AircraftDialog({ type, onClose }: AircraftDialogProps) {
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const wrongId = useId();
  const form = useForm<{ name: string; code: string; seats: string; roles: MissionRole[] }>({
    mode: 'controlled',
    initialValues: {
      name: type?.name ?? '',
      code: type?.code ?? '',
      seats: String(type?.seats ?? 1),
      roles: type?.roles ?? [],
    },
    validate: (values) => schemaResolver(createAircraftInput, { sync: true })(payloadOf(values)),
  });
  const settings = (sentence: (name: string) => string) => ({
    onSuccess: async ({ name }: AircraftTypeDto) => {
      void utils.admin.audit.invalidate();
      void utils.availability.aircraft.invalidate();
      await utils.admin.aircraft.invalidate();
      showToast(sentence(name));
      onClose();
    },
    onError: (cause: unknown) => setError(showServerError(form, cause, copy.unknownError)),
  });
  const create = trpc.admin.aircraft.create.useMutation(settings(aircraftCopy.added));
  const update = trpc.admin.aircraft.update.useMutation(settings(aircraftCopy.changed));
  const { roles } = form.values;
  const wrong = form.errors['roles'];
  return (
    <Dialog opened title={type ? `Edit ${type.name}` : 'Add aircraft'} onClose={onClose}>
      <DialogForm
        error={error}
        onClose={onClose}
        submit={type ? 'Save' : 'Add Aircraft'}
        isBusy={create.isPending || update.isPending}
        onSubmit={form.onSubmit((values) => {
          setError(null);
          if (type) update.mutate({ ...payloadOf(values), id: type.id });
          else create.mutate(payloadOf(values));
        }, focusFirstError(form))}
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
