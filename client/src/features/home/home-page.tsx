import { Button } from '@mantine/core';
import { LinkButton } from '#client/components/link-button.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { isAdmin, useSignedInViewer, viewerName } from '#client/lib/session.ts';
import { formatDuration } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { useSignOut } from '#client/lib/use-sign-out.ts';
import { POLL_MS, WINDOW_DAYS } from '#shared/limits.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import { AcceptedPanel } from './accepted-panel.tsx';
import { InboxPanel } from './inbox-panel.tsx';
import { StatsPanel } from './stats-panel.tsx';
import { StatusPanel } from './status-panel.tsx';
import { useRsvp } from './use-rsvp.ts';
import { useStatus } from './use-status.ts';
import { WeekPanel } from './week-panel.tsx';
import classes from './home-page.module.css';

/** Read again every `ms` while the tab is seen, and when it is seen again. */
const polled = (ms: number) => ({ refetchInterval: ms, staleTime: ms });

/** /home: what waits for this pilot. */
export function HomePage() {
  const viewer = useSignedInViewer();
  const signOut = useSignOut();
  const inbox = trpc.pilot.inbox.useQuery(undefined, polled(POLL_MS.inbox));
  const history = trpc.pilot.inbox.useQuery({ includeCompleted: true }, polled(POLL_MS.inbox));
  const accepted = trpc.pilot.accepted.useQuery(undefined, polled(POLL_MS.accepted));
  const stats = trpc.pilot.stats.useQuery(undefined, polled(POLL_MS.stats));
  const window = trpc.availability.window.useQuery({ id: viewer.id, days: WINDOW_DAYS.initial });
  const aircraft = trpc.availability.aircraft.useQuery({ activeOnly: true });
  const { status, setStatus } = useStatus(viewer.id);
  const { sending, answer } = useRsvp();
  const hasAccepted = history.data?.some(({ rsvp }) => rsvp === 'accepted') ?? false;

  return (
    <>
      <PageHeader
        title={`Welcome, ${viewerName(viewer)}`}
        documentTitle="Home"
        lead={<Summary orders={inbox.data} accepted={accepted.data} />}
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
      <div className={classes.board}>
        <div className={classes.status}>
          <StatusPanel status={status} onChange={setStatus} />
        </div>
        <div className={classes.orders}>
          <InboxPanel orders={inbox} sending={sending} onAnswer={answer} />
          {hasAccepted && <AcceptedPanel missions={accepted} sending={sending} onAnswer={answer} />}
        </div>
        <div className={classes.rest}>
          <StatsPanel stats={stats} />
          <WeekPanel window={window} aircraft={aircraft.data ?? []} />
        </div>
      </div>
    </>
  );
}

interface SummaryProps {
  orders: readonly FragOrderDto[] | undefined;
  accepted: readonly AcceptedMissionDto[] | undefined;
}

/** `2 orders need an answer. Next launch in 3 h 12 min.` Holds its line while the lists load. */
function Summary({ orders, accepted }: SummaryProps) {
  const now = useNow();
  if (orders === undefined) {
    return <>&nbsp;</>;
  }
  const launches = (accepted ?? [])
    .map(({ launchUtc, startUtc }) => Date.parse(launchUtc ?? startUtc) - now.getTime())
    .filter((ms) => ms > 0);
  const sentences = [
    orders.length === 0
      ? 'No orders need an answer.'
      : `${orders.length} ${orders.length === 1 ? 'order needs' : 'orders need'} an answer.`,
    ...(launches.length === 0 ? [] : [`Next launch in ${formatDuration(Math.min(...launches))}.`]),
  ];
  return <>{sentences.join(' ')}</>;
}
