import { Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useRef } from 'react';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { showToast } from '#client/lib/toast.ts';
import { showFailure } from '#client/lib/failure.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { SecondFactorDto } from '#shared/schemas/second-factor.ts';
import { HANDHELD } from './sessions-panel.tsx';
import { twoStepCopy } from './two-step-text.ts';
import { useRefreshTwoStep } from './use-refresh-two-step.ts';
import classes from './two-step.module.css';

/** Browsers that need no second factor, which can be forgotten one by one. */
export function RememberedDevices({ devices }: Pick<SecondFactorDto, 'devices'>) {
  const heading = useRef<HTMLHeadingElement>(null);
  const refresh = useRefreshTwoStep();
  const forget = trpc.auth.secondFactor.forgetDevice.useMutation({
    onSuccess: () => showToast(twoStepCopy.deviceForgotten),
    onError: (cause) => showFailure(cause, twoStepCopy.forgetFailed),
    onSettled: async () => {
      await refresh();
      // the clicked button has disappeared with its device
      heading.current?.focus();
    },
  });
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className={classes.heading}>
        Remembered devices
      </h3>
      <ul className={classes.list} aria-label="Remembered devices">
        {devices.map(({ id, device, isCurrent, expiresAt }) => {
          const Icon = HANDHELD.test(device) ? IconDeviceMobile : IconDeviceDesktop;
          return (
            <li key={id} className={classes.row}>
              <Icon size={20} aria-hidden="true" />
              <div className={classes.what}>
                <span className={classes.device}>
                  <strong>{device}</strong>
                  {isCurrent && <Badge signal="green">This device</Badge>}
                </span>
                <span className={classes.small}>
                  Needs no second factor until <ZTime iso={expiresAt} withDate copyable={false} />
                </span>
              </div>
              <div className={classes.actions}>
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Forget ${device}`}
                  disabled={forget.isPending}
                  onClick={() => forget.mutate({ deviceId: id })}
                >
                  Forget
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
