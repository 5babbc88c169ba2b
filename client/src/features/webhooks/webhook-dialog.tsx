import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { Dialog, DialogForm } from '#client/components/dialog.tsx';
import { useServerForm } from '#client/lib/server-form.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { createWebhookInput, type WebhookDto } from '#shared/schemas/webhooks.ts';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from '#shared/webhook-events.ts';
import { hostOf, webhooksCopy } from './webhooks-text.ts';
import classes from './webhooks.module.css';

interface WebhookDialogProps {
  /** null to create one */
  webhook: WebhookDto | null;
  onClose: () => void;
  /** called with the secret of a new webhook, which is shown once */
  onCreated: (secret: string, host: string) => void;
}

/** Dialog that creates or edits a webhook. */
export function WebhookDialog({ webhook, onClose, onCreated }: WebhookDialogProps) {
  const utils = trpc.useUtils();
  const wrongId = useId();
  const form = useServerForm({
    schema: createWebhookInput,
    mode: 'controlled',
    initialValues: {
      url: webhook?.url ?? '',
      description: webhook?.description ?? '',
      events: webhook?.events ?? [],
    },
    failure: copy.unknownError,
  });
  const refresh = async (): Promise<void> => {
    void utils.admin.audit.invalidate();
    await utils.admin.webhooks.invalidate();
  };
  const create = trpc.admin.webhooks.create.useMutation({
    onSuccess: async ({ secret, url }) => {
      await refresh();
      onCreated(secret, hostOf(url));
    },
    onError: form.refuse,
  });
  const update = trpc.admin.webhooks.update.useMutation({
    onSuccess: async () => {
      await refresh();
      showToast(webhooksCopy.changed);
      onClose();
    },
    onError: form.refuse,
  });
  const { events } = form.values;
  const wrong = form.errors['events'];
  return (
    <Dialog opened title={webhook ? `Edit webhook to ${hostOf(webhook.url)}` : 'Add webhook'} onClose={onClose}>
      <DialogForm
        error={form.refusal}
        onClose={onClose}
        submit={webhook ? 'Save' : 'Add Webhook'}
        isBusy={create.isPending || update.isPending}
        onSubmit={form.submit((input) =>
          webhook ? update.mutate({ ...input, id: webhook.id, enabled: webhook.enabled }) : create.mutate(input),
        )}
      >
        <div className={classes.form}>
          <TextInput
            label="Address"
            description="Marshal posts events there: https, and reachable from the internet."
            type="url"
            inputMode="url"
            autoComplete="off"
            required
            {...form.getInputProps('url')}
          />
          <TextInput
            label="Note"
            description="What it is for. Only admins see it."
            autoComplete="off"
            {...form.getInputProps('description')}
          />
          <fieldset className={classes.choices} aria-describedby={wrong === undefined ? undefined : wrongId}>
            <legend>Events</legend>
            {WEBHOOK_EVENT_NAMES.map((name) => (
              <Choice
                key={name}
                label={name}
                meaning={WEBHOOK_EVENTS[name]}
                checked={events.includes(name)}
                onChange={(isChosen) => {
                  form.setFieldValue('events', isChosen ? [...events, name] : events.filter((one) => one !== name));
                  form.clearFieldError('events');
                }}
              />
            ))}
          </fieldset>
          {wrong !== undefined && (
            <p id={wrongId} role="alert" className={classes.wrong}>
              {wrong}
            </p>
          )}
        </div>
      </DialogForm>
    </Dialog>
  );
}
