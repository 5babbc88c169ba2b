import { Button } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { CloseButton } from '#client/components/icon-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Pagination } from '#client/components/pagination.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { ADMIN_PAGE_SIZE, POLL_MS } from '#shared/limits.ts';
import type { WebhookDeliveryDto, WebhookDto } from '#shared/schemas/webhooks.ts';
import { count } from '#shared/plural.ts';
import { DELIVERY_WORDS, hostOf, webhooksCopy } from './webhooks-text.ts';
import classes from './webhooks.module.css';

/** A first attempt takes seconds, so the log is read this often while it shows a delivery that is new. */
const SOON_MS = 1_000;
const NEW_MS = 60_000;

const isOnItsWay = ({ state, createdAt }: WebhookDeliveryDto): boolean =>
  state === 'waiting' && Date.now() - Date.parse(createdAt) < NEW_MS;

interface DeliveryLogProps {
  webhook: WebhookDto;
  page: number;
  onPage: (page: number) => void;
  onClose: () => void;
}

/** Log of a webhook's deliveries, which can be sent again. */
export function DeliveryLog({ webhook, page, onPage, onClose }: DeliveryLogProps) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const { id } = webhook;
  const log = trpc.admin.webhooks.deliveries.useQuery(
    { id, page, pageSize: ADMIN_PAGE_SIZE },
    {
      staleTime: 0,
      refetchInterval: ({ state: { data } }) => (data?.deliveries.some(isOnItsWay) ? SOON_MS : POLL_MS.status),
      placeholderData: (previous) => previous,
    },
  );
  const replay = trpc.admin.webhooks.replay.useMutation({
    onSuccess: () => {
      showToast(webhooksCopy.replayQueued);
      return utils.admin.webhooks.invalidate();
    },
    onError: (cause) => showFailure(cause, copy.unknownError),
  });
  const columns: Column<WebhookDeliveryDto>[] = [
    {
      id: 'time',
      header: 'Time',
      cell: ({ occurredAt }) => <ZTime iso={occurredAt} withDate copyable={false} />,
    },
    {
      id: 'event',
      header: 'Event',
      rowHeader: true,
      cell: ({ type, isReplay }) => (
        <span className={classes.address}>
          {type}
          {isReplay && <span className={classes.note}>sent again by an admin</span>}
        </span>
      ),
    },
    { id: 'result', header: 'Result', cell: (delivery) => <Result delivery={delivery} /> },
    {
      id: 'again',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: ({ id: deliveryId, type, state }) =>
        state !== 'waiting' &&
        webhook.enabled && (
          <Button
            variant="default"
            size="xs"
            aria-label={`Send ${type} again`}
            disabled={replay.isPending}
            onClick={() => replay.mutate({ id, deliveryId })}
          >
            Send Again
          </Button>
        ),
    },
  ];
  return (
    <>
      <Panel
        flush
        className={classes.log}
        title={`Deliveries to ${hostOf(webhook.url)}`}
        actions={<CloseButton label="Close the deliveries" onClick={onClose} />}
      >
        <Loaded
          query={log}
          loading={webhooksCopy.loadingDeliveries}
          failure={copy.unknownError}
          prefix={webhooksCopy.deliveriesLoadFailed}
          rows={4}
        >
          {({ deliveries }) => (
            <DataTable
              caption="Deliveries"
              columns={columns}
              rows={deliveries}
              rowKey={(delivery) => delivery.id}
              empty={
                <EmptyState icon={<IconWebhook size={40} />} title={webhooksCopy.noDeliveries}>
                  {webhooksCopy.noDeliveriesMeaning}
                </EmptyState>
              }
            />
          )}
        </Loaded>
      </Panel>
      {log.data && (
        <Pagination
          label="Deliveries"
          page={page}
          pages={Math.ceil(log.data.total / ADMIN_PAGE_SIZE)}
          hrefOf={(next) =>
            router.buildLocation({ to: '/admin/webhooks', search: (search) => ({ ...search, page: next }) }).href
          }
          onPage={onPage}
        />
      )}
    </>
  );
}

function Result({ delivery }: { delivery: WebhookDeliveryDto }) {
  const { state, attempts, responseStatus, error, nextAttemptAt } = delivery;
  const { word, signal } = DELIVERY_WORDS[state];
  return (
    <span className={classes.state}>
      <Badge signal={signal}>{word}</Badge>
      <span>
        {count(attempts, 'attempt')}
        {error === null && responseStatus !== null && `, answer ${responseStatus}`}
      </span>
      {error !== null && <span>{error}</span>}
      {state === 'waiting' && attempts > 0 && nextAttemptAt !== null && (
        <span className={classes.note}>
          Next attempt <ZTime iso={nextAttemptAt} copyable={false} />
        </span>
      )}
    </span>
  );
}
