import { IconMail, IconTrash, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ActionMenu, MenuItem } from '#client/components/action-menu.tsx';
import { CopyButton } from '#client/components/copy-button.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Mark } from '#client/components/marks.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import type { InviteDto } from '#shared/schemas/community.ts';
import { INVITE_WORDS, usesText } from './community-text.ts';
import classes from './community.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface InvitesTableProps {
  invites: readonly InviteDto[];
  onShow: (invite: InviteDto) => void;
  /** null where the server sends no email */
  onSend: ((invite: InviteDto) => void) | null;
  onRevoke: (invite: InviteDto) => void;
  empty: ReactNode;
}

/** Table of the invites, each with its link and a menu. */
export function InvitesTable({ invites, onShow, onSend, onRevoke, empty }: InvitesTableProps) {
  const columns: Column<InviteDto>[] = [
    {
      id: 'name',
      header: 'Name',
      rowHeader: true,
      cell: ({ name, role, withApproval }) => (
        <span className={classes.name}>
          {name}
          {role === 'admin' && <span className={classes.note}>for admins</span>}
          {withApproval && <span className={classes.note}>with approval</span>}
        </span>
      ),
    },
    {
      id: 'link',
      header: 'Link',
      cell: ({ name, url, state }) =>
        state === 'open' ? (
          <span className={classes.link}>
            Copy
            <CopyButton text={url} label={`Copy the link of ${name}`} copiedLabel={`Link of ${name} copied`} />
          </span>
        ) : (
          <span className={classes.note}>no longer works</span>
        ),
    },
    { id: 'uses', header: 'Used', cell: usesText },
    {
      id: 'expires',
      header: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <ZTime iso={expiresAt} withDate copyable={false} />),
    },
    { id: 'by', header: 'Made by', cell: ({ createdBy }) => createdBy ?? 'deleted account' },
    { id: 'state', header: 'State', cell: ({ state }) => <State state={state} /> },
    {
      id: 'menu',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (invite) => (
        <ActionMenu label={`Actions for ${invite.name}`}>
          <MenuItem leftSection={<IconUsers {...ICON} />} onClick={() => onShow(invite)}>
            Show pilots
          </MenuItem>
          {onSend !== null && invite.state === 'open' && (
            <MenuItem leftSection={<IconMail {...ICON} />} onClick={() => onSend(invite)}>
              Send by email…
            </MenuItem>
          )}
          {invite.state !== 'revoked' && (
            <MenuItem leftSection={<IconTrash {...ICON} />} onClick={() => onRevoke(invite)}>
              Revoke…
            </MenuItem>
          )}
        </ActionMenu>
      ),
    },
  ];
  return <DataTable caption="Invites" columns={columns} rows={invites} rowKey={({ id }) => id} empty={empty} />;
}

function State({ state }: Pick<InviteDto, 'state'>) {
  const { word, signal, shape } = INVITE_WORDS[state];
  return (
    <Badge signal={signal}>
      <Mark shape={shape} filled={state === 'open'} size={14} />
      {word}
    </Badge>
  );
}
