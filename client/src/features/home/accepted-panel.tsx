import { Button } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { Loaded, type Loadable } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { EmptyState } from '#client/components/query-states.tsx';
import type { AcceptedMissionDto } from '#shared/schemas/pilot.ts';
import { AcceptedCard } from './accepted-card.tsx';
import { homeCopy } from './home-text.ts';
import { useFocusAfterRemoval } from './use-focus-after-removal.ts';
import type { Answer, Sending } from '#client/features/order/use-answers.ts';
import classes from './inbox-panel.module.css';

interface AcceptedPanelProps {
  /** accepted missions that are not over, soonest first */
  missions: Loadable<AcceptedMissionDto[]>;
  sending: Sending;
  onAnswer: Answer;
  /** sets the status to Find Flight */
  onFindFlight: () => void;
}

/** Panel of accepted missions. */
export function AcceptedPanel({ missions, ...rest }: AcceptedPanelProps) {
  return (
    <Panel title="Accepted Missions" flush>
      <div className={missions.data === undefined ? classes.waiting : undefined}>
        <Loaded
          query={missions}
          loading={homeCopy.loadingAccepted}
          failure={homeCopy.acceptedFailed}
          alwaysFailure
          rows={5}
        >
          {(accepted) => <MissionList missions={accepted} {...rest} />}
        </Loaded>
      </div>
    </Panel>
  );
}

interface MissionListProps extends Omit<AcceptedPanelProps, 'missions'> {
  missions: readonly AcceptedMissionDto[];
}

function MissionList({ missions, sending, onAnswer, onFindFlight }: MissionListProps) {
  const { ref, onFocus } = useFocusAfterRemoval(missions.map(({ id }) => id));
  return (
    <div ref={ref} tabIndex={-1} className={classes.list} onFocus={onFocus}>
      {missions.length === 0 && (
        <EmptyState
          icon={<IconCalendarOff size={40} />}
          title="No upcoming missions"
          action={
            <Button variant="light" onClick={onFindFlight}>
              Find a flight
            </Button>
          }
        >
          The missions you accepted are over. Accept a frag order and it shows up here.
        </EmptyState>
      )}
      {missions.map((mission) => (
        <AcceptedCard key={mission.id} mission={mission} sending={sending[mission.id]} onAnswer={onAnswer} />
      ))}
    </div>
  );
}
