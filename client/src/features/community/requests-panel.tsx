import { Button } from '@mantine/core';
import { Loaded } from '#client/components/loaded.tsx';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Panel } from '#client/components/panel.tsx';
import { LEVEL_NAMES } from '#client/domain-ui/aircraft-list/aircraft-text.ts';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { formatDuration } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { SlotRequestDto } from '#shared/schemas/slot-requests.ts';
import { communityCopy } from './community-text.ts';
import classes from './community.module.css';

/** Visitors' requests for a slot, to answer with an invite or to dismiss. */
export function RequestsPanel({ onInvite }: { onInvite: (request: SlotRequestDto) => void }) {
  const utils = trpc.useUtils();
  const now = useNow();
  const requests = trpc.admin.community.requests.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });
  const dismiss = trpc.admin.community.dismissRequest.useMutation({
    onSuccess: () => {
      void utils.admin.audit.invalidate();
      showToast(communityCopy.dismissed);
    },
    onError: (cause) => showFailure(cause, copy.unknownError),
    // also after a failure: another admin may have been faster
    onSettled: () => utils.admin.community.requests.invalidate(),
  });
  const columns: Column<SlotRequestDto>[] = [
    {
      id: 'visitor',
      header: 'Visitor',
      rowHeader: true,
      cell: ({ handle, email }) => (
        <span className={classes.name}>
          {handle}
          <span className={classes.note}>{email}</span>
        </span>
      ),
    },
    {
      id: 'flies',
      header: 'Flies',
      cell: ({ module, level }) => `${module === 'Other' ? 'Another aircraft' : module}, ${LEVEL_NAMES[level]}`,
    },
    {
      id: 'wish',
      header: 'Would like',
      cell: ({ slot, notes }) => (
        <span className={classes.name}>
          {slot}
          {notes !== null && <span className={classes.notes}>{notes}</span>}
        </span>
      ),
    },
    {
      id: 'age',
      header: 'Asked',
      cell: ({ createdAt }) => `${formatDuration(Math.max(0, now.getTime() - Date.parse(createdAt)))} ago`,
    },
    {
      id: 'state',
      header: 'State',
      cell: ({ invitedAt }) =>
        invitedAt === null ? <Badge signal="yellow">Waiting</Badge> : <Badge signal="green">Invited</Badge>,
    },
    {
      id: 'answer',
      header: 'Answer',
      cell: (request) => (
        <span className={classes.decide}>
          <Button
            variant="default"
            aria-label={`Dismiss the request of ${request.handle}`}
            disabled={dismiss.isPending}
            onClick={() => dismiss.mutate({ id: request.id })}
          >
            Dismiss
          </Button>
          {request.invitedAt === null && (
            <Button aria-label={`Create an invite for ${request.handle}`} onClick={() => onInvite(request)}>
              Create an invite
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <Panel flush title="Requests" anchor="requests" actions={<span>{requests.data?.waiting ?? 0}</span>}>
      <Loaded
        query={requests}
        loading={communityCopy.loadingRequests}
        failure={copy.unknownError}
        prefix={communityCopy.requestsFailed}
        rows={1}
      >
        {(list) => (
          <DataTable
            caption="Requests of visitors"
            columns={columns}
            rows={list.requests}
            rowKey={({ id }) => id}
            empty={<p className={classes.none}>{communityCopy.noRequests}</p>}
          />
        )}
      </Loaded>
    </Panel>
  );
}
