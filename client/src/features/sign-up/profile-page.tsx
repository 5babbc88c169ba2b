import { Button, Stack } from '@mantine/core';
// oxlint-disable-next-line no-restricted-imports -- it merges with what was saved elsewhere
import { schemaResolver, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { FormError } from '#client/components/form-error.tsx';
import { mergeDraft, type AircraftDraft } from '#client/domain-ui/aircraft-list/aircraft-draft.ts';
import { AircraftList } from '#client/domain-ui/aircraft-list/aircraft-list.tsx';
import { aircraftCopy } from '#client/domain-ui/aircraft-list/aircraft-text.ts';
import { useAircraftDraft } from '#client/domain-ui/aircraft-list/use-aircraft-draft.ts';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { ProfileConflict } from '#client/domain-ui/profile-conflict.tsx';
import { useZoneQuestion } from '#client/domain-ui/use-zone-question.ts';
import { ZoneQuestion } from '#client/domain-ui/zone-question.tsx';
import { useSaveProfile, type ProfileValues } from '#client/domain-ui/use-save-profile.ts';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Panel } from '#client/components/panel.tsx';
import { focusFirstError } from '#client/lib/form-errors.ts';
import { isAdmin, useSignedInViewer } from '#client/lib/session.ts';
import { findRequested, useSlotRequest, type SlotRequest } from '#client/lib/slot-request.ts';
import { trpc } from '#client/lib/trpc.ts';
import { firstTimeZone } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { formatTime } from '#shared/clock.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { profileForm } from '#shared/schemas/auth.ts';
import type { ProficiencyDto } from '#shared/schemas/profile.ts';
import { WizardButtons, WizardPage } from '#client/components/wizard-page.tsx';
import classes from './profile-page.module.css';

/** Wizard step 2: call sign, time zone, and the aircraft that the pilot flies, which are optional. */
export function ProfilePage() {
  const viewer = useSignedInViewer();
  const navigate = useNavigate();
  const now = useNow();
  const request = useSlotRequest();
  const listed = trpc.pilot.proficiencies.useQuery({ id: viewer.id });
  const catalogue = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const aircraft = useAircraftDraft(listed.data ?? [], requestedDraft(request, listed.data, catalogue.data));
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      displayName: viewer.displayName ?? request?.callSign ?? '',
      timeZone: firstTimeZone({ callSign: viewer.displayName, timeZone: viewer.timeZone }),
    },
    validate: schemaResolver(profileForm, { sync: true }),
  });
  const { save, error, isSaving, conflict } = useSaveProfile(form, async () => {
    const refusal = await aircraft.save();
    if (refusal === null) await navigate({ to: '/register/preferences' });
    return refusal;
  });
  const question = useZoneQuestion();
  const submit = (values: ProfileValues): void =>
    question.ask(values.timeZone, viewer.displayName === null || form.isDirty('timeZone'), (zone) => {
      form.setFieldValue('timeZone', zone);
      void save({ ...values, timeZone: zone });
    });
  const { displayName, timeZone } = form.values;

  return (
    <WizardPage step={1} title="Your Profile" lead="Who you are on the roster, where you are, and what you fly.">
      <Panel>
        <form noValidate onSubmit={form.onSubmit(submit, focusFirstError(form))}>
          <FormError message={error} />
          <Stack gap="md">
            <CallSignField {...form.getInputProps('displayName')} />
            <TimeZoneField
              {...form.getInputProps('timeZone')}
              value={timeZone}
              current={viewer.timeZone}
              onDetected={(zone) => form.setFieldValue('timeZone', zone)}
            />
            <p className={classes.preview} aria-live="polite">
              <Mark shape="rectangle" />
              <strong>{displayName.trim() || 'Your call sign'}</strong>
              <span>
                {timeZone} <span className={classes.clock}>{formatTime(now, timeZone)}</span>
              </span>
            </p>
            <fieldset className={classes.aircraft}>
              <legend>Aircraft you fly (optional)</legend>
              <Loaded
                query={catalogue}
                loading={aircraftCopy.loadingCatalogue}
                failure={aircraftCopy.catalogueFailed}
                rows={5}
              >
                {(known) => (
                  <AircraftList
                    rows={mergeDraft(listed.data ?? [], aircraft.draft, known)}
                    catalogue={known}
                    isAdmin={isAdmin(viewer)}
                    onSet={aircraft.set}
                  />
                )}
              </Loaded>
            </fieldset>
          </Stack>
          {conflict && (
            <ProfileConflict
              mine={form.values}
              theirs={conflict.theirs}
              isSaving={isSaving}
              onKeep={() => void save(form.getValues())}
              onTake={() => {
                conflict.take();
                form.getInputNode('displayName')?.focus();
              }}
            />
          )}
          <WizardButtons>
            <LinkButton variant="default" to="/register/account">
              Back
            </LinkButton>
            <Button type="submit" disabled={isSaving}>
              {isSaving ? 'Saving...' : 'Continue'}
            </Button>
          </WizardButtons>
        </form>
        <ZoneQuestion {...question.dialog} />
      </Panel>
    </WizardPage>
  );
}

/** The aircraft of the visitor's request as an unsaved entry, unless the account already lists it. */
function requestedDraft(
  request: SlotRequest | undefined,
  listed: readonly ProficiencyDto[] | undefined,
  catalogue: readonly AircraftDto[] | undefined,
): AircraftDraft | undefined {
  if (request === undefined || listed === undefined || catalogue === undefined) return undefined;
  const aircraft = findRequested(request, catalogue);
  const isListed = listed.some(({ aircraftId }) => aircraftId === aircraft?.id);
  return aircraft === undefined || isListed ? undefined : new Map([[aircraft.id, request.level]]);
}
