import { Button } from '@mantine/core';
import { useState } from 'react';
import { Loaded } from '#client/components/loaded.tsx';
import { Panel } from '#client/components/panel.tsx';
import { Badge } from '#client/domain-ui/status-badge.tsx';
import { ZTime } from '#client/domain-ui/z-time.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { SIGN_IN_AUDIT_DAYS } from '#shared/limits.ts';
import type { SignInHistoryDto } from '#shared/schemas/second-factor.ts';
import { twoStepCopy } from './two-step-text.ts';
import classes from './two-step.module.css';

const SHOWN_FIRST = 5;
const REFUSED: ReadonlySet<SignInHistoryDto[number]['action']> = new Set([
  'sign_in_failed',
  'second_factor_failed',
  'sign_in_limited',
]);

/** Panel with the account's recent sign-ins, refused attempts and changes to its second factor. */
export function SignInsPanel() {
  const history = trpc.auth.secondFactor.history.useQuery(undefined, { staleTime: 0 });
  return (
    <Panel anchor="sign-ins" title="Recent sign-ins" flush>
      <Loaded query={history} loading={twoStepCopy.loadingHistory} failure={twoStepCopy.historyFailed}>
        {(entries) => <Entries entries={entries} />}
      </Loaded>
    </Panel>
  );
}

function Entries({ entries }: { entries: SignInHistoryDto }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className={classes.list} aria-label="Recent sign-ins">
        {shown.map(({ id, action, occurredAt, text, isNewDevice, isByAnother }) => (
          <li key={id} className={classes.entry}>
            <span className={classes.device}>
              <ZTime iso={occurredAt} withDate copyable={false} />
              {isNewDevice && <Badge signal="yellow">New device</Badge>}
              {REFUSED.has(action) && <Badge signal="red">Refused</Badge>}
              {isByAnother && <Badge signal="yellow">By an admin</Badge>}
            </span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <p className={classes.small}>
          Kept for {SIGN_IN_AUDIT_DAYS} days. Something you don't recognize? Change your password: that signs everybody
          else out.
        </p>
        {entries.length > shown.length && (
          <Button variant="default" onClick={() => setWhole(true)}>
            Show all {entries.length}
          </Button>
        )}
      </div>
    </>
  );
}
