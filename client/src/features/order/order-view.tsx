import { useEffect, useRef, type ReactNode } from 'react';
import { Fact } from '#client/components/fact.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge, StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { formatExpiry, formatShortDate } from '#client/lib/time.ts';
import { useNow } from '#client/lib/use-now.ts';
import { fragLabel } from '#shared/labels.ts';
import type { Signal } from '#client/theme/tokens.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import type { OrderState } from '#shared/order-state.ts';
import { AcceptedActions } from './accepted-actions.tsx';
import { AnswerButtons, answerOfKey } from './answer-buttons.tsx';
import { ChangePlate } from './change-plate.tsx';
import { RefusedAnswer } from './kept-answer.tsx';
import { useHomeLinks } from './home-links.tsx';
import type { Send } from './use-send.ts';
import { OrderFiles } from './order-files.tsx';
import { OrderParts, RowFacts } from './order-parts.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { orderState, stateSentence } from './order-state.ts';
import { SeatlessActions } from './seatless-actions.tsx';
import { useAnswers, type Answer } from './use-answers.ts';
import classes from './order-view.module.css';

/** Labels of the states in which no answer is possible. */
const CLOSED: Partial<Record<OrderState, readonly [Signal, string]>> = {
  expired: ['red', 'expired'],
  'mission cancelled': ['red', 'cancelled'],
  removed: ['red', 'removed'],
  taken: ['red', 'taken'],
  replaced: ['gray', 'replaced'],
  missed: ['gray', 'over'],
  flown: ['gray', 'over'],
};

/** The page's heading, shown before the order is loaded, so that it can keep the focus. */
export function OrderHeader({ order }: { order: AcceptedMissionDto | undefined }) {
  const timeZone = useReaderZone();
  const now = useNow();
  const { HomeButton } = useHomeLinks();
  return order === undefined ? (
    <PageHeader title="Frag order" lead={<>&nbsp;</>} />
  ) : (
    <PageHeader
      // A closed order has this button as its only action.
      actions={orderState(order, now) in CLOSED ? undefined : <HomeButton>Back to Home</HomeButton>}
      title={`${fragLabel(order.seq)} ${order.missionName}`}
      lead={`${order.title} · ${order.theater} · ${formatShortDate(order.startUtc, timeZone)}`}
    />
  );
}

interface OrderViewProps {
  order: AcceptedMissionDto;
  send: Send;
  /** swaps of an accepted seat */
  swaps?: ReactNode;
  /** the open seat that a pilot on standby can take */
  standbySeat?: ReactNode;
  /** the thread of the mission */
  thread?: ReactNode;
}

/** A frag order in full: its state, its actions and everything needed to fly it. */
export function OrderView({ order, send, swaps, standbySeat, thread }: OrderViewProps) {
  const now = useNow();
  const { sending: allSending, answer } = useAnswers(send);
  const sending = allSending[order.id];
  const state = orderState(order, now);
  const label = fragLabel(order.seq);
  const article = useFocusAfterChange(state);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts for the buttons inside
    <article
      ref={article}
      tabIndex={-1}
      aria-label={`${label} ${order.missionName}`}
      aria-busy={sending !== undefined}
      className={classes.order}
      onKeyDown={(event) => {
        const response = state === 'pending' ? answerOfKey(event) : undefined;
        if (response !== undefined) {
          event.preventDefault();
          answer(order, response);
        }
      }}
    >
      <div className={classes.board}>
        <div className={classes.first}>
          <Panel title="Your answer" actions={<Badges order={order} state={state} sending={sending} />}>
            <div className={classes.answer}>
              <p className={classes.sentence}>{stateSentence(order, state)}</p>
              <ChangePlate order={order} />
              <RefusedAnswer orderId={order.id} />
              {state === 'pending' && (
                <p className={classes.expiry}>
                  It {formatExpiry(order.expiresAt, now)}: <ZTime iso={order.expiresAt} withDate copyable={false} />
                </p>
              )}
              {state === 'standby' && standbySeat}
              <Actions order={order} state={state} sending={sending} onAnswer={answer} />
              {state === 'accepted' && swaps}
            </div>
          </Panel>
        </div>
        <Panel title="Tasking">
          <div className={classes.parts}>
            <RowFacts order={order} surface="page">
              <Fact label="Order">
                <StatusBadge kind="order" value={order.status} />
              </Fact>
            </RowFacts>
            <OrderTimeline order={order} />
            <OrderParts order={order} surface="page" />
          </div>
        </Panel>
        {thread !== undefined && <div className={classes.thread}>{thread}</div>}
      </div>
    </article>
  );
}

function Badges({
  order,
  ...answer
}: {
  order: AcceptedMissionDto;
  state: OrderState;
  sending: RsvpResponse | undefined;
}) {
  return order.isPractice ? (
    <span className={classes.badges}>
      <Badge signal="cyan">Practice</Badge>
      <StateBadge {...answer} />
    </span>
  ) : (
    <StateBadge {...answer} />
  );
}

function StateBadge({ state, sending }: { state: OrderState; sending: RsvpResponse | undefined }) {
  const closed = CLOSED[state];
  return closed === undefined ? (
    <StatusBadge kind="rsvp" value={sending ?? state} />
  ) : (
    <Badge signal={closed[0]}>{closed[1]}</Badge>
  );
}

interface ActionsProps {
  order: AcceptedMissionDto;
  state: OrderState;
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** The actions that this state allows; for a closed order, a link to /home. */
function Actions({ order, state, sending, onAnswer }: ActionsProps) {
  const { HomeButton } = useHomeLinks();
  switch (state) {
    case 'pending':
      return (
        <AnswerButtons order={order} busy={sending !== undefined} onAnswer={(response) => onAnswer(order, response)} />
      );
    case 'accepted':
      return (
        <>
          <AcceptedActions mission={order} sending={sending} onAnswer={onAnswer} />
          <OrderFiles mission={order} ownsPage />
        </>
      );
    case 'standby':
    case 'declined':
      return <SeatlessActions order={order} sending={sending} onAnswer={onAnswer} />;
    case 'expired':
    case 'mission cancelled':
    case 'removed':
    case 'taken':
    case 'replaced':
    case 'missed':
    case 'flown':
      return <HomeButton>Back to Home</HomeButton>;
  }
}

/** Moves the focus to the order when a change of state removes the focused button. */
function useFocusAfterChange(state: OrderState) {
  const article = useRef<HTMLElement>(null);
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current !== state) {
      shown.current = state;
      if (document.activeElement === document.body) {
        article.current?.focus({ preventScroll: true });
      }
    }
  }, [state]);
  return article;
}
