import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { errorCode } from '#client/lib/errors.ts';
import { panelLink } from '#shared/profile-sections.ts';
import { useViewer } from '#client/lib/session.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { MailChoice } from '#shared/vocabulary.ts';
import classes from './email-link-page.module.css';

/** Null for a link that does not work, which is no error of the page. */
async function unlessInvalid<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (cause) {
    if (errorCode(cause) === 'LINK_INVALID' || errorCode(cause) === 'VALIDATION') return null;
    throw cause;
  }
}

/** /email/verify/{token} and /email/unsubscribe/{token}: what the links of an email lead to. */
export function EmailLinkPage({ action, token }: { action: string; token: string }) {
  return (
    <div className={classes.page}>
      <PageHeader title={action === 'verify' ? 'Your address' : 'Email from Marshal'} />
      <Panel>{action === 'verify' ? <Verified token={token} /> : <Unsubscribed token={token} />}</Panel>
    </div>
  );
}

/** @param panel what the link was about */
function Home({ panel }: { panel: 'identity' | 'notifications' }) {
  const viewer = useViewer();
  return viewer === null ? (
    <LinkButton to="/login" variant="default">
      Sign In
    </LinkButton>
  ) : (
    <LinkButton {...panelLink(panel)} variant="default">
      Open Profile
    </LinkButton>
  );
}

function Invalid({ panel, children }: { panel: 'identity' | 'notifications'; children: string }) {
  return (
    <EmptyState title="This link doesn't work" action={<Home panel={panel} />}>
      {children}
    </EmptyState>
  );
}

function Verified({ token }: { token: string }) {
  const verified = useQuery({
    queryKey: ['verify-address', token],
    queryFn: () => unlessInvalid(trpcClient.pilot.mail.verify.mutate({ token })),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <Loaded query={verified} loading="Checking the link..." failure={copy.unknownError} rows={3}>
      {(result) =>
        result === null ? (
          <Invalid panel="identity">{copy.verificationInvalid}</Invalid>
        ) : (
          <div className={classes.result}>
            <p role="status">Your address is verified.</p>
            <Home panel="identity" />
          </div>
        )
      }
    </Loaded>
  );
}

/** The kinds of email, as the sentences below name them. */
const WORDS: Record<MailChoice, string> = {
  orders: 'email about new frag orders',
  changes: 'email about changes to your seats',
  reminders: 'reminders of your missions by email',
  invites: 'invites by email',
  requests: 'email about requests of visitors',
  digest: 'the weekly digest',
};

function Unsubscribed({ token }: { token: string }) {
  const ended = useQuery({
    queryKey: ['unsubscribe', token],
    queryFn: () => unlessInvalid(trpcClient.pilot.mail.setSubscription.mutate({ token, isWanted: false })),
    staleTime: Infinity,
    retry: false,
  });
  return (
    <Loaded query={ended} loading="Unsubscribing..." failure={copy.unknownError} rows={3}>
      {(result) =>
        result === null ? (
          <Invalid panel="notifications">{copy.unsubscribeInvalid}</Invalid>
        ) : (
          <Subscription token={token} choice={result.choice} />
        )
      }
    </Loaded>
  );
}

function Subscription({ token, choice }: { token: string; choice: MailChoice }) {
  const set = trpc.pilot.mail.setSubscription.useMutation();
  const isWanted = set.data?.isWanted ?? false;
  return (
    <div className={classes.result}>
      <p role="status">{isWanted ? `You get ${WORDS[choice]} again.` : `You no longer get ${WORDS[choice]}.`}</p>
      {set.isError && <p role="alert">{copy.unknownError}</p>}
      <div className={classes.buttons}>
        <Button disabled={set.isPending} onClick={() => set.mutate({ token, isWanted: !isWanted })}>
          {isWanted ? 'Unsubscribe' : 'Undo'}
        </Button>
        <Home panel="notifications" />
      </div>
    </div>
  );
}
