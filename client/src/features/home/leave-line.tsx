import { Button } from '@mantine/core';
import { LinkButton } from '#client/components/link-button.tsx';
import { leaveBadge, leaveCopy } from '#client/domain-ui/leave/leave-text.ts';
import { useEndLeave } from '#client/domain-ui/leave/use-leave.ts';
import type { LeaveDto } from '#shared/schemas/leave.ts';
import classes from './aircraft-nudge.module.css';

/** Line that reminds a pilot of their leave, with the way back. */
export function LeaveLine({ userId, leave }: { userId: string; leave: LeaveDto }) {
  const end = useEndLeave(userId);
  return (
    <section aria-label={leaveCopy.title} className={classes.nudge}>
      <p className={classes.words}>
        <strong>{leaveBadge(leave)}.</strong> Nobody asks you to fly {leave.isNow ? 'until it ends' : 'then'}.
      </p>
      {leave.isNow ? (
        <Button
          variant="light"
          loading={end.isPending}
          onClick={() => end.mutate({ id: userId, version: leave.version })}
        >
          I&apos;m back
        </Button>
      ) : (
        <LinkButton to="/availability" hash="leave" variant="light">
          Change leave
        </LinkButton>
      )}
    </section>
  );
}
