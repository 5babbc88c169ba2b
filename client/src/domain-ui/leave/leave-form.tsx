import { Button, TextInput } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { SaveConflict } from '#client/components/save-conflict.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { errorCode } from '#client/lib/errors.ts';
import { useServerForm } from '#client/lib/server-form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { LEAVE } from '#shared/limits.ts';
import { leaveForm, type LeaveDto, type LeavePreviewDto } from '#shared/schemas/leave.ts';
import { EFFECTS, leaveCopy, leaveWords } from './leave-text.ts';
import { useRereadLeave, useStoreLeave } from './use-leave.ts';
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

const valuesOf = (leave: LeaveDto | null) => ({
  firstDate: leave?.firstDate ?? '',
  lastDate: leave?.lastDate ?? '',
  reason: leave?.reason ?? '',
});

type Missions = LeavePreviewDto['missions'];

/**
 * Form of a leave. Before it is saved it names the missions that the pilot would lose, and asks once more. A leave that is
 * changed elsewhere replaces the values, unless something has been typed.
 */
export function LeaveForm(props: LeaveFormProps) {
  const { leave } = props;
  const [isTouched, setTouched] = useState(false);
  const [known, setKnown] = useState(leave);
  /** the leave that the form began with */
  const [start, setStart] = useState(leave);
  if (known?.version !== leave?.version) {
    setKnown(leave);
    if (!isTouched) setStart(leave);
  }
  return <OpenForm key={start?.version ?? 'none'} {...props} start={start} onTouch={setTouched} />;
}

interface OpenFormProps extends LeaveFormProps {
  start: LeaveDto | null;
  /** told if the form has unsaved changes */
  onTouch: (isTouched: boolean) => void;
}

function OpenForm({ pilot, name, leave, others, onSaved, start, onTouch }: OpenFormProps) {
  const utils = trpc.useUtils();
  const store = useStoreLeave(pilot.id);
  const reread = useRereadLeave(pilot.id);
  const submitButton = useRef<HTMLButtonElement>(null);
  const today = localDate(useNow(), pilot.timeZone);
  const [missions, setMissions] = useState<Missions | null>(null);
  const save = trpc.availability.setLeave.useMutation();
  /** the leave that the form changes */
  const [seen, setSeen] = useState(start);
  const form = useServerForm({
    schema: leaveForm,
    mode: 'controlled',
    initialValues: valuesOf(start),
    onValuesChange: (values) => {
      // what was previewed is no longer what would be saved
      setMissions(null);
      onTouch(JSON.stringify(values) !== JSON.stringify(valuesOf(seen)));
    },
    failure: leaveCopy.saveFailed,
  });

  /** the leave that was saved elsewhere while the form was open; undefined for none */
  const [theirs, setTheirs] = useState<LeaveDto | null>();
  const show = (stored: LeaveDto | null): void => {
    setSeen(stored);
    form.setValues(valuesOf(stored));
    onTouch(false);
    setTheirs(undefined);
  };

  const submit = form.submit(async (input) => {
    try {
      const { firstDate, lastDate } = input;
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
      const stored = await save.mutateAsync({ id: pilot.id, ...input, version: seen?.version ?? null });
      show(stored);
      await store(stored);
      setMissions(null);
      showToast(leaveCopy.saved);
      onSaved?.();
    } catch (cause) {
      if (errorCode(cause) !== 'CHANGED') {
        form.refuse(cause);
        return;
      }
      const stored = await reread();
      setSeen(stored);
      setTheirs(stored);
    }
  });

  return (
    <form noValidate onSubmit={submit} aria-label={leaveCopy.title}>
      <FormError message={form.refusal} />
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
      {theirs !== undefined && (
        <SaveConflict
          sentence="The leave was changed somewhere else while this page was open."
          versions={[
            { label: 'Mine', words: leaveWords(form.values) },
            { label: 'Theirs', words: leaveWords(theirs) },
          ]}
          isSaving={save.isPending}
          onKeep={() => submit()}
          onTake={() => {
            show(theirs);
            // the pressed button is gone
            submitButton.current?.focus();
          }}
        />
      )}
      <div className={classes.buttons}>
        <Button
          ref={submitButton}
          type="submit"
          variant={missions === null ? 'default' : 'filled'}
          loading={save.isPending}
        >
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
