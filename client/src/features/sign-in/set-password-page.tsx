import { Button, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { NewPasswordFields } from '#client/domain-ui/credentials-fields.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { errorCode } from '#client/lib/errors.ts';
import { useServerForm } from '#client/lib/server-form.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { isConfirmed, passwordForm, PASSWORDS_DIFFER } from '#shared/schemas/password-links.ts';
import classes from './set-password-page.module.css';

const wholeForm = passwordForm.refine(isConfirmed, PASSWORDS_DIFFER);

/** The account of the link; null for a link that does not work (any more). */
async function readHolder(token: string) {
  try {
    return await trpcClient.auth.passwordLink.mutate({ token });
  } catch (cause) {
    if (errorCode(cause) === 'LINK_INVALID' || errorCode(cause) === 'VALIDATION') return null;
    throw cause;
  }
}

/** /set-password/{token}: sets a password with a personal link, which is checked when the page opens. */
export function SetPasswordPage({ token }: { token: string }) {
  const viewer = useViewer();
  const holder = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => readHolder(token),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <div className={classes.page}>
      <PageHeader title="Set your password" />
      <Panel>
        <Loaded query={holder} loading="Checking the link..." failure={copy.unknownError}>
          {(found) =>
            found === null ? (
              <EmptyState title="This link doesn't work any more" action={<LinkButton to="/login">Sign In</LinkButton>}>
                {copy.passwordLinkInvalid}
              </EmptyState>
            ) : (
              <>
                {viewer !== null && viewer.email !== found.email && (
                  <FormNote>
                    <span>
                      You are signed in as {viewerName(viewer)}. This link is for {viewerName(found)}.
                    </span>
                  </FormNote>
                )}
                <p className={classes.who}>
                  {found.displayName !== null && `Welcome, ${found.displayName}. `}You sign in as{' '}
                  <strong>{found.email}</strong>.
                </p>
                <PasswordForm token={token} email={found.email} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

/** The next step of a pilot who has just set a password: what the wizard asks and is still missing, or home. */
async function nextStep(id: string, displayName: string | null) {
  if (displayName === null) return '/register/profile' as const;
  const templates = await trpcClient.availability.templates.query({ id }).catch(() => null);
  const hasWeek = templates === null || templates.some(({ isActive, slots }) => isActive && slots.length > 0);
  return hasWeek ? ('/home' as const) : ('/register/preferences' as const);
}

function PasswordForm({ token, email }: { token: string; email: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useServerForm({
    schema: wholeForm,
    mode: 'uncontrolled',
    initialValues: { password: '', confirmPassword: '' },
    failure: copy.unknownError,
  });
  const save = trpc.auth.setPassword.useMutation({
    onSuccess: async ({ id, displayName }) => {
      const to = await nextStep(id, displayName);
      await rereadViewer(client);
      await navigate({ to, replace: true });
    },
    onError: (cause) => {
      // the password is saved
      if (errorCode(cause) === 'SECOND_FACTOR_REQUIRED')
        void navigate({ to: '/login', replace: true, state: { secondStep: true } });
      else form.refuse(cause);
    },
  });
  return (
    <form noValidate onSubmit={form.submit((input) => save.mutate({ token, ...input }))}>
      <FormError message={form.refusal} />
      {/* password managers store the password under this name */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Stack gap="md">
        <NewPasswordFields form={form} />
        <Button type="submit" fullWidth disabled={save.isPending || save.isSuccess}>
          {save.isPending ? 'Saving...' : 'Save and Sign In'}
        </Button>
      </Stack>
    </form>
  );
}
