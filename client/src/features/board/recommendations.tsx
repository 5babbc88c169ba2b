import { memo } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import type { RecommendationDto } from '#shared/schemas/dashboard.ts';
import { formatSeatRequests } from '#shared/seat-request.ts';
import { count } from '#shared/plural.ts';
import { TimePilots } from './time-pilots.tsx';
import { timesInput, type TimesAsk } from './times-ask.ts';
import classes from './recommendations.module.css';

const MINUTE_MS = 60_000;

interface RecommendationsProps {
  recommendations: readonly RecommendationDto[];
  timeZone: string;
  ask: TimesAsk;
  date: string;
  /** sum of the seats that the answer is about; undefined for none */
  requestedSeats: number | undefined;
  /** shows an older answer while the next one loads */
  isBusy: boolean;
}

/** Recommended mission times, best first. */
export const Recommendations = memo(function Recommendations({
  recommendations,
  timeZone,
  ask,
  date,
  requestedSeats,
  isBusy,
}: RecommendationsProps) {
  const onClick = useFastLinks();
  return (
    // The handler only turns clicks on real links into client-side navigation.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- keys on a link trigger a click
    <ol className={classes.list} aria-busy={isBusy} onClick={onClick}>
      {recommendations.map((recommendation) => (
        <RecommendationCard
          key={recommendation.startUtc}
          recommendation={recommendation}
          timeZone={timeZone}
          ask={ask}
          date={date}
          requestedSeats={requestedSeats}
        />
      ))}
    </ol>
  );
});

interface RecommendationCardProps {
  recommendation: RecommendationDto;
  timeZone: string;
  ask: TimesAsk;
  date: string;
  requestedSeats: number | undefined;
}

function RecommendationCard({ recommendation, timeZone, ask, date, requestedSeats }: RecommendationCardProps) {
  const { minutes, seats } = ask;
  const { rank, startUtc, participantCount, fillableSeats, reason } = recommendation;
  // The pilots may be free for longer than asked, as the reason says; the mission is as long as asked.
  const endUtc = new Date(Date.parse(startUtc) + minutes * MINUTE_MS).toISOString();
  return (
    <li className={classes.card}>
      <span className={classes.rank} data-best={rank === 1 || undefined}>
        #{rank}
      </span>
      <div className={classes.what}>
        <h3 className={classes.time}>
          <ZSpan start={startUtc} end={endUtc} timeZone={timeZone} />
        </h3>
        <p className={classes.count}>
          {fillableSeats !== undefined &&
            requestedSeats !== undefined &&
            `${fillableSeats} of ${count(requestedSeats, 'seat')} · `}
          {count(participantCount, 'pilot')}
        </p>
        <p className={classes.reason}>{reason}</p>
        <TimePilots recommendation={recommendation} input={timesInput(date, timeZone, ask)} />
      </div>
      <LinkButton
        to="/admin/missions"
        search={{ start: startUtc, end: endUtc, seats: formatSeatRequests(seats) }}
        variant={rank === 1 ? 'filled' : 'default'}
        className={classes.use}
        aria-label={`Use this time, number ${rank}`}
      >
        Use this time
      </LinkButton>
    </li>
  );
}
