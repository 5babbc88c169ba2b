import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { CredentialsFields } from '#client/domain-ui/credentials-fields.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { screenCopy } from '#client/lib/screen-text.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { useSlotRequest } from '#client/lib/slot-request.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { registerInput } from '#shared/schemas/auth.ts';
import type { RegistrationDto } from '#shared/schemas/community.ts';
import { WizardButtons, WizardPage } from '#client/components/wizard-page.tsx';

/** Wizard step 1: creates the account from email and password, and signs in. @param invite token of an invite link */
export function AccountPage({ invite }: { invite: string | undefined }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const request = useSlotRequest();
  const registration = trpc.auth.registration.useQuery(invite === undefined ? {} : { invite });
  const closed = registration.data ? closedSentence(registration.data) : null;
  const form = useServerForm({
    schema: registerInput,
    mode: 'uncontrolled',
    initialValues: { email: request?.email ?? '', password: '', confirmPassword: '' },
    toInput: (values) => (invite === undefined ? values : { ...values, invite }),
    failure: screenCopy.registrationFailed,
  });
  const register = trpc.auth.register.useMutation({
    onSuccess: async () => {
      await rereadViewer(client);
      await navigate({ to: '/register/profile', ...(request && { state: { slotRequest: request } }) });
    },
    onError: form.refuse,
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
        {closed !== null && (
          <Closed
            sentence={closed}
            canRegister={registration.data?.mode !== 'invite'}
            isInvited={invite !== undefined}
          />
        )}
        {closed === null && registration.data && <Welcome registration={registration.data} />}
        <form hidden={closed !== null} noValidate onSubmit={form.submit((input) => register.mutate(input))}>
          <FormError message={form.refusal} />
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

/** Why nobody can register here with this link; null when they can. */
function closedSentence({ mode, invite }: RegistrationDto): string | null {
  if (invite !== null) return invite.problem;
  return mode === 'invite' ? copy.inviteRequired : null;
}

interface ClosedProps {
  sentence: string;
  /** registration without an invite is possible */
  canRegister: boolean;
  isInvited: boolean;
}

/** Box in place of the form, with the next step. */
function Closed({ sentence, canRegister, isInvited }: ClosedProps) {
  return (
    <>
      <FormError message={sentence} />
      <WizardButtons>
        <span>
          Already registered? <Link to="/login">Sign in</Link>
        </span>
        {isInvited && canRegister && <LinkButton to="/register/account">Register without an invite</LinkButton>}
      </WizardButtons>
    </>
  );
}

/** Note above the form: the community, and that an admin approves the account. Nothing where neither is known. */
function Welcome({ registration: { community, mode, invite } }: { registration: RegistrationDto }) {
  const needsApproval = invite === null ? mode === 'approval' : invite.needsApproval;
  const sentences = [
    ...(invite !== null && community !== null ? [`You are joining ${community}.`] : []),
    ...(needsApproval ? ['An admin approves new accounts before they fly.'] : []),
  ];
  return sentences.length === 0 ? null : <FormNote>{sentences.join(' ')}</FormNote>;
}
