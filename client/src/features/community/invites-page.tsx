import { Button } from '@mantine/core';
import { IconPlus, IconUserPlus } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded, useIsShown } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { InviteDto } from '#shared/schemas/community.ts';
import type { SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import { communityCopy } from './community-text.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitedPanel } from './invited-panel.tsx';
import { InvitesTable } from './invites-table.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { SendInviteDialog } from './send-invite-dialog.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import classes from './community.module.css';

/** The dialog that is open. */
type Asking =
  | { kind: 'create'; request?: SlotRequestDto }
  | { kind: 'link' | 'send'; invite: InviteDto; request?: SlotRequestDto }
  | { kind: 'revoke'; invite: InviteDto };

/** /admin/invites: invite links, the pilots who came by each, accounts that wait for approval, and visitors' requests. */
export function InvitesPage() {
  const { invite: shownId } = useSearch({ from: '/_signed-in/admin/invites' });
  const navigate = useNavigate({ from: '/admin/invites' });
  const utils = trpc.useUtils();
  const ways = trpc.auth.ways.useQuery(undefined, { staleTime: Infinity });
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const invites = trpc.admin.community.invites.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });
  const revoke = trpc.admin.community.revokeInvite.useMutation({
    onSuccess: async () => {
      void utils.admin.audit.invalidate();
      await utils.admin.community.invites.invalidate();
      showToast(communityCopy.revoked);
      close();
    },
    onError: (cause) => {
      showFailure(cause, copy.unknownError);
      close();
    },
  });
  const show = (id: string | undefined) => navigate({ search: { invite: id }, resetScroll: false });
  const areShown = useIsShown(invites);
  const shown = invites.data?.find(({ id }) => id === shownId);
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAsking({ kind: 'create' })}>
      Create invite
    </Button>
  );
  return (
    <>
      <Link to="/admin/users" className={classes.back}>
        ← Users
      </Link>
      <PageHeader
        title="Invites"
        lead="Links that let pilots create an account"
        actions={
          <>
            {add}
            <LinkButton to="/admin/settings" variant="default">
              Registration Settings
            </LinkButton>
          </>
        }
      />
      <div className={classes.parts}>
        <WaitingPanel />
        <RequestsPanel onInvite={(request) => setAsking({ kind: 'create', request })} />
        <Panel flush title="Invite links">
          <Loaded
            query={invites}
            loading={communityCopy.loadingInvites}
            failure={copy.unknownError}
            prefix={communityCopy.invitesFailed}
            rows={3}
          >
            {(list) => (
              <InvitesTable
                invites={list}
                onShow={({ id }) => void show(id)}
                onSend={ways.data?.mail === true ? (invite) => setAsking({ kind: 'send', invite }) : null}
                onRevoke={(invite) => setAsking({ kind: 'revoke', invite })}
                empty={
                  <EmptyState icon={<IconUserPlus size={40} />} title={communityCopy.noInvites}>
                    {communityCopy.noInvitesMeaning}
                  </EmptyState>
                }
              />
            )}
          </Loaded>
        </Panel>
        {areShown && shown && <InvitedPanel key={shown.id} invite={shown} onClose={() => void show(undefined)} />}
      </div>
      {asking?.kind === 'create' && (
        <InviteDialog
          request={asking.request}
          onClose={close}
          onCreated={(invite) => {
            const { request } = asking;
            const kind = request && ways.data?.mail === true ? 'send' : 'link';
            setAsking({ kind, invite, ...(request && { request }) });
          }}
        />
      )}
      {asking?.kind === 'link' && <LinkDialog invite={asking.invite} request={asking.request} onClose={close} />}
      {asking?.kind === 'send' && (
        <SendInviteDialog invite={asking.invite} to={asking.request?.email} onClose={close} />
      )}
      {asking?.kind === 'revoke' && (
        <ConfirmModal
          opened
          title={`Revoke the invite “${asking.invite.name}”?`}
          confirmLabel="Revoke"
          signal="red"
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate({ id: asking.invite.id })}
          onClose={close}
        >
          {communityCopy.revokeMeaning}
        </ConfirmModal>
      )}
    </>
  );
}
