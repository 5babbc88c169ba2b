import { memo, useState } from 'react';
import { LinkButton } from '#client/components/link-button.tsx';
import { ZSpan } from '#client/domain-ui/z-span.tsx';
import { useFastLinks } from '#client/lib/use-fast-links.ts';
import type { RecommendationDto } from '#shared/schemas/dashboard.ts';
import { countOf } from './board-text.ts';
import classes from './recommendations.module.css';

/** Pilots listed on a card before it is expanded. */
const NAMED = 3;

interface RecommendationsProps {
  recommendations: readonly RecommendationDto[];
  timeZone: string;
}

/** Recommended mission times, best first. */
export const Recommendations = memo(function Recommendations({ recommendations, timeZone }: RecommendationsProps) {
  const onClick = useFastLinks();
  return (
    // The handler only turns clicks on real links into client-side navigation.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- keys on a link trigger a click
    <ol className={classes.list} onClick={onClick}>
      {recommendations.map((recommendation) => (
        <RecommendationCard key={recommendation.startUtc} recommendation={recommendation} timeZone={timeZone} />
      ))}
    </ol>
  );
});

interface RecommendationCardProps {
  recommendation: RecommendationDto;
  timeZone: string;
}

function RecommendationCard({ recommendation, timeZone }: RecommendationCardProps) {
  const { rank, startUtc, endUtc, participantCount, reason, availableUserIds, availableUserNames } = recommendation;
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
        <p className={classes.count}>{countOf(participantCount, 'pilot')}</p>
        <p className={classes.reason}>{reason}</p>
        <PilotLinks pilots={pilots} total={participantCount} />
      </div>
      <LinkButton
        to="/admin/missions"
        search={{ start: startUtc, end: endUtc }}
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
