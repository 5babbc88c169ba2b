import { Button } from '@mantine/core';
import { IconHourglass, IconTrash, IconUserX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState, LoadingState } from '#client/components/query-states.tsx';
import { polled } from '#client/lib/polling.ts';
import { isAdmin, isUnapproved, viewerName, viewerQuery, type Viewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';

/**
 * /home of an account that waits for approval or was declined, is suspended or about to be deleted. It polls, because live
 * updates are for pilots, and becomes the dashboard once the account flies.
 */
export function WaitingPage({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  useQuery({ ...viewerQuery, ...polled(POLL_MS.status) });
  // Live updates begin with the dashboard: the stream was not opened for this account.
  useEffect(
    () => () => {
      void import('#client/lib/live.ts').then(({ closeLive, openLive }) => {
        closeLive();
        openLive();
      });
    },
    [],
  );
  return (
    <>
      <PageHeader
        title={`Welcome, ${viewerName(viewer)}`}
        documentTitle="Home"
        actions={
          <>
            {isAdmin(viewer) && (
              <LinkButton to="/admin" variant="default">
                Admin Console
              </LinkButton>
            )}
            <Button variant="default" onClick={() => void signOut()}>
              Logout
            </Button>
          </>
        }
      />
      <Panel>
        <div role="status">{isUnapproved(viewer) ? <Approval viewer={viewer} /> : <Suspension />}</div>
      </Panel>
    </>
  );
}

function Approval({ viewer }: { viewer: Viewer }) {
  return viewer.approval === 'waiting' ? (
    <EmptyState
      icon={<IconHourglass size={40} />}
      title="Waiting for approval"
      action={<LinkButton to="/availability">Edit Availability</LinkButton>}
    >
      {copy.awaitingApproval} Meanwhile you can fill in your profile and your times. This page updates automatically.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconUserX size={40} />} title="Not approved">
      {copy.notApproved}
    </EmptyState>
  );
}

/** Why an approved account does not fly. An account that is about to be deleted gets the button that keeps it above. */
function Suspension() {
  const deletion = trpc.auth.deletion.useQuery();
  if (deletion.isPending) return <LoadingState text="Loading..." rows={3} />;
  return deletion.data?.dueAt ? (
    <EmptyState icon={<IconTrash size={40} />} title="About to be deleted">
      {copy.accountLeaving}
    </EmptyState>
  ) : (
    <EmptyState icon={<IconUserX size={40} />} title="Suspended">
      {copy.suspended}
    </EmptyState>
  );
}
