import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { panelLink } from '#shared/profile-sections.ts';
import { useViewer, viewerQuery } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import classes from './leaving-notice.module.css';
import { ZTime } from './z-time.tsx';

/** Notice on every page about a sign-in from a new device, until somebody confirms it or ends its session. */
export function NewSignInNotice() {
  const viewer = useViewer();
  const client = useQueryClient();
  const utils = trpc.useUtils();
  const settle = async (): Promise<void> => {
    await Promise.all([utils.auth.sessions.invalidate(), client.invalidateQueries({ queryKey: viewerQuery.queryKey })]);
  };
  const onError = (cause: unknown): void => showFailure(cause, copy.unknownError);
  const confirm = trpc.auth.confirmSession.useMutation({ onError, onSettled: settle });
  const end = trpc.auth.endSession.useMutation({
    onSuccess: () => showToast('Session ended. If it was not you, change your password, too.'),
    onError,
    onSettled: settle,
  });
  if (!viewer?.newSignIn) return null;
  const { id, device, createdAt } = viewer.newSignIn;
  const isBusy = confirm.isPending || end.isPending;
  return (
    <div role="status" className={classes.notice}>
      <span>
        New sign-in from <strong>{device}</strong> on <ZTime iso={createdAt} withDate copyable={false} />. Not you? End
        it and <Link {...panelLink('password')}>change your password</Link>.
      </span>
      <Button variant="default" disabled={isBusy} loading={confirm.isPending} onClick={() => confirm.mutate({ id })}>
        It was me
      </Button>
      <Button variant="default" disabled={isBusy} loading={end.isPending} onClick={() => end.mutate({ id })}>
        End this session
      </Button>
    </div>
  );
}
