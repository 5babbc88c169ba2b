import { StatusBadge } from '#client/domain-ui/status-badge.tsx';
import { useReaderZone } from '#client/lib/reader-zone.ts';
import { formatShortDate } from '#client/lib/time.ts';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import type { RsvpResponse } from '#shared/vocabulary.ts';
import { AcceptedActions } from '#client/features/order/accepted-actions.tsx';
import { OrderCard } from '#client/features/order/order-card.tsx';
import { OrderFiles } from '#client/features/order/order-files.tsx';
import { OrderParts, RowFacts } from '#client/features/order/order-parts.tsx';
import type { Answer } from '#client/features/order/use-answers.ts';
import classes from './accepted-card.module.css';

interface AcceptedCardProps {
  mission: AcceptedMissionDto;
  /** answer being sent: `accepted` for Confirm, `declined` for Cancel */
  sending: RsvpResponse | undefined;
  onAnswer: Answer;
}

/** Card of an accepted mission: cockpit facts, package, files, Confirm and Cancel. */
export function AcceptedCard({ mission, sending, onAnswer }: AcceptedCardProps) {
  const timeZone = useReaderZone();
  return (
    <OrderCard
      order={mission}
      sending={sending}
      className={classes.card}
      aside={<StatusBadge kind="rsvp" value={sending ?? mission.rsvp} />}
      seat={`${mission.title} · ${mission.theater} · ${formatShortDate(mission.startUtc, timeZone)}`}
      facts={<RowFacts order={mission} surface="tile" />}
    >
      <div className={classes.package}>
        <OrderParts order={mission} surface="tile" />
      </div>
      <div className={classes.foot}>
        <AcceptedActions mission={mission} sending={sending} onAnswer={onAnswer} />
        <OrderFiles mission={mission} />
      </div>
    </OrderCard>
  );
}
