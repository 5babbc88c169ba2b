import { Loader } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Choice } from '#client/components/choice.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import type { RivalDraftDto } from '#shared/schemas/mission-plan.ts';
import { useWeekPlan, type OwnMission } from './use-week-plan.ts';
import { rivalName, togetherSentence, wantsSentence } from './week-plan-text.ts';
import { workCopy } from '#client/features/missions/mission-text.ts';
import classes from './seat-together.module.css';

interface SeatTogetherProps {
  own: OwnMission;
  /** at least one */
  rivals: readonly RivalDraftDto[];
  /** renders the action for the chosen drafts, at least one */
  action: (chosen: readonly RivalDraftDto[]) => ReactNode;
}

/** Choice of drafts that compete for the same pilots, with the result of seating them together. */
export function SeatTogether({ own, rivals, action }: SeatTogetherProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = rivals.filter(({ missionId }) => !left.has(missionId));
  const query = useWeekPlan(
    own,
    chosen.map(({ missionId }) => missionId),
  );
  return (
    <section className={classes.together} aria-label="Plan together with other drafts">
      <h3 className={classes.title}>Drafts that need the same pilots</h3>
      <div className={classes.drafts}>
        {rivals.map((rival) => (
          <Choice
            key={rival.missionId}
            label={rivalName(rival)}
            meaning={wantsSentence(rival)}
            checked={!left.has(rival.missionId)}
            onChange={(isChosen) => {
              const others = [...left].filter((id) => id !== rival.missionId);
              setLeft(new Set(isChosen ? others : [...others, rival.missionId]));
            }}
          />
        ))}
      </div>
      {chosen.length === 0 ? (
        <p className={classes.sentence}>Choose a draft to plan them together.</p>
      ) : (
        <Loaded query={query} loading="Planning them together..." failure={workCopy.planFailed} rows={1}>
          {(plan) => (
            <p className={classes.sentence} role="status" data-better={plan.filled > plan.filledAlone || undefined}>
              {togetherSentence(plan)}
              {!plan.isBest && <span className={classes.short}> Another plan may fill more seats.</span>}
              {query.isPlaceholderData && <Loader size={14} className={classes.again} aria-label="Planning again" />}
            </p>
          )}
        </Loaded>
      )}
      {chosen.length > 0 && action(chosen)}
    </section>
  );
}
