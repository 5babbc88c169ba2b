import { Link, useRouterState } from '@tanstack/react-router';
import type { Trouble } from '#client/lib/connection.ts';
import { dropKept, useKept, useKeptByAnyone, type Kept } from '#client/lib/kept.ts';
import { useViewer } from '#client/lib/session.ts';
import { useSendKept } from '#client/lib/use-send-kept.ts';
import { NotSent, Refusal } from './not-sent.tsx';
import classes from './kept-notice.module.css';

const WEEK_PAGE = '/availability';

/** Sends what is kept for the signed-in account once the server can be reached, and says what was refused. */
export function KeptNotice({ trouble }: { trouble: Trouble }) {
  const viewer = useViewer();
  return viewer === null ? (
    <SignInToSend />
  ) : (
    <KeptOf key={viewer.id} userId={viewer.id} isReachable={trouble === null} />
  );
}

/** On the sign-in page. It does not say more, because it does not know who reads it. */
function SignInToSend() {
  const number = useKeptByAnyone();
  const isLogin = useRouterState({ select: ({ location }) => location.pathname === '/login' });
  return (
    isLogin &&
    number > 0 && (
      <div className={classes.lines}>
        <NotSent signal="yellow">
          Something you answered or saved is kept on this device. It is sent once you sign in.
        </NotSent>
      </div>
    )
  );
}

interface KeptOfProps {
  userId: string;
  isReachable: boolean;
}

function KeptOf({ userId, isReachable }: KeptOfProps) {
  const all = useKept(userId);
  useSendKept(userId, all, isReachable);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = all.filter((kept) =>
    // The page of an order, and that of the week, show these themselves.
    'orderId' in kept ? kept.refused && path !== `/orders/${kept.orderId}` : !(kept.isConflict && path === WEEK_PAGE),
  );
  return (
    shown.length > 0 && (
      <div className={classes.lines}>
        {shown.map((kept) => (
          <KeptLine key={kept.key} kept={kept} onDrop={() => dropKept(userId, kept)} />
        ))}
      </div>
    )
  );
}

function KeptLine({ kept, onDrop }: { kept: Kept; onDrop: () => void }) {
  const { refused } = kept;
  if ('orderId' in kept) {
    return (
      refused && (
        <NotSent signal="red" action={{ label: 'Dismiss', onClick: onDrop }}>
          Your answer to{' '}
          <Link to="/orders/$orderId" params={{ orderId: kept.orderId }}>
            {kept.name}
          </Link>{' '}
          ({kept.word}) wasn&apos;t saved. <Refusal {...refused} />
        </NotSent>
      )
    );
  }
  if (kept.isConflict) {
    return (
      <NotSent signal="red">
        Your week was saved somewhere else, so the one from this device wasn&apos;t.{' '}
        <Link to={WEEK_PAGE}>Choose between them</Link>
      </NotSent>
    );
  }
  return refused === undefined ? (
    <NotSent signal="yellow" action={{ label: 'Take back', onClick: onDrop }}>
      <strong>Waiting for network.</strong> Your week is kept on this device and sent when you&apos;re back online.
    </NotSent>
  ) : (
    <NotSent signal="red" action={{ label: 'Dismiss', onClick: onDrop }}>
      Your week wasn&apos;t saved. <Refusal {...refused} /> <Link to={WEEK_PAGE}>Open your week</Link>
    </NotSent>
  );
}
