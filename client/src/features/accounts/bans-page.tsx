import { Button } from '@mantine/core';
import { IconPlus, IconUserCancel } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { formatDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { BanDto } from '#shared/schemas/bans.ts';
import { AddBanDialog } from './add-ban-dialog.tsx';
import { bansCopy } from './bans-text.ts';
import { LiftBanDialog } from './lift-ban-dialog.tsx';
import pageClasses from './users-page.module.css';
import classes from './users-table.module.css';

/** `Email and Discord` */
const kindsOf = ({ hasEmail, hasDiscord }: BanDto): string =>
  [...(hasEmail ? ['Email'] : []), ...(hasDiscord ? ['Discord'] : [])].join(' and ');

/** /admin/users?list=bans: people who may not have an account. */
export function BansPage() {
  const bans = trpc.admin.bans.list.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });
  const [isAdding, setAdding] = useState(false);
  const [lifting, setLifting] = useState<BanDto | null>(null);
  return (
    <>
      <Link to="/admin/users" className={pageClasses.back}>
        ← Users
      </Link>
      <PageHeader
        title="Bans"
        lead="Emails and Discord accounts that can have no account here"
        actions={
          <Button leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={() => setAdding(true)}>
            Add
          </Button>
        }
      />
      <Panel flush={Boolean(bans.data?.length)}>
        <Loaded
          query={bans}
          loading={bansCopy.loading}
          failure={copy.unknownError}
          prefix={bansCopy.loadFailed}
          rows={4}
        >
          {(list) => <BansTable bans={list} onLift={setLifting} />}
        </Loaded>
      </Panel>
      {isAdding && <AddBanDialog onClose={() => setAdding(false)} onDone={(sentence) => showToast(sentence)} />}
      {lifting !== null && (
        <LiftBanDialog
          ban={{ ...lifting, hasAccount: lifting.userId !== null }}
          onClose={() => setLifting(null)}
          onDone={(sentence) => showToast(sentence)}
        />
      )}
    </>
  );
}

function BansTable({ bans, onLift }: { bans: readonly BanDto[]; onLift: (ban: BanDto) => void }) {
  const { timeZone } = useSignedInViewer();
  const columns: Column<BanDto>[] = [
    {
      id: 'label',
      header: 'Label',
      rowHeader: true,
      cell: ({ label, userId }) => (
        <span className={classes.name}>
          {userId === null ? (
            label
          ) : (
            <Link to="/admin/users/$userId/availability" params={{ userId }}>
              {label}
            </Link>
          )}
        </span>
      ),
    },
    { id: 'kinds', header: 'Banned by', cell: kindsOf },
    { id: 'reason', header: 'Reason', cell: ({ reason }) => <span className={classes.aircraft}>{reason}</span> },
    {
      id: 'since',
      header: 'Since',
      cell: ({ createdAt, createdBy }) => (
        <>
          <time dateTime={createdAt} className={classes.joined}>
            {formatDate(createdAt, timeZone)}
          </time>
          {createdBy !== null && <span className={classes.missing}> by {createdBy}</span>}
        </>
      ),
    },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (ban) => (
        <Button variant="default" aria-label={`Lift the ban on ${ban.label}`} onClick={() => onLift(ban)}>
          Lift
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      columns={columns}
      rows={bans}
      rowKey={({ id }) => id}
      caption="Bans"
      empty={
        <EmptyState icon={<IconUserCancel size={40} />} title={bansCopy.none}>
          {bansCopy.noneMeaning}
        </EmptyState>
      }
    />
  );
}
