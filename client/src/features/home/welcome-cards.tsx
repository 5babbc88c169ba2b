import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CloseButton } from '#client/components/icon-button.tsx';
import { LinkButton } from '#client/components/link-button.tsx';
import { Panel } from '#client/components/panel.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { panelLink } from '#shared/profile-sections.ts';
import { canPush, PushRefused, startPush } from '#client/lib/push.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { count } from '#shared/plural.ts';
import { homeCopy } from './home-text.ts';
import classes from './welcome-cards.module.css';

/** Cards after the registration: notifications, calendar and the next mission. */
export function WelcomeCards() {
  const navigate = useNavigate();
  return (
    <Panel
      title={homeCopy.welcome}
      actions={
        <CloseButton
          label="Close these suggestions"
          onClick={() => void navigate({ to: '/home', replace: true, state: {} })}
        />
      }
    >
      <ul className={classes.cards} aria-label={homeCopy.welcome}>
        <Notifications />
        <li className={classes.card}>
          <h3 className={classes.title}>Calendar</h3>
          <p className={classes.text}>Missions you accept appear in your own calendar and stay up to date.</p>
          <LinkButton {...panelLink('calendar')} variant="default">
            Get calendar link
          </LinkButton>
        </li>
        <NextMission />
      </ul>
    </Panel>
  );
}

function Notifications() {
  const on = useMutation({
    mutationFn: startPush,
    onError: (cause) =>
      showToast(cause instanceof PushRefused ? cause.message : errorMessage(cause, copy.unknownError), {
        signal: 'red',
      }),
  });
  return (
    <li className={classes.card}>
      <h3 className={classes.title}>Notifications</h3>
      <p className={classes.text}>Hear about orders and reminders even when Marshal isn&apos;t open.</p>
      {on.isSuccess ? (
        <p role="status" className={classes.done}>
          Turned on for this device
        </p>
      ) : canPush() ? (
        <Button variant="default" loading={on.isPending} onClick={() => on.mutate()}>
          Turn on notifications
        </Button>
      ) : (
        <LinkButton {...panelLink('notifications')} variant="default">
          Choose notifications
        </LinkButton>
      )}
    </li>
  );
}

function NextMission() {
  const missions = trpc.pilot.missions.list.useQuery({});
  const next = missions.data?.find(({ status }) => status === 'scheduled');
  return (
    <li className={classes.card}>
      <h3 className={classes.title}>Next mission</h3>
      {next === undefined ? (
        <>
          <p className={classes.text}>{missions.data === undefined ? 'Loading missions...' : homeCopy.noNextMission}</p>
          <LinkButton to="/missions" variant="default">
            All missions
          </LinkButton>
        </>
      ) : (
        <>
          <p className={classes.text}>
            <strong>{next.name}</strong>, <ZTime iso={next.startUtc} withDate copyable={false} />,{' '}
            {next.openSeats === 0 ? 'no seats open' : `${count(next.openSeats, 'seat')} open`}
          </p>
          <LinkButton to="/missions/$missionId" params={{ missionId: next.id }} variant="default">
            Open mission
          </LinkButton>
        </>
      )}
    </li>
  );
}
