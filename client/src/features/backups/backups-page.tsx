import { Button } from '@mantine/core';
import { IconAlertTriangle, IconDatabaseExport } from '@tabler/icons-react';
import { useState } from 'react';
import { DataTable, type Column } from '#client/components/data-table.tsx';
import { Fact, Facts } from '#client/components/fact.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState, ErrorState } from '#client/components/query-states.tsx';
import { BotNotice, BotNotices } from '#client/domain-ui/bot-notice.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showFailure } from '#client/lib/failure.ts';
import { formatDuration } from '#client/lib/time.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import { count } from '#shared/plural.ts';
import type { BackupPlaceDto, BackupsDto } from '#shared/schemas/backups.ts';
import { formatSize } from '#shared/labels.ts';
import { backupsCopy, runWords } from './backups-text.ts';
import { RestorePanel } from './restore-panel.tsx';
import classes from './backups.module.css';

/** While one is being made. */
const RUN_POLL_MS = 1_000;

type Backup = BackupPlaceDto['backups'][number];

const isUnderWay = (backups: BackupsDto | undefined): boolean =>
  backups?.run.state === 'waiting' || backups?.run.state === 'running';

/** /admin/backups: the backups by place, one at once, and how to restore one. */
export function BackupsPage() {
  const utils = trpc.useUtils();
  const [hasAsked, setAsked] = useState(false);
  const backups = trpc.admin.backups.list.useQuery(undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? RUN_POLL_MS : POLL_MS.inbox),
  });
  const start = trpc.admin.backups.start.useMutation({
    onSuccess: (run) => {
      setAsked(true);
      utils.admin.backups.list.setData(undefined, (old) => old && { ...old, run });
    },
    onError: (cause) => showFailure(cause, copy.unknownError),
    onSettled: () => {
      void utils.admin.audit.invalidate();
      return utils.admin.backups.list.invalidate();
    },
  });
  const isBusy = start.isPending || isUnderWay(backups.data);
  return (
    <>
      <PageHeader
        title="Backups"
        lead="Copies of everything that Marshal knows"
        actions={
          <Button
            leftSection={<IconDatabaseExport size={18} aria-hidden="true" />}
            disabled={isBusy || (backups.data?.nextAt ?? null) === null}
            onClick={() => start.mutate()}
          >
            {isBusy ? 'Backing up...' : 'Back up now'}
          </Button>
        }
      />
      <Loaded
        query={backups}
        loading={backupsCopy.loading}
        failure={copy.unknownError}
        prefix={backupsCopy.loadFailed}
        rows={8}
      >
        {(shown) => <Backups backups={shown} hasAsked={hasAsked} />}
      </Loaded>
    </>
  );
}

function Backups({ backups, hasAsked }: { backups: BackupsDto; hasAsked: boolean }) {
  const { run, places, keep } = backups;
  return (
    <>
      <Warning backups={backups} />
      <output className={classes.run}>{runWords(run, hasAsked)}</output>
      <div className={classes.parts}>
        {run.state === 'failed' && (
          <ErrorState
            message={`${backupsCopy.failed}${run.error ?? ''}`}
            detail={run.retryAt === null ? backupsCopy.givenUp : backupsCopy.again}
          />
        )}
        <Newest backups={backups} />
        {places.map((place) => (
          <Place key={place.place} place={place} keep={keep} />
        ))}
        <RestorePanel isContainer={backups.isContainer} />
      </div>
    </>
  );
}

/** A notice while nothing, or nothing recent, could be restored. */
function Warning({ backups: { nextAt, isLate, places } }: { backups: BackupsDto }) {
  const hasAny = places.some(({ backups }) => backups.length > 0);
  const icon = <IconAlertTriangle size={20} aria-hidden="true" />;
  return (
    <BotNotices>
      {nextAt === null && (
        <BotNotice icon={icon} what={backupsCopy.off}>
          {backupsCopy.offMeaning}
        </BotNotice>
      )}
      {nextAt !== null && isLate && (
        <BotNotice icon={icon} what={hasAny ? backupsCopy.late : backupsCopy.none}>
          {hasAny ? backupsCopy.lateMeaning : backupsCopy.noneMeaning}
        </BotNotice>
      )}
    </BotNotices>
  );
}

function Newest({ backups: { places, nextAt } }: { backups: BackupsDto }) {
  const now = useNow();
  const all = places.flatMap(({ place, backups }) => backups.slice(0, 1).map((backup) => ({ ...backup, place })));
  const newest = all.toSorted((one, other) => other.madeAt.localeCompare(one.madeAt))[0];
  const inPlaces = all.filter(({ name }) => name === newest?.name).map(({ place }) => place);
  return (
    <Panel title="Newest backup">
      <div className={classes.facts}>
        <Facts>
          {newest === undefined ? (
            <Fact label="Made">Never</Fact>
          ) : (
            <>
              <Fact label="Age">{formatDuration(Math.max(0, now.getTime() - Date.parse(newest.madeAt)))}</Fact>
              <Fact label="Made">
                <ZTime iso={newest.madeAt} withDate copyable={false} />
              </Fact>
              <Fact label="Size">{formatSize(newest.bytes)}</Fact>
              <Fact label="Place">{inPlaces.join(' and ')}</Fact>
            </>
          )}
          <Fact label="Next">{nextAt === null ? 'None' : <ZTime iso={nextAt} withDate copyable={false} />}</Fact>
        </Facts>
      </div>
    </Panel>
  );
}

const COLUMNS: Column<Backup>[] = [
  {
    id: 'made',
    header: 'Made',
    rowHeader: true,
    phone: { line: 1 },
    cell: ({ madeAt }) => <ZTime iso={madeAt} withDate copyable={false} />,
  },
  { id: 'size', header: 'Size', align: 'end', phone: { line: 1 }, cell: ({ bytes }) => formatSize(bytes) },
  { id: 'name', header: 'Name', phone: { line: 2 }, cell: ({ name }) => <code className={classes.name}>{name}</code> },
];

function Place({ place: { place, problem, backups }, keep }: { place: BackupPlaceDto; keep: number }) {
  return (
    <Panel
      title={<span className={classes.place}>{place}</span>}
      flush
      actions={
        <span>
          {count(backups.length, 'backup')}, the newest {keep} stay
        </span>
      }
    >
      {problem === null ? (
        <DataTable
          caption={`Backups in ${place}`}
          columns={COLUMNS}
          rows={backups}
          rowKey={({ name }) => name}
          empty={<EmptyState title={backupsCopy.empty} />}
        />
      ) : (
        <ErrorState message={problem} />
      )}
    </Panel>
  );
}
