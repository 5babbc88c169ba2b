import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Choice } from '#client/components/choice.tsx';
import { FormError, FormNote } from '#client/components/form-error.tsx';
import { CallSignField, TimeZoneField } from '#client/domain-ui/identity-fields.tsx';
import { useZoneQuestion } from '#client/domain-ui/use-zone-question.ts';
import { ZoneQuestion } from '#client/domain-ui/zone-question.tsx';
import { Panel } from '#client/components/panel.tsx';
import { WizardButtons } from '#client/components/wizard-page.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { rereadViewer, useViewer, viewerName } from '#client/lib/session.ts';
import { firstTimeZone } from '#client/lib/time.ts';
import { type RegistrationLinkDto, registrationForm } from '#shared/schemas/registration.ts';
import { discordCopy } from './discord-text.ts';
import { completeRegistration, registrationError } from './registration-calls.ts';

export interface PersonalLink {
  discordUserId: string;
  /** from the link, for display; the server uses the name from the bot */
  discordUsername: string | undefined;
  guildId: string;
  /** the link's secret */
  session: string;
}

interface RegistrationFormProps extends PersonalLink {
  /** the account that is linked to the Discord account; null without one */
  profile: RegistrationLinkDto['profile'];
}

/** Registration form for call sign, time zone and news; the link identifies the person. */
export function RegistrationForm({ profile, ...link }: RegistrationFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const viewer = useViewer();
  const form = useServerForm({
    schema: registrationForm,
    mode: 'controlled',
    initialValues: {
      callSign: profile?.callSign ?? '',
      timeZone: firstTimeZone(profile),
      wantsGlobalEvents: profile?.wantsGlobalEvents ?? false,
    },
    failure: registrationError,
  });
  const complete = useMutation({
    mutationFn: (values: typeof form.values) =>
      completeRegistration.mutate({ ...link, ...values, availabilityWindows: [] }),
    onSuccess: async ({ message, fightClubUserId, signInUrl }) => {
      // The signed-in account is the linked one: update the call sign in the header.
      if (fightClubUserId === viewer?.id) await rereadViewer(client);
      // Replaces the history entry, because the link is used up.
      await navigate({
        to: '/discord/registration/success',
        replace: true,
        state: { registration: { message, userId: fightClubUserId, signInUrl } },
      });
    },
    onError: form.refuse,
  });
  const question = useZoneQuestion();
  const { timeZone, wantsGlobalEvents } = form.values;

  return (
    <Panel title="Your Profile">
      {profile !== null && (
        <FormNote>
          <span>
            {profile.callSign === null ? 'You are registered already.' : `You are registered as ${profile.callSign}.`}{' '}
            This form changes your profile.
          </span>
        </FormNote>
      )}
      {viewer !== null && profile === null && (
        <FormNote>
          <span>
            You are signed in as {viewerName(viewer)}. Your Discord account is registered separately. This account isn't
            affected.
          </span>
        </FormNote>
      )}
      <form
        noValidate
        onSubmit={form.submit((values) => {
          const isNew = profile === null || profile.callSign === null;
          question.ask(values.timeZone, isNew || form.isDirty('timeZone'), (zone) => {
            form.setFieldValue('timeZone', zone);
            complete.mutate({ ...values, timeZone: zone });
          });
        })}
      >
        <FormError message={form.refusal} />
        <Stack gap="md">
          <CallSignField {...form.getInputProps('callSign')} />
          <TimeZoneField
            {...form.getInputProps('timeZone')}
            value={timeZone}
            current={profile?.timeZone ?? timeZone}
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
      <ZoneQuestion {...question.dialog} />
    </Panel>
  );
}
