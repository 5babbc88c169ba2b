import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { FormError } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { errorMessage } from '#client/lib/errors.ts';
import { canPush, PushRefused, readPushEndpoint, startPush, stopPush } from '#client/lib/push.ts';
import { trpc } from '#client/lib/trpc.ts';
import { DO_NOT_DISTURB_HOURS } from '#shared/limits.ts';
import type { PushSubscriptionDto, PushTestResult } from '#shared/schemas/push.ts';
import { count } from '#shared/plural.ts';
import classes from './push-panel.module.css';

const pushCopy = {
  loading: 'Checking this device...',
  loadFailed: 'Failed to load your devices',
  onFailed: 'Failed to turn on notifications',
  offFailed: 'Failed to turn off notifications',
  testFailed: 'Failed to send a test',
  removeFailed: 'Failed to remove the device',
} as const;

const ENDPOINT_KEY = ['push-endpoint'];

/** Notification permission, `default` until the user decides; follows changes in the browser's settings. */
function usePermission(): NotificationPermission {
  const [permission, setPermission] = useState<NotificationPermission>(() => Notification.permission);
  useEffect(() => {
    let status: PermissionStatus | undefined;
    let isOver = false;
    const read = (): void => setPermission(Notification.permission);
    navigator.permissions
      .query({ name: 'notifications' })
      .then((found) => {
        if (!isOver) {
          status = found;
          found.addEventListener('change', read);
        }
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
      status?.removeEventListener('change', read);
    };
  }, []);
  return permission;
}

/** Panel that turns push notifications on this device on and off. */
export function PushPanel() {
  return (
    <Panel anchor="push" title="Notifications on this device">
      <div className={classes.body}>
        <p className={classes.text}>
          Marshal can notify you here even when it isn't open: about new frag orders, with seat, launch and answer time,
          when you get a seat from standby, and before missions you have a seat in. While your status is Do Not Disturb,
          you hear nothing of missions that start within {DO_NOT_DISTURB_HOURS} hours, except reminders. The choices
          above apply here too.
        </p>
        {canPush() ? <Device /> : <NotSupported />}
      </div>
    </Panel>
  );
}

function NotSupported() {
  return (
    <p className={classes.state}>
      <IconBellOff size={20} aria-hidden="true" />
      <span>
        This browser cannot show notifications. On an iPhone or iPad, add Marshal to the Home Screen and open it from
        there.
      </span>
    </p>
  );
}

function Device() {
  const permission = usePermission();
  const devices = trpc.pilot.push.subscriptions.useQuery();
  const endpoint = useQuery({ queryKey: ENDPOINT_KEY, queryFn: readPushEndpoint, staleTime: 0 });
  if (permission === 'denied') {
    return (
      <p className={classes.state}>
        <IconBellOff size={20} aria-hidden="true" />
        <span>
          Notifications are blocked in this browser. To allow them, open the site settings with the icon next to the
          address, and set Notifications to Allow.
        </span>
      </p>
    );
  }
  if (endpoint.isPending) {
    return <p className={classes.text}>{pushCopy.loading}</p>;
  }
  return (
    <Loaded query={devices} loading={pushCopy.loading} failure={pushCopy.loadFailed} rows={1}>
      {(list) => <Switch devices={list} endpoint={endpoint.data ?? null} />}
    </Loaded>
  );
}

/** @param endpoint push endpoint of this device; notifications are on if the server lists it */
function Switch({ devices, endpoint }: { devices: readonly PushSubscriptionDto[]; endpoint: string | null }) {
  const client = useQueryClient();
  const utils = trpc.useUtils();
  const reread = (): Promise<unknown> =>
    Promise.all([client.invalidateQueries({ queryKey: ENDPOINT_KEY }), utils.pilot.push.subscriptions.invalidate()]);
  const on = useMutation({ mutationFn: startPush, onSettled: reread });
  const off = useMutation({ mutationFn: () => stopPush(), onSettled: reread });
  const test = trpc.pilot.push.test.useMutation({
    onSettled: () => utils.pilot.push.subscriptions.invalidate(),
  });
  const remove = trpc.pilot.push.unsubscribe.useMutation({
    onSettled: () => utils.pilot.push.subscriptions.invalidate(),
  });
  const isOn = devices.some((device) => device.endpoint === endpoint);
  const others = devices.filter((device) => device.endpoint !== endpoint);
  const isBusy = on.isPending || off.isPending || test.isPending || remove.isPending;
  const error =
    readError(on.error, pushCopy.onFailed) ??
    readError(off.error, pushCopy.offFailed) ??
    readError(test.error, pushCopy.testFailed) ??
    readError(remove.error, pushCopy.removeFailed);
  /** Clears earlier results, so that only the last action's message shows. */
  const start = (mutation: { mutate: () => void }): void => {
    for (const one of [on, off, test, remove]) {
      one.reset();
    }
    mutation.mutate();
  };

  return (
    <>
      <FormError message={error} />
      {isOn ? (
        <>
          <Line icon={<IconBell size={20} aria-hidden="true" />}>
            <Badge signal="green">On</Badge> Signing out turns it off.
          </Line>
          <Group gap="sm">
            <Button variant="default" disabled={isBusy} onClick={() => start(test)}>
              {test.isPending ? 'Sending...' : 'Send a test'}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={() => start(off)}>
              {off.isPending ? 'Turning off...' : 'Turn off'}
            </Button>
          </Group>
        </>
      ) : (
        <Group gap="sm">
          <Button
            classNames={{ root: classes.on, label: classes.onLabel }}
            leftSection={<IconBell size={18} aria-hidden="true" />}
            disabled={isBusy}
            onClick={() => start(on)}
          >
            {on.isPending ? 'Turning on...' : 'Turn on notifications on this device'}
          </Button>
        </Group>
      )}
      <p className={classes.text} role="status">
        {test.data === undefined ? '' : describeTest(test.data)}
      </p>
      {others.length > 0 && (
        <ul className={classes.others} aria-label="Other devices">
          {others.map((other) => (
            <li key={other.id}>
              <span>Also on {other.device}</span>
              <Button
                variant="default"
                size="xs"
                disabled={isBusy}
                aria-label={`Remove ${other.device}`}
                onClick={() => start({ mutate: () => remove.mutate({ endpoint: other.endpoint }) })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={classes.state}>
      {icon}
      <span>{children}</span>
    </p>
  );
}

function readError(error: unknown, fallback: string): string | null {
  if (error === null) {
    return null;
  }
  return error instanceof PushRefused ? error.message : errorMessage(error, fallback);
}

/** Result of a test: `Sent to 2 devices. 1 device no longer accepts notifications and was removed.` */
function describeTest({ sent, gone, failed }: PushTestResult): string {
  return [
    sent > 0 && `Sent to ${count(sent, 'device')}.`,
    gone > 0 &&
      `${count(gone, 'device')} no longer ${gone === 1 ? 'accepts' : 'accept'} notifications and ${gone === 1 ? 'was' : 'were'} removed.`,
    failed > 0 && `${count(failed, 'device')} could not be reached.`,
    sent + gone + failed === 0 && 'None of your devices accepts notifications now.',
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}
