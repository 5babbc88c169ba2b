import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EmailField } from '#client/components/email-field.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { MAIL } from '#shared/limits.ts';
import { requestPasswordInput } from '#shared/schemas/password-links.ts';
import classes from './set-password-page.module.css';

/** /forgot-password: asks for the address that a link to choose a new password is sent to. */
export function ForgotPasswordPage() {
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <div className={classes.page}>
      <PageHeader title="Forgot your password?" />
      <Panel>
        <Loaded query={ways} loading="Loading..." failure={copy.unknownError} rows={4}>
          {({ mail }) => {
            if (!mail) {
              return (
                <EmptyState
                  title="Ask an admin for a new password"
                  action={<LinkButton to="/login">Sign In</LinkButton>}
                >
                  {copy.mailOff} An admin can make a personal link with which you choose a new one.
                </EmptyState>
              );
            }
            return sentTo === null ? <RequestForm onSent={setSentTo} /> : <Sent to={sentTo} />;
          }}
        </Loaded>
      </Panel>
    </div>
  );
}

function Sent({ to }: { to: string }) {
  return (
    <div role="status">
      <p className={classes.who}>
        If <strong>{to}</strong> belongs to an account, a link to choose a new password is on its way there. It works
        once, within {MAIL.passwordMinutes} minutes.
      </p>
      <p className={classes.who}>Nothing arrived after a few minutes? Look in the spam folder, or ask an admin.</p>
      <LinkButton to="/login">Sign In</LinkButton>
    </div>
  );
}

function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useServerForm({
    schema: requestPasswordInput,
    mode: 'uncontrolled',
    initialValues: { email: '' },
    failure: copy.unknownError,
  });
  const request = trpc.auth.requestPassword.useMutation({
    onSuccess: (_answer, { email }) => onSent(email),
    onError: form.refuse,
  });
  return (
    <form noValidate onSubmit={form.submit((input) => request.mutate(input))}>
      <FormError message={form.refusal} />
      <Stack gap="md">
        <p className={classes.lead}>Enter the email that you sign in with. You get a link to choose a new password.</p>
        <EmailField key={form.key('email')} {...form.getInputProps('email')} />
        <Button type="submit" fullWidth disabled={request.isPending}>
          {request.isPending ? 'Sending...' : 'Send the Link'}
        </Button>
        <p className={classes.lead}>
          <Link to="/login">Back to sign in</Link>
        </p>
      </Stack>
    </form>
  );
}
