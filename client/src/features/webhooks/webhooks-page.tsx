import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { WebhookDto } from '#shared/schemas/webhooks.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookTable, type WebhookTask } from './webhook-table.tsx';
import { hostOf, webhooksCopy } from './webhooks-text.ts';
import classes from './webhooks.module.css';

/** The dialog that is open. */
type Asking =
  | { kind: 'create' }
  | { kind: 'edit' | 'pause' | 'rotate' | 'delete'; webhook: WebhookDto }
  | { kind: 'secret'; secret: string; host: string; isRotated: boolean };

/** /admin/webhooks: the webhooks, their secrets and deliveries, and how to verify a request. */
export function WebhooksPage() {
  const { log, page = 1 } = useSearch({ from: '/_signed-in/admin/webhooks' });
  const navigate = useNavigate({ from: '/admin/webhooks' });
  const utils = trpc.useUtils();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const webhooks = trpc.admin.webhooks.list.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });

  const settings = (sentence: string) => ({
    onSuccess: async () => {
      void utils.admin.audit.invalidate();
      await utils.admin.webhooks.invalidate();
      showToast(sentence);
      close();
    },
    onError: (cause: unknown) => {
      showFailure(cause, copy.unknownError);
      close();
    },
  });
  const pause = trpc.admin.webhooks.update.useMutation(settings(webhooksCopy.paused));
  const enable = trpc.admin.webhooks.update.useMutation(settings(webhooksCopy.enabled));
  const remove = trpc.admin.webhooks.remove.useMutation(settings(webhooksCopy.deleted));
  const test = trpc.admin.webhooks.test.useMutation(settings(webhooksCopy.testQueued));
  const rotate = trpc.admin.webhooks.rotateSecret.useMutation({
    ...settings(''),
    onSuccess: async ({ secret }, { id }) => {
      const url = webhooks.data?.find((one) => one.id === id)?.url ?? '';
      await utils.admin.webhooks.invalidate();
      setAsking({ kind: 'secret', secret, host: hostOf(url), isRotated: true });
    },
  });

  const showLog = (id: string | undefined) => navigate({ search: { log: id, page: undefined }, resetScroll: false });
  const start = (task: WebhookTask, webhook: WebhookDto): void => {
    if (task === 'log') void showLog(webhook.id);
    else if (task === 'test') {
      test.mutate({ id: webhook.id });
      void showLog(webhook.id);
    } else if (task !== 'toggle') setAsking({ kind: task, webhook });
    else if (webhook.enabled) setAsking({ kind: 'pause', webhook });
    else enable.mutate({ ...webhook, enabled: true });
  };
  const shown = webhooks.data?.find(({ id }) => id === log);
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAsking({ kind: 'create' })}>
      Add Webhook
    </Button>
  );
  return (
    <>
      <PageHeader title="Webhooks" lead="Events for your own programs, as soon as they happen" actions={add} />
      <div className={classes.parts} data-settle="always">
        <Panel flush>
          <Loaded
            query={webhooks}
            loading={webhooksCopy.loading}
            failure={copy.unknownError}
            prefix={webhooksCopy.loadFailed}
            rows={3}
          >
            {(list) => (
              <WebhookTable
                webhooks={list}
                onTask={start}
                empty={
                  <EmptyState icon={<IconWebhook size={40} />} title={webhooksCopy.empty}>
                    {webhooksCopy.emptyMeaning}
                  </EmptyState>
                }
              />
            )}
          </Loaded>
        </Panel>
        {shown && (
          <DeliveryLog
            key={shown.id}
            webhook={shown}
            page={page}
            onPage={(next) => void navigate({ search: { log, page: next }, resetScroll: false })}
            onClose={() => void showLog(undefined)}
          />
        )}
        <Help />
      </div>
      {(asking?.kind === 'create' || asking?.kind === 'edit') && (
        <WebhookDialog
          webhook={asking.kind === 'edit' ? asking.webhook : null}
          onClose={close}
          onCreated={(secret, host) => setAsking({ kind: 'secret', secret, host, isRotated: false })}
        />
      )}
      {asking?.kind === 'secret' && <SecretDialog {...asking} onClose={close} />}
      {asking?.kind === 'pause' && (
        <ConfirmModal
          opened
          title={`Pause the webhook to ${hostOf(asking.webhook.url)}?`}
          confirmLabel="Pause"
          busy={pause.isPending}
          onConfirm={() => pause.mutate({ ...asking.webhook, enabled: false })}
          onClose={close}
        >
          {webhooksCopy.pausedMeaning}
        </ConfirmModal>
      )}
      {asking?.kind === 'rotate' && (
        <ConfirmModal
          opened
          title={`Rotate the secret for ${hostOf(asking.webhook.url)}?`}
          confirmLabel="Rotate"
          busy={rotate.isPending}
          onConfirm={() => rotate.mutate({ id: asking.webhook.id })}
          onClose={close}
        >
          You get a new secret. The present one keeps signing beside it for 24 hours.
        </ConfirmModal>
      )}
      {asking?.kind === 'delete' && (
        <ConfirmModal
          opened
          title={`Delete the webhook to ${hostOf(asking.webhook.url)}?`}
          confirmLabel="Delete"
          signal="red"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id: asking.webhook.id })}
          onClose={close}
        >
          Its log is deleted, too, and what still waits is not sent.
        </ConfirmModal>
      )}
    </>
  );
}

const EXAMPLE = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(secret).verify(body, headers);`;

/** How to receive events. */
function Help() {
  return (
    <Panel title="Receiving events">
      <ol className={classes.steps}>
        <li>
          Verify each request by its signature, with a library of{' '}
          <a href="https://www.standardwebhooks.com" rel="noreferrer" target="_blank">
            Standard Webhooks
          </a>{' '}
          and the signing secret.
        </li>
        <li>Answer with 2xx within 10 seconds, and do the work afterwards. Other answers are retried for 24 hours.</li>
        <li>
          Ignore a <code>webhook-id</code> that you have handled: an event can arrive twice.
        </li>
        <li>The events of one mission arrive in order. They contain call signs and email addresses.</li>
      </ol>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll */}
      <pre className={classes.code} tabIndex={0} aria-label="Example in JavaScript">
        {EXAMPLE}
      </pre>
    </Panel>
  );
}
