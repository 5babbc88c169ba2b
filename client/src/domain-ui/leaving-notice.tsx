import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { isPilot, useViewer, viewerQuery } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import classes from './leaving-notice.module.css';
import { ZTime } from './z-time.tsx';

/** Notice on every page of an account that is about to be deleted, with the button that keeps it. */
export function LeavingNotice() {
  const viewer = useViewer();
  return viewer === null || isPilot(viewer) ? null : <Notice />;
}

function Notice() {
  const client = useQueryClient();
  const utils = trpc.useUtils();
  const { data } = trpc.auth.deletion.useQuery();
  const keep = trpc.auth.undoDeletion.useMutation({
    onSuccess: async (answer) => {
      utils.auth.deletion.setData(undefined, answer);
      await client.invalidateQueries({ queryKey: viewerQuery.queryKey });
      await client.invalidateQueries();
      showToast('Your account is kept');
    },
    onError: (cause) => showFailure(cause, copy.unknownError),
  });
  if (!data?.dueAt) return null;
  return (
    <div role="status" className={classes.notice}>
      <span>
        Your account will be deleted on <ZTime iso={data.dueAt} withDate copyable={false} />.
      </span>
      <Button variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
        Keep my account
      </Button>
    </div>
  );
}
