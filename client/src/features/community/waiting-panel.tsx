import { Button, Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { viewerName } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { WaitingAccountsDto } from '#shared/schemas/community.ts';
import { count } from '#shared/plural.ts';
import { communityCopy } from './community-text.ts';
import classes from './community.module.css';

type Waiting = WaitingAccountsDto['accounts'][number];

const NAMES = new Intl.ListFormat('en', { type: 'conjunction' });

/** `Make Vesper an admin?`, `Make Vesper and Goose admins?` */
function adminsQuestion(accounts: readonly Waiting[]): string {
  const names = accounts.filter(({ becomesAdmin }) => becomesAdmin).map(({ user }) => viewerName(user));
  return `Make ${NAMES.format(names)} ${names.length === 1 ? 'an admin' : 'admins'}?`;
}

/** Accounts that wait for approval, to approve or decline one or several. Nothing is shown when there are none. */
export function WaitingPanel() {
  const utils = trpc.useUtils();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [declining, setDeclining] = useState<readonly string[] | null>(null);
  /** the accounts of an approval that waits for a confirmation, because some of them become admins */
  const [approving, setApproving] = useState<readonly Waiting[] | null>(null);
  const waiting = trpc.admin.community.waiting.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });
  const decide = trpc.admin.community.decide.useMutation({
    onSuccess: async ({ decided }, { decision }) => {
      void utils.admin.audit.invalidate();
      void utils.admin.users.invalidate();
      await utils.admin.community.invalidate();
      setChosen(new Set());
      closeDialogs();
      showToast(`${count(decided, 'account')} ${decision === 'approve' ? 'approved' : 'declined'}`);
    },
    onError: (cause) => {
      closeDialogs();
      void utils.admin.community.waiting.invalidate();
      showFailure(cause, copy.unknownError);
    },
  });
  const closeDialogs = (): void => {
    setDeclining(null);
    setApproving(null);
  };
  const accounts = waiting.data?.accounts ?? [];
  if (accounts.length === 0) return null;
  const all = accounts.filter(({ user }) => user.approval === 'waiting').map(({ user }) => user.id);
  const picked = all.filter((id) => chosen.has(id));
  const approve = (ids: readonly string[]): void => {
    const meant = accounts.filter(({ user }) => ids.includes(user.id));
    if (meant.some(({ becomesAdmin }) => becomesAdmin)) setApproving(meant);
    else decide.mutate({ ids: [...ids], decision: 'approve' });
  };
  const choose = (id: string, isOn: boolean): void =>
    setChosen(new Set(isOn ? [...chosen, id] : [...chosen].filter((one) => one !== id)));

  const columns: Column<Waiting>[] = [
    {
      id: 'choose',
      header: 'Choose',
      hideHeader: true,
      cell: ({ user }) =>
        user.approval === 'waiting' && (
          <Checkbox
            aria-label={`Choose ${viewerName(user)}`}
            color="cyan"
            checked={chosen.has(user.id)}
            onChange={({ currentTarget }) => choose(user.id, currentTarget.checked)}
          />
        ),
    },
    {
      id: 'name',
      header: 'Account',
      rowHeader: true,
      cell: ({ user }) => (
        <span className={classes.name}>
          <Link to="/admin/users/$userId/availability" params={{ userId: user.id }}>
            {viewerName(user)}
          </Link>
          {user.displayName !== null && <span className={classes.note}>{user.email}</span>}
        </span>
      ),
    },
    {
      id: 'invite',
      header: 'Came by',
      cell: ({ invite, becomesAdmin }) => (
        <span className={classes.name}>
          {invite ?? 'registration page'}
          {becomesAdmin && <Badge signal="yellow">Would become an admin</Badge>}
        </span>
      ),
    },
    { id: 'since', header: 'Since', cell: ({ since }) => <ZTime iso={since} withDate copyable={false} /> },
    {
      id: 'state',
      header: 'State',
      cell: ({ user }) =>
        user.approval === 'waiting' ? <Badge signal="yellow">Waiting</Badge> : <Badge signal="red">Declined</Badge>,
    },
    {
      id: 'decide',
      header: 'Decision',
      cell: ({ user, becomesAdmin }) => (
        <span className={classes.decide}>
          {user.approval === 'waiting' && (
            <Button
              variant="default"
              aria-label={`Decline ${viewerName(user)}`}
              onClick={() => setDeclining([user.id])}
            >
              Decline…
            </Button>
          )}
          <Button
            aria-label={`Approve ${viewerName(user)}`}
            disabled={decide.isPending}
            onClick={() => approve([user.id])}
          >
            {becomesAdmin ? 'Approve…' : 'Approve'}
          </Button>
        </span>
      ),
    },
  ];
  const chosenText = picked.length === 0 ? 'chosen accounts' : count(picked.length, 'account');
  return (
    <Panel flush title="Waiting for approval" actions={<span>{waiting.data?.waiting ?? 0}</span>}>
      <DataTable
        caption="Waiting accounts"
        columns={columns}
        rows={accounts}
        rowKey={({ user }) => user.id}
        empty={null}
      />
      {all.length > 1 && (
        <div className={classes.tools}>
          <Checkbox
            label="Choose all that wait"
            color="cyan"
            checked={picked.length === all.length}
            indeterminate={picked.length > 0 && picked.length < all.length}
            onChange={({ currentTarget }) => setChosen(new Set(currentTarget.checked ? all : []))}
          />
          <span className={classes.decide}>
            <Button variant="default" disabled={picked.length === 0} onClick={() => setDeclining(picked)}>
              Decline {chosenText}…
            </Button>
            <Button disabled={picked.length === 0 || decide.isPending} onClick={() => approve(picked)}>
              Approve {chosenText}
              {accounts.some(({ user, becomesAdmin }) => becomesAdmin && picked.includes(user.id)) && '…'}
            </Button>
          </span>
        </div>
      )}
      {approving !== null && (
        <ConfirmModal
          opened
          title={adminsQuestion(approving)}
          confirmLabel={approving.length === 1 ? 'Approve' : `Approve ${count(approving.length, 'account')}`}
          busy={decide.isPending}
          onConfirm={() =>
            decide.mutate({
              ids: approving.map(({ user }) => user.id),
              decision: 'approve',
              admins: approving.filter(({ becomesAdmin }) => becomesAdmin).map(({ user }) => user.id),
            })
          }
          onClose={closeDialogs}
        >
          {communityCopy.approveAdminMeaning}
        </ConfirmModal>
      )}
      {declining !== null && (
        <ConfirmModal
          opened
          title={`Decline ${count(declining.length, 'account')}?`}
          confirmLabel="Decline"
          signal="red"
          busy={decide.isPending}
          onConfirm={() => decide.mutate({ ids: [...declining], decision: 'decline' })}
          onClose={() => setDeclining(null)}
        >
          {communityCopy.declineMeaning}
        </ConfirmModal>
      )}
    </Panel>
  );
}
