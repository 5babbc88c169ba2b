import {
  IconEdit,
  IconListDetails,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { WebhookDto } from '#shared/schemas/webhooks.ts';
import { hostOf, stateOf } from './webhooks-text.ts';
import classes from './webhooks.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

export type WebhookTask = 'log' | 'edit' | 'toggle' | 'test' | 'rotate' | 'delete';

interface WebhookTableProps {
  webhooks: readonly WebhookDto[];
  onTask: (task: WebhookTask, webhook: WebhookDto) => void;
  empty: ReactNode;
}

/** Table of the webhooks, each with a menu of actions. */
export function WebhookTable({ webhooks, onTask, empty }: WebhookTableProps) {
  const columns: Column<WebhookDto>[] = [
    {
      id: 'address',
      header: 'Address',
      rowHeader: true,
      cell: ({ url, description }) => (
        <span className={classes.address}>
          {url}
          {description !== null && <span className={classes.note}>{description}</span>}
        </span>
      ),
    },
    {
      id: 'events',
      header: 'Events',
      cell: ({ events }) => (
        <ul className={classes.events}>
          {events.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      ),
    },
    { id: 'state', header: 'State', cell: (webhook) => <State webhook={webhook} /> },
    {
      id: 'menu',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (webhook) => <Menu webhook={webhook} onTask={(task) => onTask(task, webhook)} />,
    },
  ];
  return <DataTable caption="Webhooks" columns={columns} rows={webhooks} rowKey={({ id }) => id} empty={empty} />;
}

function State({ webhook }: { webhook: WebhookDto }) {
  const { word, signal } = stateOf(webhook);
  const { disabledReason, failingSince, enabled, waiting, previousSecretUntil } = webhook;
  return (
    <span className={classes.state}>
      <Badge signal={signal}>{word}</Badge>
      {disabledReason !== null && <span>{disabledReason}</span>}
      {enabled && failingSince !== null && (
        <span>
          since <ZTime iso={failingSince} withDate copyable={false} />
        </span>
      )}
      {waiting > 0 && <span>{waiting === 1 ? '1 delivery waits' : `${waiting} deliveries wait`}</span>}
      {previousSecretUntil !== null && (
        <span className={classes.note}>
          Old secret valid until <ZTime iso={previousSecretUntil} withDate copyable={false} />
        </span>
      )}
    </span>
  );
}

function Menu({ webhook, onTask }: { webhook: WebhookDto; onTask: (task: WebhookTask) => void }) {
  const { url, enabled } = webhook;
  return (
    <ActionMenu label={`Actions for ${hostOf(url)}`}>
      <MenuItem leftSection={<IconListDetails {...ICON} />} onClick={() => onTask('log')}>
        Show deliveries
      </MenuItem>
      <MenuItem leftSection={<IconEdit {...ICON} />} onClick={() => onTask('edit')}>
        Edit
      </MenuItem>
      {enabled && (
        <MenuItem leftSection={<IconSend {...ICON} />} onClick={() => onTask('test')}>
          Send a test event
        </MenuItem>
      )}
      <MenuItem
        leftSection={enabled ? <IconPlayerPause {...ICON} /> : <IconPlayerPlay {...ICON} />}
        onClick={() => onTask('toggle')}
      >
        {enabled ? 'Pause' : 'Enable'}
      </MenuItem>
      <MenuItem leftSection={<IconRefresh {...ICON} />} onClick={() => onTask('rotate')}>
        Rotate secret
      </MenuItem>
      <MenuItem leftSection={<IconTrash {...ICON} />} onClick={() => onTask('delete')}>
        Delete
      </MenuItem>
    </ActionMenu>
  );
}
