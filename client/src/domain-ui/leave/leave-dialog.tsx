import { Button } from '@mantine/core';
import { Dialog } from '#client/components/dialog.tsx';
import type { LeaveDto } from '#shared/schemas/leave.ts';
import { LeaveForm } from './leave-form.tsx';
import { leaveBadge, leaveCopy } from './leave-text.ts';
import { useEndLeave } from './use-leave.ts';
import classes from './leave-form.module.css';

interface LeaveDialogProps {
  pilot: { id: string; timeZone: string };
  name: string;
  leave: LeaveDto | null;
  onClose: () => void;
}

/** Dialog in which an admin sets, changes or ends a pilot's leave. */
export function LeaveDialog({ pilot, name, leave, onClose }: LeaveDialogProps) {
  const end = useEndLeave(pilot.id, onClose);
  return (
    <Dialog opened title={`Leave of ${name}`} onClose={onClose}>
      <p className={classes.lead}>
        {leave !== null && `${leaveBadge(leave)}. `}
        {leaveCopy.meaning(name)}
      </p>
      <LeaveForm
        pilot={pilot}
        name={name}
        leave={leave}
        onSaved={onClose}
        others={
          <>
            {leave !== null && (
              <Button
                color="red"
                variant="light"
                loading={end.isPending}
                onClick={() => end.mutate({ id: pilot.id, version: leave.version })}
              >
                End leave
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </>
        }
      />
    </Dialog>
  );
}
