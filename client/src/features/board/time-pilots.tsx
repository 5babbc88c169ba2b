import { useRef, useState } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import type { RecommendationDto } from '#shared/schemas/dashboard.ts';
import { BOARD_REFRESH_MS } from './refresh.ts';
import classes from './recommendations.module.css';
import type { timesInput } from './times-ask.ts';

/** Pilots listed on a card before it is expanded. */
const NAMED = 3;

interface TimePilotsProps {
  recommendation: RecommendationDto;
  /** the question that the recommendation answers */
  input: ReturnType<typeof timesInput>;
}

/** Links to the first pilots of a recommended time, and buttons that show the others. */
export function TimePilots({ recommendation, input }: TimePilotsProps) {
  const [isOpen, setOpen] = useState(false);
  const [pages, setPages] = useState(0);
  const toggle = useRef<HTMLButtonElement>(null);
  const { participantCount: total, availableUserIds, startUtc } = recommendation;
  const perPage = availableUserIds.length;
  const unnamed = total - perPage * (1 + pages);
  return (
    <ul className={classes.pilots} aria-label="Pilots">
      <PilotLinks recommendation={recommendation} limit={isOpen ? perPage : NAMED} />
      {isOpen &&
        Array.from({ length: pages }, (_, page) => (
          <NextPilots key={page} input={{ ...input, skipPilots: perPage * (page + 1) }} startUtc={startUtc} />
        ))}
      {isOpen && unnamed > 0 && (
        <li>
          <button
            type="button"
            className={classes.more}
            onClick={() => {
              setPages(pages + 1);
              // this button goes with its last press, and the keyboard needs a place
              if (unnamed <= perPage) toggle.current?.focus();
            }}
          >
            Show {Math.min(perPage, unnamed)} more
          </button>
        </li>
      )}
      {total > NAMED && (
        <li>
          <button
            ref={toggle}
            type="button"
            className={classes.more}
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Fewer pilots' : `${total - NAMED} more pilots`}
            onClick={() => {
              setOpen(!isOpen);
              setPages(0);
            }}
          >
            {isOpen ? 'Fewer' : `+${total - NAMED}`}
          </button>
        </li>
      )}
    </ul>
  );
}

function PilotLinks({ recommendation, limit }: { recommendation: RecommendationDto; limit: number }) {
  const { availableUserIds, availableUserNames } = recommendation;
  return availableUserIds.slice(0, limit).map((id, index) => (
    <li key={id}>
      <a href={`/admin/users/${id}/availability`} className={classes.pilot}>
        {availableUserNames[index] ?? id}
      </a>
    </li>
  ));
}

/** Pilots who come after those that are shown. */
function NextPilots({
  input,
  startUtc,
}: {
  input: TimePilotsProps['input'] & { skipPilots: number };
  startUtc: string;
}) {
  const { data, isError } = trpc.admin.dashboard.recommendedTimes.useQuery(input, { staleTime: BOARD_REFRESH_MS });
  if (!data) return <li role="status">{isError ? copy.unknownError : 'Loading pilots…'}</li>;
  const recommendation = data.recommendations.find((time) => time.startUtc === startUtc);
  return (
    recommendation && <PilotLinks recommendation={recommendation} limit={recommendation.availableUserIds.length} />
  );
}
