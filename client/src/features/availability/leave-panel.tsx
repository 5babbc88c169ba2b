import { Button } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '#client/components/panel.tsx';
import { LeaveForm } from '#client/domain-ui/leave/leave-form.tsx';
import { leaveBadge, leaveCopy } from '#client/domain-ui/leave/leave-text.ts';
import { useEndLeave, useLeave } from '#client/domain-ui/leave/use-leave.ts';
import { useSignedInViewer } from '#client/lib/session.ts';
import classes from './override-panel.module.css';

/** Panel of the viewer's leave of absence. It is saved at once, separately from the week's form. */
export function LeavePanel() {
  const viewer = useSignedInViewer();
  const leave = useLeave(viewer.id);
  /** how often a leave was ended here: the form is reset then */
  const [ended, setEnded] = useState(0);
  const end = useEndLeave(viewer.id, () => setEnded(ended + 1));
  return (
    <Panel title={leaveCopy.title} anchor="leave">
      <p className={classes.lead}>
        {leave === null ? leaveCopy.meaning(null) : `${leaveBadge(leave)}. ${leaveCopy.meaning(null)}`}
      </p>
      <LeaveForm
        key={ended}
        pilot={viewer}
        name={null}
        leave={leave}
        others={
          leave !== null && (
            <Button
              variant="subtle"
              loading={end.isPending}
              onClick={() => end.mutate({ id: viewer.id, version: leave.version })}
            >
              {leave.isNow ? "I'm back" : 'Cancel leave'}
            </Button>
          )
        }
      />
    </Panel>
  );
}
