import { Button, Skeleton } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { CredentialsFields } from '#client/domain-ui/credentials-fields.tsx';
import { WizardButtons } from '#client/components/wizard-page.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { useHasPassword } from '#client/lib/has-password.ts';
import { panelLink } from '#shared/profile-sections.ts';
import { useMergeViewer, useSignedInViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { credentialsInput } from '#shared/schemas/auth.ts';
import { discordCopy } from './discord-text.ts';
import classes from './success-page.module.css';
import type { Told } from '#client/lib/failure.ts';

/**
 * /credentials: sets the email and first password of an account that was registered from Discord, and the first password of
 * one that an admin imported with an email.
 */
export function CredentialsPage() {
  const viewer = useSignedInViewer();
  const hasPassword = useHasPassword();
  return (
    <div className={classes.page}>
      <PageHeader
        title="Set email and password"
        lead={`You are signed in as ${viewerName(viewer)}. Set these to sign in here without Discord.`}
      />
      <Panel>
        {hasPassword === undefined ? (
          <Skeleton h={260} />
        ) : hasPassword ? (
          <FormNote>
            <span>
              This account signs in as {viewer.email}.{' '}
              <Link {...panelLink('password')}>Change the password on your profile</Link>
            </span>
          </FormNote>
        ) : (
          <CredentialsForm email={viewer.email} />
        )}
      </Panel>
    </div>
  );
}

/** @param props.email the address that the account has; '' for none */
function CredentialsForm({ email }: { email: string }) {
  const navigate = useNavigate();
  const mergeViewer = useMergeViewer();
  const utils = trpc.useUtils();
  const [error, setError] = useState<Told>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email, password: '', confirmPassword: '' },
    validate: schemaResolver(credentialsInput, { sync: true }),
  });
  const save = trpc.auth.setCredentials.useMutation({
    onSuccess: async (user) => {
      // that the account has a password now
      void utils.auth.deletion.invalidate();
      await navigate({ to: '/home', replace: true });
      mergeViewer(user);
    },
    onError: (cause) => setError(showServerError(form, cause, discordCopy.credentialsFailed)),
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        setError(null);
        save.mutate(values);
      }, focusFirstError(form))}
    >
      <FormError message={error} />
      <CredentialsFields form={form} />
      <WizardButtons>
        <LinkButton variant="default" to="/home">
          Not now
        </LinkButton>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </Button>
      </WizardButtons>
    </form>
  );
}
