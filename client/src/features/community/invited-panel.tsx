import { IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { CloseButton } from '#client/components/icon-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { viewerName } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { InvitedPilotDto, InviteDto } from '#shared/schemas/community.ts';
import { communityCopy } from './community-text.ts';

const COLUMNS: Column<InvitedPilotDto>[] = [
  {
    id: 'pilot',
    header: 'Pilot',
    rowHeader: true,
    cell: ({ user }) => (
      <Link to="/admin/users/$userId/availability" params={{ userId: user.id }}>
        {viewerName(user)}
      </Link>
    ),
  },
  { id: 'email', header: 'Email', cell: ({ user }) => (user.displayName === null ? null : user.email) },
  { id: 'joined', header: 'Joined', cell: ({ joinedAt }) => <ZTime iso={joinedAt} withDate copyable={false} /> },
  {
    id: 'standing',
    header: 'Standing',
    cell: ({ user }) =>
      user.approval === 'waiting'
        ? 'Waiting for approval'
        : user.approval === 'declined'
          ? 'Declined'
          : user.roles.includes('user')
            ? 'Pilot'
            : 'Suspended',
  },
];

/** The accounts that joined by an invite. */
export function InvitedPanel({ invite, onClose }: { invite: InviteDto; onClose: () => void }) {
  const invited = trpc.admin.community.invited.useQuery(
    { id: invite.id },
    { staleTime: 0, refetchInterval: POLL_MS.inbox },
  );
  return (
    <Panel
      flush
      title={`Joined with “${invite.name}”`}
      actions={<CloseButton label="Close the list of pilots" onClick={onClose} />}
    >
      <Loaded
        query={invited}
        loading={communityCopy.loadingInvited}
        failure={copy.unknownError}
        prefix={communityCopy.invitedFailed}
        rows={3}
      >
        {(pilots) => (
          <DataTable
            caption={`Pilots who joined by ${invite.name}`}
            columns={COLUMNS}
            rows={pilots}
            rowKey={({ user }) => user.id}
            empty={
              <EmptyState icon={<IconUsers size={40} />} title={communityCopy.nobodyJoined}>
                {communityCopy.nobodyJoinedMeaning}
              </EmptyState>
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}
