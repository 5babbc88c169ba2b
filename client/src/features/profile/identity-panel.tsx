import { Stack } from '@mantine/core';
// oxlint-disable-next-line no-restricted-imports -- it merges with what was saved elsewhere
import { schemaResolver, useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { ProfileConflict } from '#client/domain-ui/profile-conflict.tsx';
import { useZoneQuestion } from '#client/domain-ui/use-zone-question.ts';
import { ZoneQuestion } from '#client/domain-ui/zone-question.tsx';
import { useSaveProfile, type ProfileValues } from '#client/domain-ui/use-save-profile.ts';
import { Panel } from '#client/components/panel.tsx';
import { focusFirstError } from '#client/lib/form-errors.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import { firstTimeZone } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { profileForm } from '#shared/schemas/auth.ts';
import { EmailState } from './email-state.tsx';
import { profileCopy } from './profile-text.ts';
import { SaveRow } from './save-row.tsx';
import { useReportUnsaved } from './unsaved.ts';
import { ZonePreview } from './zone-preview.tsx';
import classes from './identity-panel.module.css';

/** Panel of call sign and time zone; the email is read-only. */
export function IdentityPanel() {
  const viewer = useSignedInViewer();
  const submitButton = useRef<HTMLButtonElement>(null);
  const [result, setResult] = useState<string | null>(null);
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      displayName: viewer.displayName ?? '',
      timeZone: firstTimeZone({ callSign: viewer.displayName, timeZone: viewer.timeZone }),
    },
    validate: schemaResolver(profileForm, { sync: true }),
    onValuesChange: () => setResult(null),
  });
  const { save, error, isSaving, conflict } = useSaveProfile(form, () => {
    setResult(profileCopy.profileSaved);
    showToast(profileCopy.profileSaved);
    return Promise.resolve(null);
  });
  const question = useZoneQuestion();
  const submit = (values: ProfileValues): void =>
    question.ask(values.timeZone, viewer.displayName === null || form.isDirty('timeZone'), (zone) => {
      form.setFieldValue('timeZone', zone);
      void save({ ...values, timeZone: zone });
    });
  useReportUnsaved('Who you are', form.isDirty());
  const { timeZone } = form.values;

  return (
    <Panel anchor="identity" title="Who you are">
      <form noValidate onSubmit={form.onSubmit(submit, focusFirstError(form))}>
        <FormError message={error} />
        <Stack gap="md">
          <dl className={classes.account}>
            <dt>Email</dt>
            <dd>
              {viewer.email === '' ? (
                <>
                  None yet. <Link to="/credentials">Set email and password</Link>
                </>
              ) : (
                <span className={classes.state}>
                  {viewer.email}
                  <EmailState />
                </span>
              )}
            </dd>
          </dl>
          <CallSignField {...form.getInputProps('displayName')} />
          <TimeZoneField
            {...form.getInputProps('timeZone')}
            value={timeZone}
            current={viewer.timeZone}
            onDetected={(zone) => form.setFieldValue('timeZone', zone)}
          />
          <ZonePreview viewer={viewer} timeZone={timeZone} />
        </Stack>
        {conflict && (
          <ProfileConflict
            mine={form.values}
            theirs={conflict.theirs}
            isSaving={isSaving}
            onKeep={() => void save(form.getValues())}
            onTake={() => {
              conflict.take();
              // the pressed button is gone
              submitButton.current?.focus();
            }}
          />
        )}
        <SaveRow
          label="Save Profile"
          isSaving={isSaving}
          isDirty={form.isDirty()}
          result={result}
          submitButton={submitButton}
        />
      </form>
      <ZoneQuestion {...question.dialog} />
    </Panel>
  );
}
