import { Button } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { inSlices } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { isAdmin, isPilot, isUnapproved, useSignedInViewer, viewerName, type Viewer } from '#client/lib/session.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { POLL_MS } from '#shared/limits.ts';
import { AircraftNudge } from './aircraft-nudge.tsx';
import { StandbySeat } from '#client/features/order/standby-seat.tsx';
import { useLeave } from '#client/domain-ui/leave/use-leave.ts';
import { LeaveLine } from './leave-line.tsx';
import { HomeView } from './home-view.tsx';
import { polled } from '#client/lib/polling.ts';
import { useLiveHome } from './use-live-home.ts';
import { WaitingPage } from './waiting-page.tsx';

const OpenSeatsPanel = lazyPart(
  () => import('./open-seats-panel.tsx'),
  (part) => part.OpenSeatsPanel,
);

/** Shown once, after the registration. */
const WelcomeCards = lazyPart(
  () => import('./welcome-cards.tsx'),
  (part) => part.WelcomeCards,
);

interface HomePageProps {
  /** the first steps of a new community, for its admins */
  guide: ReactNode;
}

/** /home: the pilot's dashboard; for an account that does not fly, why not. */
export const HomePage = inSlices(function HomePage({ guide }: HomePageProps) {
  const viewer = useSignedInViewer();
  return isUnapproved(viewer) || !isPilot(viewer) ? (
    <WaitingPage viewer={viewer} />
  ) : (
    <PilotHome viewer={viewer} guide={guide} />
  );
});

function PilotHome({ viewer, guide }: HomePageProps & { viewer: Viewer }) {
  const signOut = useSignOut();
  const leave = useLeave(viewer.id);
  const isNewcomer = useLocation({ select: ({ state }) => state.isNewcomer === true });
  const data = useLiveHome(viewer.id);
  const inboxStatus = trpc.pilot.inboxStatus.useQuery(undefined, polled(POLL_MS.inbox));
  const pending = inboxStatus.data?.pendingCount ?? 0;

  return (
    <HomeView
      name={viewerName(viewer)}
      documentTitle={pending === 0 ? 'Home' : `(${pending}) Home`}
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
      data={data}
      nudge={
        <>
          {isAdmin(viewer) && <Suspense fallback={<div hidden data-unsettled />}>{guide}</Suspense>}
          {leave !== null && <LeaveLine userId={viewer.id} leave={leave} />}
          {!viewer.listsAircraft && <AircraftNudge />}
        </>
      }
      suggestions={
        isNewcomer && (
          <Suspense fallback={<div hidden data-unsettled />}>
            <WelcomeCards />
          </Suspense>
        )
      }
      isOnLeave={leave?.isNow ?? false}
      openSeats={
        <Suspense fallback={<div hidden data-unsettled />}>
          <OpenSeatsPanel />
        </Suspense>
      }
      standbySeat={(order) => <StandbySeat order={order} />}
    />
  );
}
