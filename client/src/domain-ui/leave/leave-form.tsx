import { Button, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { LEAVE } from '#shared/limits.ts';
import { leaveForm, type LeaveDto, type LeavePreviewDto } from '#shared/schemas/leave.ts';
import { EFFECTS, leaveCopy } from './leave-text.ts';
import { useStoreLeave } from './use-leave.ts';
import classes from './leave-form.module.css';

interface LeaveFormProps {
  pilot: { id: string; timeZone: string };
  /** null for the viewer's own leave */
  name: string | null;
  /** the leave to change; null for a new one */
  leave: LeaveDto | null;
  /** buttons beside Save */
  others?: ReactNode;
  onSaved?: () => void;
}

type Missions = LeavePreviewDto['missions'];

/** Form of a leave. Before it is saved it names the missions that the pilot would lose, and asks once more. */
export function LeaveForm({ pilot, name, leave, others, onSaved }: LeaveFormProps) {
  const utils = trpc.useUtils();
  const store = useStoreLeave(pilot.id);
  const today = localDate(useNow(), pilot.timeZone);
  const [error, setError] = useState<string | null>(null);
  const [missions, setMissions] = useState<Missions | null>(null);
  const save = trpc.availability.setLeave.useMutation();
  const form = useForm({
    mode: 'controlled',
    initialValues: { firstDate: leave?.firstDate ?? '', lastDate: leave?.lastDate ?? '', reason: leave?.reason ?? '' },
    // what was previewed is no longer what would be saved
    onValuesChange: () => setMissions(null),
    validate: schemaResolver(leaveForm, { sync: true }),
  });

  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      const { firstDate, lastDate } = values;
      if (missions === null) {
        const preview = await utils.availability.previewLeave.fetch(
          { id: pilot.id, firstDate, lastDate },
          { staleTime: 0 },
        );
        if (preview.missions.some(({ effect }) => effect !== 'stays')) {
          setMissions(preview.missions);
          return;
        }
      }
      await store(await save.mutateAsync({ id: pilot.id, ...values }));
      setMissions(null);
      showToast(leaveCopy.saved);
      onSaved?.();
    } catch (cause) {
      setError(showServerError(form, cause, leaveCopy.saveFailed));
    }
  }, focusFirstError(form));

  return (
    <form noValidate onSubmit={submit} aria-label={leaveCopy.title}>
      <FormError message={error} />
      <div className={classes.fields}>
        <TextInput type="date" label="First date" {...form.getInputProps('firstDate')} />
        <TextInput
          type="date"
          label="Last date"
          min={form.values.firstDate > today ? form.values.firstDate : today}
          {...form.getInputProps('lastDate')}
        />
        <TextInput
          label="Reason (optional)"
          className={classes.reason}
          maxLength={LEAVE.reasonLength}
          autoComplete="off"
          {...form.getInputProps('reason')}
        />
      </div>
      <div role="status">{missions !== null && <Taken missions={missions} name={name} />}</div>
      <div className={classes.buttons}>
        <Button type="submit" variant={missions === null ? 'default' : 'filled'} loading={save.isPending}>
          {missions !== null ? 'Save leave anyway' : leave === null ? 'Set leave' : 'Change leave'}
        </Button>
        {others}
      </div>
    </form>
  );
}

/** The missions that a leave takes from a pilot. */
function Taken({ missions, name }: { missions: Missions; name: string | null }) {
  return (
    <div className={classes.taken}>
      <p>{leaveCopy.takesAway(name)}</p>
      <ul>
        {missions.map(({ missionId, missionName, startUtc, effect }) => (
          <li key={missionId}>
            <strong>{missionName}</strong>, <ZTime iso={startUtc} withDate copyable={false} />: {EFFECTS[effect]}
          </li>
        ))}
      </ul>
    </div>
  );
}
