import { Loaded } from '#client/components/loaded.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useNow } from '#client/lib/use-now.ts';
import { localDate } from '#shared/clock.ts';
import { copy } from '#shared/copy.ts';
import { RECOMMENDATIONS, RECOMMENDED_MINUTES } from '#shared/limits.ts';
import { boardCopy, countOf } from './board-text.ts';
import { Recommendations } from './recommendations.tsx';
import { BOARD_REFRESH_MS } from './refresh.ts';

/** Panel of recommended times on the selected day. */
export function RecommendedPanel({ date, timeZone }: { date: string; timeZone: string }) {
  const times = trpc.admin.dashboard.recommendedTimes.useQuery(
    { date, tz: timeZone, minDuration: RECOMMENDED_MINUTES.initial, limit: RECOMMENDATIONS.initial },
    { refetchInterval: BOARD_REFRESH_MS, staleTime: BOARD_REFRESH_MS },
  );
  const now = useNow();
  const isEmpty = times.data?.recommendations.length === 0;
  return (
    <Panel
      title="Recommended times"
      flush={times.data !== undefined && !isEmpty}
      actions={
        times.data !== undefined && <span>{countOf(times.data.totalAvailableUsers, 'pilot')} available that day</span>
      }
    >
      <Loaded
        query={times}
        loading={boardCopy.loadingRecommendations}
        failure={copy.unknownError}
        prefix={boardCopy.recommendationsFailed}
        rows={6}
      >
        {({ recommendations }) =>
          isEmpty ? (
            <EmptyState
              title={boardCopy.noRecommendations}
              action={
                <LinkButton to="/admin/users" variant="default">
                  See the pilots
                </LinkButton>
              }
            >
              Nobody has {RECOMMENDED_MINUTES.initial} free minutes left{' '}
              {date === localDate(now, timeZone) ? 'today' : 'that day'}.
            </EmptyState>
          ) : (
            <Recommendations recommendations={recommendations} timeZone={timeZone} />
          )
        }
      </Loaded>
    </Panel>
  );
}
