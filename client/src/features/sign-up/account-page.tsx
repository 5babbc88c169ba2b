import { Button } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { Panel } from '#client/components/panel.tsx';
import { CredentialsFields } from '#client/domain-ui/credentials-fields.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { registerInput } from '#shared/schemas/auth.ts';
import { WizardButtons, WizardPage } from '#client/components/wizard-page.tsx';

/** Wizard step 1: creates the account from email and password, and signs in. */
export function AccountPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const [error, setError] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', confirmPassword: '' },
    validate: schemaResolver(registerInput, { sync: true }),
  });
  const register = trpc.auth.register.useMutation({
    onSuccess: async () => {
      await rereadViewer(client);
      await navigate({ to: '/register/profile' });
    },
    onError: (cause) => setError(showServerError(form, cause, screenCopy.registrationFailed)),
  });

  return (
    <WizardPage step={0} title="Create Account" lead="Four short steps and you are on the roster.">
      <Panel>
        {viewer !== null && (
          <FormNote>
            <span>
              Your account {viewerName(viewer)} exists and is signed in.{' '}
              <Link to="/register/profile">Continue to your profile</Link>
            </span>
          </FormNote>
        )}
        <form
          noValidate
          onSubmit={form.onSubmit((values) => {
            setError(null);
            register.mutate(values);
          }, focusFirstError(form))}
        >
          <FormError message={error} />
          <CredentialsFields form={form} />
          <WizardButtons>
            <span>
              Already registered? <Link to="/login">Sign in</Link>
            </span>
            <Button type="submit" disabled={register.isPending}>
              {register.isPending ? 'Creating Account...' : 'Continue'}
            </Button>
          </WizardButtons>
        </form>
      </Panel>
    </WizardPage>
  );
}
