import { Button, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { CredentialsFields } from '#client/domain-ui/credentials-fields.tsx';
import { WizardButtons } from '#client/components/wizard-page.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { useHasPassword } from '#client/lib/has-password.ts';
import { panelLink } from '#shared/profile-sections.ts';
import { useMergeViewer, useSignedInViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { credentialsInput } from '#shared/schemas/auth.ts';
import { discordCopy } from './discord-text.ts';
import classes from './success-page.module.css';

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
  const form = useServerForm({
    schema: credentialsInput,
    mode: 'uncontrolled',
    initialValues: { email, password: '', confirmPassword: '' },
    failure: discordCopy.credentialsFailed,
  });
  const save = trpc.auth.setCredentials.useMutation({
    onSuccess: async (user) => {
      // that the account has a password now
      void utils.auth.deletion.invalidate();
      await navigate({ to: '/home', replace: true });
      mergeViewer(user);
    },
    onError: form.refuse,
  });
  return (
    <form noValidate onSubmit={form.submit((input) => save.mutate(input))}>
      <FormError message={form.refusal} />
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
