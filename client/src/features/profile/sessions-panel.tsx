import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatShortDate } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { formatTime } from '#shared/clock.ts';
import type { SessionDto } from '#shared/schemas/profile.ts';
import { profileCopy } from './profile-text.ts';
import classes from './sessions-panel.module.css';

export const HANDHELD = /Android|iPhone|iPad/;

/** Panel of the account's sessions, which can be ended one by one. */
export function SessionsPanel() {
  // always refetch: sessions can change at any time
  const sessions = trpc.auth.sessions.useQuery(undefined, { staleTime: 0 });
  return (
    <Panel anchor="sessions" title="Sessions" flush>
      <Loaded query={sessions} loading={profileCopy.loadingSessions} failure={profileCopy.sessionsLoadFailed}>
        {(rows) => <Sessions rows={rows} />}
      </Loaded>
    </Panel>
  );
}

function Sessions({ rows }: { rows: readonly SessionDto[] }) {
  const list = useRef<HTMLUListElement>(null);
  const trpcUtils = trpc.useUtils();
  const [isAsking, setAsking] = useState(false);
  const others = rows.filter(({ isCurrent }) => !isCurrent).length;

  /** The clicked button disappears with its session, so the list gets the focus. */
  const settle = async (): Promise<void> => {
    await trpcUtils.auth.sessions.invalidate();
    list.current?.focus();
  };
  const onError = (cause: unknown): void => {
    showFailure(cause, profileCopy.sessionFailed);
  };
  const end = trpc.auth.endSession.useMutation({
    onSuccess: () => showToast(profileCopy.sessionEnded),
    onError,
    onSettled: settle,
  });
  const endOthers = trpc.auth.endOtherSessions.useMutation({
    onSuccess: () => showToast(profileCopy.othersEnded),
    onError,
    onSettled: async () => {
      setAsking(false);
      await settle();
    },
  });

  return (
    <>
      <ul ref={list} tabIndex={-1} className={classes.list} aria-label="Where you are signed in">
        {rows.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables.id === session.id}
            onEnd={() => end.mutate({ id: session.id })}
          />
        ))}
      </ul>
      <div className={classes.foot}>
        {others === 0 ? (
          <p className={classes.alone}>You aren't signed in anywhere else.</p>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            End All Other Sessions
          </Button>
        )}
      </div>
      <ConfirmModal
        opened={isAsking}
        title="End all other sessions?"
        confirmLabel="End Sessions"
        signal="red"
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate()}
        onClose={() => setAsking(false)}
      >
        {others === 1 ? 'One other session' : `${others} other sessions`} will be signed out. This one stays signed in.
      </ConfirmModal>
    </>
  );
}

interface SessionRowProps {
  session: SessionDto;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { timeZone } = useSignedInViewer();
  const { device, isCurrent, createdAt } = session;
  const Icon = HANDHELD.test(device) ? IconDeviceMobile : IconDeviceDesktop;
  const since = `${formatShortDate(createdAt, 'UTC')} ${formatTime(createdAt, timeZone)}`;
  return (
    <li className={classes.session}>
      <Icon size={20} aria-hidden="true" />
      <div className={classes.what}>
        <span className={classes.device}>
          <strong>{device}</strong>
          {isCurrent && <Badge signal="green">This device</Badge>}
        </span>
        <span className={classes.since}>
          Signed in <ZTime iso={createdAt} withDate copyable={false} />
        </span>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          className={classes.end}
          disabled={isEnding}
          aria-label={`End ${device}, signed in ${since}`}
          onClick={onEnd}
        >
          {isEnding ? 'Ending...' : 'End'}
        </Button>
      )}
    </li>
  );
}
