import { Button } from '@mantine/core';
import { IconDeviceMobileCode, IconFingerprint, IconLifebuoy } from '@tabler/icons-react';
import { Suspense, useRef, useState, type ReactNode } from 'react';
import { FormNote } from '#client/components/form-error.tsx';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { hasPasskeys } from '#client/lib/passkeys.ts';
import { trpc } from '#client/lib/trpc.ts';
import { copy } from '#shared/copy.ts';
import { RECOVERY_CODES } from '#shared/limits.ts';
import type { SecondFactorDto } from '#shared/schemas/second-factor.ts';
import { twoStepCopy } from './two-step-text.ts';
import type { TwoStepTask } from './two-step-dialog.tsx';
import { RememberedDevices } from './remembered-devices.tsx';
import classes from './two-step.module.css';

/** With the QR code; most visits of the profile do not open it. */
const TwoStepDialog = lazyPart(
  () => import('./two-step-dialog.tsx'),
  (module) => module.TwoStepDialog,
);

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** Panel of two-step sign-in: authenticator app, passkeys, recovery codes and remembered devices. */
export function TwoStepPanel() {
  const state = trpc.auth.secondFactor.get.useQuery(undefined, { staleTime: 0 });
  return (
    <Panel
      anchor="two-step"
      title="Two-step sign-in"
      flush
      actions={
        state.data && <Badge signal={state.data.isOn ? 'green' : 'gray'}>{state.data.isOn ? 'On' : 'Off'}</Badge>
      }
    >
      <p className={classes.text}>{twoStepCopy.meaning}</p>
      <Loaded query={state} loading={twoStepCopy.loading} failure={twoStepCopy.loadFailed}>
        {(found) => <TwoStep state={found} />}
      </Loaded>
    </Panel>
  );
}

interface FactorRowProps {
  icon: ReactNode;
  name: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

function FactorRow({ icon, name, children, actions }: FactorRowProps) {
  return (
    <li className={classes.row}>
      {icon}
      <div className={classes.what}>
        <strong>{name}</strong>
        <span className={classes.small}>{children}</span>
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

function TwoStep({ state }: { state: SecondFactorDto }) {
  const list = useRef<HTMLUListElement>(null);
  const [task, setTask] = useState<TwoStepTask | null>(null);
  const close = (): void => {
    setTask(null);
    // the button of a row that has changed is gone
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) list.current?.focus();
    });
  };
  const { isOn, isRequired, authenticatorSince, passkeys, recoveryCodesLeft, devices } = state;
  return (
    <>
      {isRequired && !isOn && (
        <div className={classes.note}>
          <FormNote>{copy.adminSecondFactorRequired}</FormNote>
        </div>
      )}
      <ul ref={list} tabIndex={-1} className={classes.list} aria-label="Second factors">
        <FactorRow
          icon={<IconDeviceMobileCode {...ICON} />}
          name="Authenticator app"
          actions={
            authenticatorSince === null ? (
              <Button variant="default" size="xs" onClick={() => setTask({ kind: 'set-up-app' })}>
                Set up
              </Button>
            ) : (
              <Button
                variant="default"
                size="xs"
                aria-label="Remove the authenticator app"
                onClick={() => setTask({ kind: 'remove-app' })}
              >
                Remove
              </Button>
            )
          }
        >
          {authenticatorSince === null ? (
            'An app on your phone shows a new code every 30 seconds.'
          ) : (
            <>
              Set up <ZTime iso={authenticatorSince} withDate copyable={false} />
            </>
          )}
        </FactorRow>
        <Passkeys state={state} onTask={setTask} />
        {isOn && (
          <FactorRow
            icon={<IconLifebuoy {...ICON} />}
            name="Recovery codes"
            actions={
              <Button variant="default" size="xs" onClick={() => setTask({ kind: 'new-codes' })}>
                Make new codes
              </Button>
            }
          >
            {recoveryCodesLeft} of {RECOVERY_CODES.count} left, for a lost phone or key
            {recoveryCodesLeft < 3 && '. Make new ones soon.'}
          </FactorRow>
        )}
      </ul>
      {devices.length > 0 && <RememberedDevices devices={devices} />}
      {task !== null && (
        <Suspense>
          <TwoStepDialog
            task={task}
            hasPassword={state.hasPassword}
            isLast={passkeys.length + (authenticatorSince === null ? 0 : 1) === 1}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

function Passkeys({ state, onTask }: { state: SecondFactorDto; onTask: (task: TwoStepTask) => void }) {
  const { passkeys, canUsePasskeys } = state;
  const canAdd = canUsePasskeys && hasPasskeys();
  return (
    <>
      {passkeys.map(({ id, name, isSynced, createdAt, lastUsedAt }) => (
        <FactorRow
          key={id}
          icon={<IconFingerprint {...ICON} />}
          name={name}
          actions={
            <>
              <Button
                variant="default"
                size="xs"
                aria-label={`Rename ${name}`}
                onClick={() => onTask({ kind: 'rename', id, name })}
              >
                Rename
              </Button>
              <Button
                variant="default"
                size="xs"
                aria-label={`Remove ${name}`}
                onClick={() => onTask({ kind: 'remove-passkey', id, name })}
              >
                Remove
              </Button>
            </>
          }
        >
          {isSynced ? 'Passkey, backed up' : 'Passkey'}, added <ZTime iso={createdAt} withDate copyable={false} />
          <br />
          {lastUsedAt === null ? (
            'Not used yet'
          ) : (
            <>
              Last used <ZTime iso={lastUsedAt} withDate copyable={false} />
            </>
          )}
        </FactorRow>
      ))}
      <FactorRow
        icon={<IconFingerprint {...ICON} />}
        name={passkeys.length === 0 ? 'Passkey or security key' : 'Another passkey or security key'}
        actions={
          canAdd && (
            <Button
              variant="default"
              size="xs"
              aria-label="Add a passkey"
              onClick={() => onTask({ kind: 'add-passkey' })}
            >
              Add
            </Button>
          )
        }
      >
        {canAdd ? 'Fingerprint, face, screen lock, or a key that you plug in.' : twoStepCopy.noPasskeys}
      </FactorRow>
    </>
  );
}
