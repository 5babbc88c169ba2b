import { Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { Panel } from '#client/components/panel.tsx';
import { focusFirstError, pointOut, showServerError } from '#client/lib/form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { useMergeViewer, useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { profileForm } from '#shared/schemas/auth.ts';
import { EmailState } from './email-state.tsx';
import { profileCopy } from './profile-text.ts';
import { SaveRow } from './save-row.tsx';
import { useReportUnsaved, type ReportUnsaved } from './unsaved.ts';
import { ZonePreview } from './zone-preview.tsx';
import classes from './identity-panel.module.css';

/** Panel of call sign and time zone; the email is read-only. */
export function IdentityPanel({ reportUnsaved }: { reportUnsaved: ReportUnsaved }) {
  const viewer = useSignedInViewer();
  const mergeViewer = useMergeViewer();
  const trpcUtils = trpc.useUtils();
  const [error, setError] = useState<string | null>(null);
  const [result, setResult] = useState<string | null>(null);
  const form = useForm({
    mode: 'controlled',
    initialValues: { displayName: viewer.displayName ?? '', timeZone: viewer.timeZone },
    validate: schemaResolver(profileForm, { sync: true }),
    onValuesChange: () => setResult(null),
  });
  const update = trpc.pilot.updateProfile.useMutation({
    onSuccess: async ({ looksLike, ...user }) => {
      mergeViewer(user);
      const saved = { displayName: user.displayName ?? '', timeZone: user.timeZone };
      form.setInitialValues(saved);
      form.setValues(saved);
      form.resetDirty(saved);
      setResult(profileCopy.profileSaved);
      showToast(profileCopy.profileSaved);
      pointOut(looksLike);
      // The availability window depends on the profile's zone.
      await trpcUtils.availability.window.invalidate();
    },
    onError: (cause) => setError(showServerError(form, cause, screenCopy.profileFailed)),
  });
  useReportUnsaved(reportUnsaved, 'Who you are', form.isDirty());
  const { timeZone } = form.values;

  return (
    <Panel anchor="identity" title="Who you are">
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          setError(null);
          update.mutate({ id: viewer.id, ...values });
        }, focusFirstError(form))}
      >
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
        <SaveRow label="Save Profile" isSaving={update.isPending} isDirty={form.isDirty()} result={result} />
      </form>
    </Panel>
  );
}
