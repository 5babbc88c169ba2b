import { IconCalendarOff } from '@tabler/icons-react';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { AcceptedCard } from './accepted-card.tsx';
import { homeCopy } from './home-copy.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import type { Answer, Sending } from './use-rsvp.ts';
import classes from './inbox-panel.module.css';

interface AcceptedPanelProps {
  /** accepted and not over yet, the next one first */
  missions: Loadable<AcceptedMissionDto[]>;
  sending: Sending;
  onAnswer: Answer;
}

/** The seats a pilot has taken. */
export function AcceptedPanel({ missions, sending, onAnswer }: AcceptedPanelProps) {
  return (
    <Panel title="Accepted Missions" flush>
      <div className={missions.data === undefined ? classes.waiting : undefined}>
        <Loaded query={missions} loading={homeCopy.loadingAccepted} failure={homeCopy.acceptedFailed} rows={5}>
          {(accepted) => <MissionList missions={accepted} sending={sending} onAnswer={onAnswer} />}
        </Loaded>
      </div>
    </Panel>
  );
}

interface MissionListProps {
  missions: readonly AcceptedMissionDto[];
  sending: Sending;
  onAnswer: Answer;
}

function MissionList({ missions, sending, onAnswer }: MissionListProps) {
  const { ref, onFocus } = useFocusAfterRemoval(missions.map(({ id }) => id));
  return (
    <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
      {missions.length === 0 && (
        <EmptyState icon={<IconCalendarOff size={40} stroke={1.5} />} title="No mission ahead">
          The missions you accepted are over. Accept a frag order and it shows up here.
        </EmptyState>
      )}
      {missions.map((mission) => (
        <AcceptedCard key={mission.id} mission={mission} sending={sending[mission.id]} onAnswer={onAnswer} />
      ))}
    </div>
  );
}
