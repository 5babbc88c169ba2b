import { useMediaQuery } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { PageHeader } from '#client/components/page-header.tsx';
import { formatDuration } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { STATUS_MINUTES } from '#shared/limits.ts';
import type { AcceptedMissionDto, FragOrderDto } from '#shared/schemas/pilot.ts';
import { AcceptedPanel } from './accepted-panel.tsx';
import type { HomeData } from './home-data.ts';
import { InboxPanel } from './inbox-panel.tsx';
import { findNextSeat } from './next-seat.ts';
import { NextSeatLine } from './next-seat-line.tsx';
import { NoticesPanel } from './notices-panel.tsx';
import { orderState } from '#client/features/order/order-state.ts';
import { StandbyPanel } from './standby-panel.tsx';
import { StatsPanel } from './stats-panel.tsx';
import { StatusPanel } from './status-panel.tsx';
import { SwapsSlot } from './swaps-slot.tsx';
import { useAnswers } from '#client/features/order/use-answers.ts';
import { WeekPanel } from './week-panel.tsx';
import classes from './home-view.module.css';

interface HomeViewProps {
  /** call sign, or else email */
  name: string;
  /** the tab's title without the product's name */
  documentTitle: string;
  /** buttons of the header */
  actions: ReactNode;
  data: HomeData;
  /** panel of open seats, below the pilot's own missions */
  openSeats?: ReactNode;
  /** line that asks for something that is missing, above the panels */
  nudge?: ReactNode;
  /** panel of what to do next, below the orders and the status */
  suggestions?: ReactNode;
  /** true while the pilot is on leave */
  isOnLeave?: boolean;
  /** the open seat of a standby order's mission */
  standbySeat?: (order: FragOrderDto) => ReactNode;
}

/** A pilot's home screen: next seat, inbox, status, swaps, notices, accepted missions, standby, statistics, next days. */
export function HomeView({
  name,
  documentTitle,
  actions,
  data,
  openSeats,
  nudge,
  suggestions,
  isOnLeave = false,
  standbySeat,
}: HomeViewProps) {
  const now = useNow();
  const column = useRef<HTMLDivElement>(null);
  const { sending, answer } = useAnswers(data.send);
  const { inbox, history, accepted, swaps, setStatus } = data;
  const hasAccepted = history.data?.some(({ rsvp }) => rsvp === 'accepted') ?? false;
  const next = inbox.data && accepted.data ? findNextSeat<FragOrderDto>(accepted.data, inbox.data, now) : null;
  const queued = history.data?.filter((order) => orderState(order, now) === 'standby') ?? [];
  // The order in the document is the order on the screen, so that Tab follows it too.
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false });
  const orders = (
    <div ref={column} tabIndex={-1} className={classes.column}>
      <InboxPanel orders={inbox} sending={sending} onAnswer={answer} />
    </div>
  );
  const status = <StatusPanel status={data.status} onChange={setStatus} />;
  const missions = (
    <div className={classes.column} data-settle="always">
      {suggestions}
      {swaps !== undefined && <SwapsSlot swaps={swaps} after={column} />}
      <NoticesPanel notices={data.notices} onClose={data.closeNotice} after={column} />
      {hasAccepted && (
        <AcceptedPanel
          missions={accepted}
          sending={sending}
          onAnswer={answer}
          onFindFlight={() => setStatus('now', STATUS_MINUTES.initial)}
        />
      )}
      {queued.length > 0 && <StandbyPanel orders={queued} sending={sending} onAnswer={answer} openSeat={standbySeat} />}
      {openSeats}
    </div>
  );
  const rest = (
    <>
      <StatsPanel stats={data.stats} />
      <WeekPanel window={data.window} aircraft={data.aircraft} isOnLeave={isOnLeave} />
    </>
  );

  return (
    <>
      <PageHeader
        title={`Welcome, ${name}`}
        documentTitle={documentTitle}
        lead={
          <div className={classes.summary}>
            {next === null ? (
              <Summary orders={inbox.data} accepted={accepted.data} now={now} />
            ) : (
              <NextSeatLine order={next} now={now} isSending={next.id in sending} onAnswer={answer} />
            )}
          </div>
        }
        actions={actions}
      />
      {nudge}
      {isNarrow ? (
        <div className={classes.column} data-settle="always">
          {orders}
          {status}
          {missions}
          {rest}
        </div>
      ) : (
        <div className={classes.board}>
          <div className={classes.column} data-settle="always">
            {orders}
            {missions}
          </div>
          <div className={classes.column}>
            {status}
            {rest}
          </div>
        </div>
      )}
    </>
  );
}

interface SummaryProps {
  orders: readonly FragOrderDto[] | undefined;
  accepted: readonly AcceptedMissionDto[] | undefined;
  now: Date;
}

/** Summary line: `2 orders need an answer. Next launch in 3 h 12 min.` Keeps its height while the lists load. */
function Summary({ orders, accepted, now }: SummaryProps) {
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
