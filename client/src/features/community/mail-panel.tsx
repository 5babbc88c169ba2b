import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { MailLogDto } from '#shared/schemas/mail.ts';
import { communityCopy, MAIL_WORDS } from './community-text.ts';
import classes from './community.module.css';

type Failure = MailLogDto['failures'][number];

const COLUMNS: Column<Failure>[] = [
  { id: 'time', header: 'Since', cell: ({ queuedAt }) => <ZTime iso={queuedAt} withDate copyable={false} /> },
  {
    id: 'mail',
    header: 'Email',
    rowHeader: true,
    cell: ({ kind, to }) => (
      <span className={classes.name}>
        {MAIL_WORDS[kind]}
        <span className={classes.note}>{to}</span>
      </span>
    ),
  },
  { id: 'error', header: 'Problem', cell: ({ error }) => <span className={classes.name}>{error}</span> },
  {
    id: 'next',
    header: 'Next attempt',
    cell: ({ isOver, nextAttemptAt }) =>
      isOver || nextAttemptAt === null ? 'None, given up' : <ZTime iso={nextAttemptAt} withDate copyable={false} />,
  },
];

/** Email: the server, counts, the last failures, and a test. */
export function MailPanel() {
  const log = trpc.admin.mail.log.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.status });
  return (
    <Panel title="Email" anchor="email">
      <Loaded
        query={log}
        loading={communityCopy.loadingMail}
        failure={copy.unknownError}
        prefix={communityCopy.mailFailed}
        rows={2}
      >
        {(read) => (read.isOffered ? <Log log={read} /> : <p className={classes.text}>{communityCopy.mailOff}</p>)}
      </Loaded>
    </Panel>
  );
}

function Log({ log }: { log: MailLogDto }) {
  const utils = trpc.useUtils();
  const test = trpc.admin.mail.test.useMutation({
    onSuccess: () => {
      showToast(communityCopy.testQueued);
      return utils.admin.mail.log.invalidate();
    },
    onError: (cause) => showFailure(cause, copy.unknownError),
  });
  const { from, server, waiting, sent, failed, failures } = log;
  return (
    <div className={classes.mail}>
      <p className={classes.text}>
        Sent as {from} through {server}. In the last 7 days: {sent} sent, {failed} failed. Waiting now: {waiting}.
      </p>
      <div>
        <Button
          variant="default"
          leftSection={<IconMail size={18} aria-hidden="true" />}
          disabled={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.isPending ? 'Sending...' : 'Send a test email to yourself'}
        </Button>
      </div>
      {failures.length > 0 && (
        <DataTable
          caption="Email that was not sent"
          columns={COLUMNS}
          rows={failures}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No failures" />}
        />
      )}
    </div>
  );
}
