import { Button, Stack } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { Panel } from '#client/components/panel.tsx';
import { WizardButtons } from '#client/components/wizard-page.tsx';
import { focusFirstError, showServerError } from '#client/lib/form.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { registrationForm } from '#shared/schemas/registration.ts';
import { discordCopy } from './discord-text.ts';
import { completeRegistration, registrationError } from './registration-calls.ts';

export interface RegistrationFormProps {
  discordUserId: string;
  /** as the link says it; the server takes the one that the bot gave it */
  discordUsername: string | undefined;
  guildId: string;
  /** the link's secret */
  session: string;
}

const DEFAULT_ZONE = 'UTC';

/** Call sign, zone and one choice; the link says who it is. */
export function RegistrationForm(link: RegistrationFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const [error, setError] = useState<string | null>(null);
  const form = useForm({
    mode: 'controlled',
    initialValues: { callSign: '', timeZone: DEFAULT_ZONE, wantsGlobalEvents: false },
    validate: schemaResolver(registrationForm, { sync: true }),
  });
  const complete = useMutation({
    mutationFn: (values: typeof form.values) =>
      completeRegistration.mutate({ ...link, ...values, availabilityWindows: [] }),
    onSuccess: async ({ message, fightClubUserId, signInUrl }) => {
      // Linked already to whoever is signed in: the header shows the new call sign.
      if (fightClubUserId === viewer?.id) await rereadViewer(client);
      // The link is used up: nothing is gained by going back to it.
      await navigate({
        to: '/discord/registration/success',
        replace: true,
        state: { registration: { message, userId: fightClubUserId, signInUrl } },
      });
    },
    onError: (cause) => {
      showServerError(form, cause, '');
      setError(registrationError(cause));
    },
  });
  const { timeZone, wantsGlobalEvents } = form.values;

  return (
    <Panel title="Your Profile">
      {viewer !== null && (
        <FormNote>
          <span>
            You are signed in as {viewerName(viewer)}. Your Discord account is registered separately. This account isn't
            affected unless the two are already linked.
          </span>
        </FormNote>
      )}
      <form
        noValidate
        onSubmit={form.onSubmit((values) => {
          setError(null);
          complete.mutate(values);
        }, focusFirstError(form))}
      >
        <FormError message={error} />
        <Stack gap="md">
          <CallSignField {...form.getInputProps('callSign')} />
          <TimeZoneField
            {...form.getInputProps('timeZone')}
            value={timeZone}
            current={DEFAULT_ZONE}
            onDetected={(zone) => form.setFieldValue('timeZone', zone)}
          />
          <Choice
            label={discordCopy.globalEvents}
            meaning={discordCopy.globalEventsMeaning}
            checked={wantsGlobalEvents}
            onChange={(checked) => form.setFieldValue('wantsGlobalEvents', checked)}
          />
        </Stack>
        <WizardButtons>
          <Button type="submit" disabled={complete.isPending}>
            {complete.isPending ? 'Saving...' : discordCopy.complete}
          </Button>
        </WizardButtons>
      </form>
    </Panel>
  );
}
