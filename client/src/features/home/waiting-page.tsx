import { Button } from '@mantine/core';
import { IconHourglass, IconUserX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { polled } from '#client/lib/polling.ts';
import { viewerName, viewerQuery, type Viewer } from '#client/lib/session.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';

/**
 * /home of an account that waits for approval or was declined. It polls, because live updates are for pilots, and becomes
 * the dashboard by itself once an admin approves.
 */
export function WaitingPage({ viewer }: { viewer: Viewer }) {
  const signOut = useSignOut();
  useQuery({ ...viewerQuery, ...polled(POLL_MS.status) });
  // Live updates begin with the approval: the stream was not opened for this account.
  useEffect(
    () => () => {
      void import('#client/lib/live.ts').then(({ closeLive, openLive }) => {
        closeLive();
        openLive();
      });
    },
    [],
  );
  const isWaiting = viewer.approval === 'waiting';
  return (
    <>
      <PageHeader
        title={`Welcome, ${viewerName(viewer)}`}
        documentTitle="Home"
        actions={
          <Button variant="default" onClick={() => void signOut()}>
            Logout
          </Button>
        }
      />
      <Panel>
        <div role="status">
          {isWaiting ? (
            <EmptyState
              icon={<IconHourglass size={40} stroke={1.5} />}
              title="Waiting for approval"
              action={<LinkButton to="/availability">Edit Availability</LinkButton>}
            >
              {copy.awaitingApproval} Meanwhile you can fill in your profile and your times. This page updates by
              itself.
            </EmptyState>
          ) : (
            <EmptyState icon={<IconUserX size={40} stroke={1.5} />} title="Not approved">
              {copy.notApproved}
            </EmptyState>
          )}
        </div>
      </Panel>
    </>
  );
}
