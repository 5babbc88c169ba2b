import { memo } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import type { AircraftDto } from '#shared/schemas/availability.ts';
import { count } from '#shared/plural.ts';
import { boardCopy } from './board-text.ts';
import { Recommendations } from './recommendations.tsx';
import { BOARD_REFRESH_MS } from './refresh.ts';
import { describeMinutes, timesInput, type TimesAsk } from './times-ask.ts';
import { TimesFilter } from './times-filter.tsx';
import type { ChangeBoard } from './use-board-search.ts';

interface RecommendedPanelProps {
  date: string;
  timeZone: string;
  ask: TimesAsk;
  aircraft: readonly AircraftDto[];
  /** false while it is not known what to ask for */
  isReady: boolean;
  onChange: ChangeBoard;
}

/** Panel of recommended times on the selected day, for a length and optionally the seats to fill. */
export const RecommendedPanel = memo(function RecommendedPanel({
  date,
  timeZone,
  ask,
  aircraft,
  isReady,
  onChange,
}: RecommendedPanelProps) {
  const times = trpc.admin.dashboard.recommendedTimes.useQuery(timesInput(date, timeZone, ask), {
    refetchInterval: BOARD_REFRESH_MS,
    staleTime: BOARD_REFRESH_MS,
    enabled: isReady,
    // The list stays while another length or other seats load, but not on another day.
    placeholderData: (before, query) => (query?.queryKey[1]?.input.date === date ? before : undefined),
  });
  const now = useNow();
  return (
    <Panel
      title="Recommended times"
      flush
      actions={
        times.data !== undefined && <span>{count(times.data.totalAvailableUsers, 'pilot')} available that day</span>
      }
    >
      <TimesFilter ask={ask} aircraft={aircraft} onChange={onChange} />
      <Loaded
        query={times}
        loading={boardCopy.loadingRecommendations}
        failure={copy.unknownError}
        prefix={boardCopy.recommendationsFailed}
        rows={6}
      >
        {({ recommendations, requestedSeats }) =>
          recommendations.length === 0 ? (
            <EmptyState
              title={boardCopy.noRecommendations}
              action={
                <LinkButton to="/admin/users" variant="default">
                  See the pilots
                </LinkButton>
              }
            >
              {requestedSeats === undefined
                ? `Nobody is free for ${describeMinutes(ask.minutes)}`
                : `Nobody who flies these aircraft is free for ${describeMinutes(ask.minutes)}`}
              {date === localDate(now, timeZone) ? ' for the rest of today.' : ' that day.'}
            </EmptyState>
          ) : (
            <Recommendations
              recommendations={recommendations}
              timeZone={timeZone}
              ask={ask}
              date={date}
              requestedSeats={requestedSeats}
              isBusy={times.isPlaceholderData}
            />
          )
        }
      </Loaded>
    </Panel>
  );
});
