import { Button, Group } from '@mantine/core';
import { IconCalendarOff, IconCalendarPlus, IconCalendarShare } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmModal } from '#client/components/confirm-modal.tsx';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { failureOf, type Told } from '#client/lib/failure.ts';
import { showToast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { ShownOnce } from '#client/components/shown-once.tsx';
import classes from './calendar-panel.module.css';

const calendarCopy = {
  loading: 'Loading your calendar link...',
  loadFailed: 'Failed to load your calendar link',
  makeFailed: 'Failed to make a link',
  endFailed: 'Failed to turn off the link',
  ended: 'Calendar link turned off',
} as const;

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

/** Panel that creates, replaces and turns off the pilot's secret calendar link. */
export function CalendarPanel() {
  const feed = trpc.pilot.calendar.feed.useQuery();
  return (
    <Panel anchor="calendar" title="Calendar">
      <div className={classes.body}>
        <p className={classes.text}>
          Your calendar app can show the missions you accept. It updates itself and drops missions you leave or that are
          cancelled. <strong>Anyone with the link can read your missions</strong>, so treat it like a password.
        </p>
        <Loaded query={feed} loading={calendarCopy.loading} failure={calendarCopy.loadFailed} rows={1}>
          {({ createdAt }) => <Feed createdAt={createdAt} />}
        </Loaded>
      </div>
    </Panel>
  );
}

function Feed({ createdAt }: { createdAt: string | null }) {
  const utils = trpc.useUtils();
  const [asking, setAsking] = useState<'renew' | 'end' | null>(null);
  const [error, setError] = useState<Told>(null);
  const renew = trpc.pilot.calendar.renew.useMutation({
    onSuccess: ({ createdAt: madeAt }) => utils.pilot.calendar.feed.setData(undefined, { createdAt: madeAt }),
    onError: (cause) => setError(failureOf(cause, calendarCopy.makeFailed)),
  });
  const end = trpc.pilot.calendar.end.useMutation({
    onSuccess: () => {
      renew.reset();
      utils.pilot.calendar.feed.setData(undefined, { createdAt: null });
      showToast(calendarCopy.ended);
    },
    onError: (cause) => setError(failureOf(cause, calendarCopy.endFailed)),
  });
  const isBusy = renew.isPending || end.isPending;
  const start = (mutation: { mutate: () => void }): void => {
    setAsking(null);
    setError(null);
    mutation.mutate();
  };

  if (createdAt === null) {
    return (
      <>
        <FormError message={error} />
        <p className={classes.state}>
          <IconCalendarOff {...ICON} size={20} />
          <span>Off: there is no link.</span>
        </p>
        <Group gap="sm">
          <Button leftSection={<IconCalendarPlus {...ICON} />} disabled={isBusy} onClick={() => start(renew)}>
            {renew.isPending ? 'Making a link...' : 'Get calendar link'}
          </Button>
        </Group>
      </>
    );
  }
  return (
    <>
      <FormError message={error} />
      <p className={classes.state}>
        <IconCalendarShare {...ICON} size={20} />
        <span>
          <Badge signal="green">On</Badge> since <ZTime iso={createdAt} withDate copyable={false} />
        </span>
      </p>
      {renew.data === undefined ? (
        <p className={classes.text}>
          The link is shown only once, when it is made. If you have lost it, make a new one.
        </p>
      ) : (
        <NewLink key={renew.data.url} url={renew.data.url} />
      )}
      <Group gap="sm">
        <Button variant="default" disabled={isBusy} onClick={() => setAsking('renew')}>
          {renew.isPending ? 'Making a link...' : 'Make a new link'}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={() => setAsking('end')}>
          {end.isPending ? 'Turning off...' : 'Turn off'}
        </Button>
      </Group>
      <ConfirmModal
        opened={asking === 'renew'}
        title="Make a new link?"
        confirmLabel="Make a new link"
        onConfirm={() => start(renew)}
        onClose={() => setAsking(null)}
      >
        The old link stops working at once. Calendars that use it need the new one.
      </ConfirmModal>
      <ConfirmModal
        opened={asking === 'end'}
        title="Turn off the calendar link?"
        confirmLabel="Turn off"
        signal="red"
        onConfirm={() => start(end)}
        onClose={() => setAsking(null)}
      >
        The link stops working at once. Missions already in your calendar may stay there until you remove the
        subscription.
      </ConfirmModal>
    </>
  );
}

/** The new link, shown once: the server stores only its hash. */
function NewLink({ url }: { url: string }) {
  return (
    <div className={classes.link}>
      <ShownOnce
        label="Your calendar link"
        description="Copy it now: it won't be shown again. In your calendar app, add a calendar by link (URL)."
        secret={url}
        copyLabel="Copy calendar link"
        copiedLabel="Calendar link copied"
      />
      <a className={classes.open} href={url.replace(/^https?:/, 'webcal:')}>
        <IconCalendarPlus {...ICON} />
        Open in your calendar app
      </a>
    </div>
  );
}
