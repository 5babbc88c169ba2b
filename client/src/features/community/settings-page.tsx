import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/InlineInput.css';
import { Button, Radio, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FormError } from '#client/components/form-error.tsx';
import { LeaveGuard } from '#client/components/leave-guard.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { COMMUNITY_NAME_MAX_LENGTH } from '#shared/limits.ts';
import { updateCommunityInput, type CommunityDto } from '#shared/schemas/community.ts';
import { REGISTRATION_MODES } from '#shared/vocabulary.ts';
import { communityCopy, MODE_WORDS } from './community-text.ts';
import { MailPanel } from './mail-panel.tsx';
import { MessagePanel } from './message-panel.tsx';
import classes from './community.module.css';

/** /admin/settings: the name of the community and who may register. */
export function SettingsPage() {
  const settings = trpc.admin.community.get.useQuery(undefined, { refetchOnMount: 'always' });
  return (
    <>
      <Link to="/admin" className={classes.back}>
        ← Board
      </Link>
      <PageHeader title="Settings" lead="Your community and how pilots join it" />
      <Panel>
        <Loaded
          query={{ ...settings, data: settings.isFetchedAfterMount ? settings.data : undefined }}
          loading={communityCopy.loadingSettings}
          failure={copy.unknownError}
          prefix={communityCopy.settingsFailed}
          rows={11}
        >
          {(stored) => <SettingsForm stored={stored} />}
        </Loaded>
      </Panel>
      <div className={`${classes.below} ${classes.parts}`}>
        <MessagePanel />
        <MailPanel />
      </div>
    </>
  );
}

function SettingsForm({ stored }: { stored: CommunityDto }) {
  const utils = trpc.useUtils();
  const form = useServerForm({
    schema: updateCommunityInput,
    mode: 'controlled',
    initialValues: { name: stored.name ?? '', registration: stored.registration },
    failure: copy.unknownError,
  });
  const update = trpc.admin.community.update.useMutation({
    onSuccess: async (saved) => {
      utils.admin.community.get.setData(undefined, saved);
      void utils.admin.audit.invalidate();
      void utils.admin.community.invalidate();
      form.setValues({ name: saved.name ?? '', registration: saved.registration });
      form.resetDirty({ name: saved.name ?? '', registration: saved.registration });
      showToast(communityCopy.saved);
    },
    onError: form.refuse,
  });
  return (
    <form noValidate className={classes.settings} onSubmit={form.submit((input) => update.mutate(input))}>
      <LeaveGuard isDirty={form.isDirty()}>Your changes to the settings are not saved.</LeaveGuard>
      <FormError message={form.refusal} />
      <TextInput
        label="Community name"
        description="Pilots see it on their invite."
        placeholder="104th Virtual Squadron"
        maxLength={COMMUNITY_NAME_MAX_LENGTH}
        autoComplete="organization"
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Registration" {...form.getInputProps('registration')}>
        <div className={classes.modes}>
          {REGISTRATION_MODES.map((mode) => (
            <Radio
              key={mode}
              value={mode}
              color="cyan"
              label={MODE_WORDS[mode].label}
              description={MODE_WORDS[mode].meaning}
            />
          ))}
        </div>
      </Radio.Group>
      <div className={classes.foot}>
        <Button type="submit" disabled={update.isPending || !form.isDirty()}>
          {update.isPending ? 'Saving...' : 'Save Settings'}
        </Button>
        <LinkButton to="/admin/invites" variant="default">
          Invites
        </LinkButton>
      </div>
    </form>
  );
}
