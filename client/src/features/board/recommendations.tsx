import { memo, useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import type { RecommendationDto } from '#shared/schemas/dashboard.ts';
import { formatSeatRequests } from '#shared/seat-request.ts';
import { countOf } from './board-text.ts';
import type { TimesAsk } from './times-ask.ts';
import classes from './recommendations.module.css';

const MINUTE_MS = 60_000;
/** Pilots listed on a card before it is expanded. */
const NAMED = 3;

interface RecommendationsProps {
  recommendations: readonly RecommendationDto[];
  timeZone: string;
  ask: TimesAsk;
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
  requestedSeats: number | undefined;
}

function RecommendationCard({
  recommendation,
  timeZone,
  ask: { minutes, seats },
  requestedSeats,
}: RecommendationCardProps) {
  const { rank, startUtc, participantCount, fillableSeats, reason, availableUserIds, availableUserNames } =
    recommendation;
  // The pilots may be free for longer than asked, as the reason says; the mission is as long as asked.
  const endUtc = new Date(Date.parse(startUtc) + minutes * MINUTE_MS).toISOString();
  const pilots = availableUserIds.map((id, index) => ({ id, name: availableUserNames[index] ?? id }));
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
            `${fillableSeats} of ${countOf(requestedSeats, 'seat')} · `}
          {countOf(participantCount, 'pilot')}
        </p>
        <p className={classes.reason}>{reason}</p>
        <PilotLinks pilots={pilots} total={participantCount} />
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

interface PilotLinksProps {
  pilots: readonly { id: string; name: string }[];
  /** may exceed the number of names */
  total: number;
}

/** Links to the first pilots, and a button that shows the rest. */
function PilotLinks({ pilots, total }: PilotLinksProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? pilots : pilots.slice(0, NAMED);
  const rest = pilots.length - NAMED;
  const unnamed = total - pilots.length;
  return (
    <ul className={classes.pilots} aria-label="Pilots">
      {shown.map(({ id, name }) => (
        <li key={id}>
          <a href={`/admin/users/${id}/availability`} className={classes.pilot}>
            {name}
          </a>
        </li>
      ))}
      {isOpen && unnamed > 0 && <li>and {unnamed} more</li>}
      {rest > 0 && (
        <li>
          <button
            type="button"
            className={classes.more}
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Fewer pilots' : `${total - NAMED} more pilots`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Fewer' : `+${total - NAMED}`}
          </button>
        </li>
      )}
    </ul>
  );
}
