import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Loaded, useIsShown } from '#client/components/loaded.tsx';
import { PageHeader } from '#client/components/page-header.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { useSignedInViewer } from '#client/lib/session.ts';
import { formatCalendarDate } from '#client/lib/time.ts';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc, trpcClient } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { POLL_MS } from '#shared/limits.ts';
import type { MissionSeriesDto } from '#shared/schemas/series.ts';
import { SeriesDialog, type SeriesSubject } from './series-dialog.tsx';
import { SeriesPanel, type SeriesTask } from './series-panel.tsx';
import { endWords, seriesCopy } from './series-text.ts';
import { TemplatesPanel } from './templates-panel.tsx';
import classes from './series.module.css';

type Asking =
  | { kind: 'rule'; subject: SeriesSubject }
  | { kind: 'end'; series: MissionSeriesDto }
  | { kind: 'skip'; series: MissionSeriesDto; date: string };

/** Series whose best hours are looked up at once. */
const HOURS_SHOWN = 3;

/** /admin/series: missions that repeat with their coming dates, and templates. */
export function SeriesPage() {
  const { timeZone } = useSignedInViewer();
  const utils = trpc.useUtils();
  const today = localDate(useNow(), timeZone);
  const series = trpc.admin.series.list.useQuery(undefined, { staleTime: 0, refetchInterval: POLL_MS.inbox });
  const areShown = useIsShown(series);
  const [asking, setAsking] = useState<Asking | null>(null);
  const [cancelPublished, setCancelPublished] = useState(false);
  const close = (): void => setAsking(null);
  const settings = (sentence: string) => ({
    onSuccess: async () => {
      await utils.admin.invalidate();
      showToast(sentence);
      close();
    },
    onError: (cause: unknown) => {
      showFailure(cause, copy.unknownError);
      close();
    },
  });
  const skip = trpc.admin.series.skip.useMutation(settings(seriesCopy.skipped));
  const end = trpc.admin.series.end.useMutation(settings('The series has ended.'));
  const takeOver = trpc.admin.series.takeOver.useMutation(settings(seriesCopy.takenOver));
  const start = (task: SeriesTask, one: MissionSeriesDto): void => {
    setCancelPublished(false);
    if (task === 'takeOver') takeOver.mutate({ id: one.id });
    else if (task === 'end') setAsking({ kind: 'end', series: one });
    else setAsking({ kind: 'rule', subject: { kind: 'series', series: one } });
  };
  const repeat = async (id: string): Promise<void> => {
    try {
      const { name, startLocal, timeZone: zone } = await trpcClient.admin.missionTemplates.get.query({ id });
      const subject = { kind: 'template', id, name, startLocal, timeZone: zone, firstDate: today } as const;
      setAsking({ kind: 'rule', subject });
    } catch (cause) {
      showFailure(cause, copy.unknownError);
    }
  };
  return (
    <>
      <PageHeader
        title="Series"
        lead="Missions that repeat, and templates to create others from"
        actions={
          <LinkButton to="/admin/missions" variant="default">
            Create Mission
          </LinkButton>
        }
      />
      <div className={classes.parts} data-settle="always">
        <Loaded
          query={series}
          loading={seriesCopy.loading}
          failure={copy.unknownError}
          prefix={seriesCopy.loadFailed}
          rows={5}
        >
          {(list) =>
            list.length === 0 ? (
              <Panel>
                <EmptyState icon={<IconRepeat size={40} />} title={seriesCopy.empty}>
                  {seriesCopy.emptyMeaning}
                </EmptyState>
              </Panel>
            ) : (
              <div className={classes.parts}>
                {list.map((one, index) => (
                  <SeriesPanel
                    key={one.id}
                    series={one}
                    timeZone={timeZone}
                    hasHours={index < HOURS_SHOWN}
                    onTask={start}
                    onSkip={(skipped, date) => setAsking({ kind: 'skip', series: skipped, date })}
                  />
                ))}
              </div>
            )
          }
        </Loaded>
        <TemplatesPanel isReady={areShown || series.isError} onRepeat={({ id }) => void repeat(id)} />
      </div>
      {asking?.kind === 'rule' && <SeriesDialog subject={asking.subject} onClose={close} />}
      {asking?.kind === 'skip' && (
        <ConfirmModal
          opened
          title={`Skip ${asking.series.name} on ${formatCalendarDate(asking.date)}?`}
          confirmLabel="Skip"
          signal="red"
          busy={skip.isPending}
          onConfirm={() => skip.mutate({ id: asking.series.id, date: asking.date })}
          onClose={close}
        >
          {seriesCopy.skipMeaning}
        </ConfirmModal>
      )}
      {asking?.kind === 'end' && (
        <ConfirmModal
          opened
          title={`End ${asking.series.name}?`}
          confirmLabel="End series"
          signal="red"
          busy={end.isPending}
          onConfirm={() => end.mutate({ id: asking.series.id, cancelPublished })}
          onClose={close}
        >
          <p className={classes.hint}>{endWords(asking.series.occurrences, cancelPublished)}</p>
          {asking.series.occurrences.some(({ state }) => state === 'published') && (
            <Choice
              label="Also cancel published missions"
              meaning="Their orders end, and their pilots are told."
              checked={cancelPublished}
              onChange={setCancelPublished}
            />
          )}
        </ConfirmModal>
      )}
    </>
  );
}
