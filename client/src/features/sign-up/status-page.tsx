import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Annunciator, type Lamp } from '#client/components/annunciator.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import { statusForm, type StatusDto } from '#shared/schemas/pilot.ts';
import type { StatusState } from '#shared/vocabulary.ts';
import { WizardButtons, WizardPage } from '#client/components/wizard-page.tsx';
import classes from './status-page.module.css';

const LAMPS: readonly Lamp<StatusState>[] = [
  {
    value: 'available',
    label: 'Available',
    signal: 'gray',
    shape: 'circle',
    hint: 'Get missions that fit your weekly times',
  },
  {
    value: 'dnd',
    label: 'Do Not Disturb',
    signal: 'red',
    shape: 'square',
    hint: 'No missions starting within 24 hours',
  },
  {
    value: 'now',
    label: 'Available Now',
    signal: 'green',
    shape: 'triangle',
    hint: 'Ready to fly now, for a set time',
  },
];

/** Wizard step 4: initial status; shows the current status when a pilot returns. */
export function StatusPage() {
  const viewer = useSignedInViewer();
  // Refetch whenever the page opens, so that the form does not start with a stale status.
  const status = trpc.pilot.status.useQuery({ id: viewer.id }, { refetchOnMount: 'always' });
  return (
    <WizardPage
      step={3}
      title="Initial Status"
      lead="What others see first. You can change it any time on your home screen."
    >
      <Panel>
        <Loaded
          query={{ ...status, data: status.isFetchedAfterMount ? status.data : undefined }}
          loading={screenCopy.loadingStatus}
          failure={screenCopy.statusLoadFailed}
        >
          {(stored) => <StatusForm stored={stored} />}
        </Loaded>
      </Panel>
    </WizardPage>
  );
}

interface Values {
  state: StatusState;
  minutes: number | null;
}

function StatusForm({ stored }: { stored: StatusDto }) {
  const viewer = useSignedInViewer();
  const navigate = useNavigate();
  const trpcUtils = trpc.useUtils();
  const start: Values = { state: stored.effectiveState, minutes: stored.minutes ?? STATUS_MINUTES.initial };
  const form = useServerForm({
    schema: statusForm,
    mode: 'controlled',
    initialValues: start,
    // Hidden minutes must not be validated.
    toInput: ({ state, minutes }) => ({ state, minutes: state === 'now' ? minutes : null }),
    failure: screenCopy.statusFailed,
  });
  const setStatus = trpc.pilot.setStatus.useMutation({
    onSuccess: async (status) => {
      trpcUtils.pilot.status.setData({ id: viewer.id }, status);
      await navigate({ to: '/home', state: { isNewcomer: true } });
    },
    onError: form.refuse,
  });
  const { state, minutes } = form.values;

  return (
    <form
      noValidate
      onSubmit={form.submit((input) => {
        // Saving an unchanged status would restart its minutes.
        if (!form.isDirty()) {
          void navigate({ to: '/home', state: { isNewcomer: true } });
          return;
        }
        setStatus.mutate({
          id: viewer.id,
          state: input.state,
          ...(input.minutes !== null && { minutes: input.minutes }),
        });
      })}
    >
      <FormError message={form.refusal} />
      <Annunciator
        label="Initial Status"
        lamps={LAMPS}
        value={state}
        onChange={(next) => form.setFieldValue('state', next)}
      />
      {state === 'now' && (
        <TextInput
          className={classes.minutes}
          label="Minutes"
          description="How long you are ready to fly"
          type="number"
          inputMode="numeric"
          min={STATUS_MINUTES.inputMin}
          max={STATUS_MINUTES.max}
          step={STATUS_MINUTES.step}
          data-path="minutes"
          error={form.errors['minutes']}
          value={minutes ?? ''}
          onChange={({ currentTarget }) =>
            form.setFieldValue('minutes', currentTarget.value === '' ? null : currentTarget.valueAsNumber)
          }
        />
      )}
      <WizardButtons>
        <LinkButton variant="default" to="/register/preferences">
          Back
        </LinkButton>
        <Button type="submit" disabled={setStatus.isPending}>
          {setStatus.isPending ? 'Saving...' : 'Complete Registration'}
        </Button>
      </WizardButtons>
    </form>
  );
}
